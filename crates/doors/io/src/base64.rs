//! Base64 as in data URIs and VTK's XML files.

use kontakt_shapes::memory::{OutOfMemory, reserve};

/// The bytes, or `None` for a character outside the alphabet or a length that cannot be. Padding may be missing.
pub(crate) fn decode(text: &[u8]) -> Result<Option<Vec<u8>>, OutOfMemory> {
    let unpadded = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::new();
    reserve(&mut bytes, unpadded.len() / 4 * 3 + 2)?;
    Ok(append(unpadded, &mut bytes).map(|()| bytes))
}

/// The letters, padded.
pub(crate) fn encode(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut padded = [0; 4];
        padded[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(padded);
        for i in 0..4 {
            // n bytes fill n + 1 letters.
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= group.len() { letter } else { b'=' });
        }
    }
    text
}

fn append(unpadded: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    if unpadded.len() % 4 == 1 {
        return None;
    }
    for group in unpadded.chunks(4) {
        let mut bits = 0_u32;
        for &letter in group {
            bits = bits << 6 | u32::from(value(letter)?);
        }
        // A short group of n letters holds n − 1 bytes.
        bits <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(())
}

fn value(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_with_and_without_padding() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYmE=", "fooba")]
        {
            assert_eq!(decode(text.as_bytes()), Ok(Some(bytes.as_bytes().to_vec())));
        }
        for text in ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYmE=", "AP8Q"] {
            let bytes = decode(text.as_bytes()).unwrap().unwrap();
            assert_eq!(encode(&bytes), text.as_bytes());
        }
        assert_eq!(decode(b"Zm9v!"), Ok(None));
        assert_eq!(decode(b"Zm9vY"), Ok(None));
        assert_eq!(decode(b"Zm 9"), Ok(None));
    }
}
