//! Strings of Part 21, with their escapes, as text.

/// Most bytes of a name that are kept: every place of a part has its own copy.
const LONGEST: usize = 4096;

/// A string as it is meant, cut where it is very long: quotes written twice, `\S\`, `\X\`, `\X2\`, `\X4\` escapes, bytes of UTF-8, else of Latin-1. Line ends
/// within it are the writer's, not the string's.
pub(super) fn decode(raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len().min(LONGEST));
    let mut rest = raw;
    while let Some((&byte, after)) = rest.split_first() {
        if text.len() >= LONGEST {
            text.push('…');
            break;
        }
        rest = match byte {
            b'\'' => {
                text.push('\'');
                after.strip_prefix(b"'").unwrap_or(after)
            }
            b'\\' => escape(after, &mut text),
            b'\r' | b'\n' => after,
            0..0x80 => {
                text.push(char::from(byte));
                after
            }
            _ => wide(rest, &mut text),
        };
    }
    text.trim().to_owned()
}

/// What follows a backslash; unknown escapes stay as they are.
fn escape<'a>(after: &'a [u8], text: &mut String) -> &'a [u8] {
    match after {
        [b'\\', rest @ ..] => {
            text.push('\\');
            rest
        }
        [b'S', b'\\', byte, rest @ ..] => {
            text.push(char::from(byte | 0x80));
            rest
        }
        [b'P', b'A'..=b'I', b'\\', rest @ ..] => rest,
        [b'X', b'\\', rest @ ..] if hex(rest, 2).is_some() => {
            text.extend(hex(rest, 2).and_then(char::from_u32));
            &rest[2..]
        }
        [b'X', b'2', b'\\', rest @ ..] => {
            let (units, rest) = run(rest, 4);
            let units: Vec<u16> = units.iter().map(|&unit| unit as u16).collect();
            text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
            rest
        }
        [b'X', b'4', b'\\', rest @ ..] => {
            let (units, rest) = run(rest, 8);
            let known = |&unit: &u32| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend(units.iter().map(known));
            rest
        }
        _ => {
            text.push('\\');
            after
        }
    }
}

/// Groups of hexadecimal digits up to `\X0\`.
fn run(mut rest: &[u8], digits: usize) -> (Vec<u32>, &[u8]) {
    let mut units = Vec::new();
    while let Some(unit) = hex(rest, digits) {
        units.push(unit);
        rest = &rest[digits..];
    }
    (units, rest.strip_prefix(b"\\X0\\").unwrap_or(rest))
}

fn hex(text: &[u8], digits: usize) -> Option<u32> {
    let value = |sum: Option<u32>, &byte: &u8| Some(sum? << 4 | char::from(byte).to_digit(16)?);
    text.get(..digits)?.iter().fold(Some(0), value)
}

/// Bytes beyond ASCII: one character of UTF-8, or one byte of Latin-1.
fn wide<'a>(rest: &'a [u8], text: &mut String) -> &'a [u8] {
    let found = (2..=4).find_map(|length| std::str::from_utf8(rest.get(..length)?).ok());
    text.push_str(found.unwrap_or(""));
    if found.is_none() {
        text.push(char::from(rest[0]));
    }
    &rest[found.map_or(1, str::len)..]
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, decode};

    #[test]
    fn escapes_are_characters() {
        for (raw, text) in [
            (&b"plain"[..], "plain"),
            (b"it''s", "it's"),
            (b"a\\\\b", "a\\b"),
            (b"\\S\\d", "ä"),
            (b"\\X\\E4", "ä"),
            (b"\\X2\\00E403B1\\X0\\x", "äαx"),
            (b"\\X2\\D83DDE00\\X0\\", "😀"),
            (b"\\X4\\0001F600\\X0\\", "😀"),
            (b"\\PA\\x", "x"),
            ("Prüf".as_bytes(), "Prüf"),
            (b"Pr\xFCf", "Prüf"),
            (b"Undefined De\r\nscription", "Undefined Description"),
            (b"\\X2\\00", "00"),
            (b"\\X\\G", "\\X\\G"),
            (b"\\", "\\"),
            (b"\xFF", "ÿ"),
        ] {
            assert_eq!(decode(raw), text);
        }
        assert_eq!(decode(&vec![b'x'; 100_000]), "x".repeat(LONGEST) + "…");
    }
}
