//! The list of all processes' addresses.

/// Addresses of all processes, in order of process number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<String>);

const MAX_HOSTS: usize = 256;

/// An error in a list of addresses.
#[derive(thiserror::Error, PartialEq, Eq, Debug)]
#[error("line {line}: found {found}, expected {expected}")]
pub struct HostsError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The text found there.
    pub found: String,
    /// The expected text.
    pub expected: &'static str,
}

impl Hosts {
    /// Reads a list with one `host:port` per line. Ignores empty lines and text after a `#`.
    ///
    /// **Errors**: a line is not an address or is a duplicate, or there are fewer than two addresses or more than 256.
    pub fn parse(text: &str) -> Result<Hosts, HostsError> {
        let mut hosts: Vec<String> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let address = line.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            let error = |found, expected| HostsError { line: number + 1, found, expected };
            let shown = || format!("'{}'", address.escape_debug());
            match address.rsplit_once(':') {
                Some((host, port)) if !host.is_empty() && port.parse().is_ok_and(|port: u16| port > 0) => {}
                _ => return Err(error(shown(), "host:port, such as 10.0.0.1:7000")),
            }
            if address.contains(char::is_whitespace) {
                return Err(error(shown(), "one address per line"));
            }
            if hosts.iter().any(|host| host == address) {
                return Err(error(format!("{address} again"), "each address once"));
            }
            hosts.push(address.into());
        }
        let line = text.lines().count();
        match hosts.len() {
            0 | 1 => Err(HostsError { line, found: "the end of the file".into(), expected: "at least two addresses" }),
            2..=MAX_HOSTS => Ok(Hosts(hosts)),
            more => Err(HostsError { line, found: format!("{more} addresses"), expected: "at most 256" }),
        }
    }

    /// Returns the addresses.
    pub fn addresses(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_addresses() {
        let hosts = Hosts::parse("# two of them\n\n10.0.0.1:7000 # the first\n  [::1]:7001\r\n").unwrap();
        assert_eq!(hosts.addresses(), ["10.0.0.1:7000", "[::1]:7001"]);
        for (text, expected) in [
            ("", "line 0: found the end of the file, expected at least two addresses"),
            ("a:1\n", "line 1: found the end of the file, expected at least two addresses"),
            ("a:1\nb\n", "line 2: found 'b', expected host:port, such as 10.0.0.1:7000"),
            ("a:1\nb:0\n", "line 2: found 'b:0', expected host:port, such as 10.0.0.1:7000"),
            ("a:1\n:70\n", "line 2: found ':70', expected host:port, such as 10.0.0.1:7000"),
            ("a:1\nb:70000\n", "line 2: found 'b:70000', expected host:port, such as 10.0.0.1:7000"),
            ("a:1\nb c:7\n", "line 2: found 'b c:7', expected one address per line"),
            ("a:1\nb:1\na:1\n", "line 3: found a:1 again, expected each address once"),
        ] {
            assert_eq!(Hosts::parse(text).unwrap_err().to_string(), expected, "{text:?}");
        }
        let many: String = (1..=257).map(|port| format!("a:{port}\n")).collect();
        assert_eq!(Hosts::parse(&many).unwrap_err().to_string(), "line 257: found 257 addresses, expected at most 256");
    }
}
