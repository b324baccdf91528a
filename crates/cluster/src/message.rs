//! A message between two processes. All numbers are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 4 | CRC-32 (as in gzip) of the rest |
//! | 4 | number of the sending process |
//! | 4 | kind |
//! | … | body |

use timely_bytes::arc::Bytes;
use timely_communication::Bytesable;

const HEADER: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MessageKind {
    /// Child positions for the process that owns them.
    Batch,
    /// Number of bytes of batches that the sender has added to its tables. The recipient may send that many more.
    Room,
    /// The sender sends no more batches in this pass.
    Closed,
    /// The pass whose number the body holds will not be completed.
    Abandoned,
    /// The sender's 128-bit numbers for an agreement, in which every process sends its numbers to all others.
    Words,
}

const MESSAGE_KINDS: [MessageKind; 5] =
    [MessageKind::Batch, MessageKind::Room, MessageKind::Closed, MessageKind::Abandoned, MessageKind::Words];

/// An outgoing or incoming message.
pub(crate) enum Message {
    Out { from: u32, kind: MessageKind, body: Vec<u8> },
    In(Bytes),
}

impl Message {
    /// Returns the sender, the kind and the body of an incoming message, or `None` if it is damaged.
    pub(crate) fn read(bytes: &[u8]) -> Option<(usize, MessageKind, &[u8])> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let (checksum, from, kind) = (word(0)?, word(4)?, word(8)?);
        let kind = *MESSAGE_KINDS.get(kind as usize)?;
        (crc32fast::hash(&bytes[4..]) == checksum).then_some((from as usize, kind, &bytes[HEADER..]))
    }

    /// Returns the body of a message that [`Message::read`] has accepted.
    pub(crate) fn body(bytes: &[u8]) -> &[u8] {
        &bytes[HEADER..]
    }

    /// Returns the sender of a message. If the message is damaged, the number may be wrong.
    pub(crate) fn sender(bytes: &[u8]) -> usize {
        bytes.get(4..8).map_or(0, |sender| u32::from_le_bytes(sender.try_into().expect("four bytes")) as usize)
    }
}

impl Bytesable for Message {
    fn from_bytes(bytes: Bytes) -> Message {
        Message::In(bytes)
    }

    fn length_in_bytes(&self) -> usize {
        match self {
            Message::Out { body, .. } => HEADER + body.len(),
            Message::In(bytes) => bytes.len(),
        }
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let written = match self {
            Message::In(bytes) => writer.write_all(bytes),
            Message::Out { from, kind, body } => {
                let [from, kind] = [from.to_le_bytes(), (*kind as u32).to_le_bytes()];
                let mut checksum = crc32fast::Hasher::new();
                [&from[..], &kind, body].into_iter().for_each(|part| checksum.update(part));
                let checksum = checksum.finalize().to_le_bytes();
                [&checksum[..], &from, &kind, body].into_iter().try_for_each(|part| writer.write_all(part))
            }
        };
        written.expect("room for as many bytes as were announced");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written_and_no_bit_may_change() {
        for kind in MESSAGE_KINDS {
            let message = Message::Out { from: 7, kind, body: b"children".to_vec() };
            let mut bytes = Vec::new();
            message.into_bytes(&mut bytes);
            assert_eq!(bytes.len(), message.length_in_bytes());
            assert_eq!(Message::read(&bytes), Some((7, kind, &b"children"[..])));
            for bit in 0..8 * bytes.len() {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(Message::read(&damaged), None, "bit {bit}");
            }
            assert_eq!(Message::read(&bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(Message::read(&[0; 8]), None);
    }
}
