//! The first message between two processes: the sender's identity, and the count that it is about to run.
//!
//! On the wire: [`MAGIC`], the length of the rest in four bytes (little-endian), and a JSON object.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io::{self, ErrorKind, Read, Write};

/// First bytes of every connection. No protocol version follows, because `Hello::run` contains the program's version.
const MAGIC: [u8; 8] = *b"perft-ex";
const MAX_HELLO_BYTES: u32 = 1 << 20;

/// The first message of a process.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Hello {
    /// Number of the process.
    pub process: usize,
    /// Fields that must be equal in every process: the version of the program, the addresses and the run.
    pub run: Map<String, Value>,
}

impl Hello {
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let text = serde_json::to_string(self)?;
        out.write_all(&[&MAGIC[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat())
    }

    /// Reads a hello. Returns an `InvalidData` error if the other side is not a process of this program.
    pub(crate) fn read(input: &mut impl Read) -> io::Result<Hello> {
        let stranger = || io::Error::new(ErrorKind::InvalidData, "something other than perft answers there");
        let (mut magic, mut length) = ([0; 8], [0; 4]);
        input.read_exact(&mut magic)?;
        input.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if magic != MAGIC || length > MAX_HELLO_BYTES {
            return Err(stranger());
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text)?;
        serde_json::from_slice(&text).map_err(|_| stranger())
    }

    /// Returns the first field that differs in another process: its name, the value found, and the value expected.
    pub(crate) fn difference(&self, other: &Hello) -> Option<[String; 3]> {
        let shown = |value: Option<&Value>| match value {
            None => "nothing".into(),
            Some(Value::String(text)) => format!("'{text}'"),
            Some(value) => value.to_string(),
        };
        let fields =
            self.run.iter().map(|(name, value)| [name.clone(), shown(other.run.get(name)), shown(Some(value))]);
        fields.into_iter().find(|[_, found, expected]| found != expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hello() -> Hello {
        let run = json!({ "revision": "abc", "hosts": ["a:1", "b:2"], "depth": 7 });
        Hello { process: 3, run: run.as_object().unwrap().clone() }
    }

    #[test]
    fn the_first_difference_is_named() {
        let read = |change: &dyn Fn(&mut Hello)| {
            let (mut other, mut bytes) = (hello(), Vec::new());
            change(&mut other);
            other.write(&mut bytes).unwrap();
            hello().difference(&Hello::read(&mut &bytes[..]).unwrap()).map(|difference| difference.join(" "))
        };
        assert_eq!(read(&|other| other.process = 1), None);
        assert_eq!(read(&|other| _ = other.run.insert("depth".into(), 6.into())).unwrap(), "depth 6 7");
        assert_eq!(read(&|other| _ = other.run.insert("revision".into(), "x".into())).unwrap(), "revision 'x' 'abc'");
        assert_eq!(read(&|other| _ = other.run.remove("hosts")).unwrap(), r#"hosts nothing ["a:1","b:2"]"#);
    }
}
