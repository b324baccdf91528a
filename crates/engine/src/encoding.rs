//! Text of an engine's output, in the encodings that engines and shells write.

/// Marks at the start of an output in UTF-8 or UTF-16.
const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

/// Returns bytes as text, whatever they are, without white space at the end. What engines print is ASCII, so UTF-16 is
/// that with a NUL beside each character.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = BYTE_ORDER_MARKS.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes);
    // Nearly every line; each is read byte by byte only if it has to be.
    if let (false, Ok(text)) = (bytes.contains(&0), std::str::from_utf8(bytes)) {
        return text.trim_end().into();
    }
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim_end().into()
}
