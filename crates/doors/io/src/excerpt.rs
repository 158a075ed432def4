//! What a file says, in a message.

/// Bytes as text for a message, shortened.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const LENGTH: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LENGTH)]).into_owned();
    if bytes.len() > LENGTH { text + "…" } else { text }
}
