//! What VTK's XML files have in common.

use std::io::{self, Write};

/// A text as the value of an attribute. Control characters, which XML cannot hold, become blanks.
pub(super) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => value.push_str("&amp;"),
            '<' => value.push_str("&lt;"),
            '>' => value.push_str("&gt;"),
            '"' => value.push_str("&quot;"),
            _ if letter.is_control() => value.push(' '),
            _ => value.push(letter),
        }
    }
    value
}

/// The first lines of a file of this kind; `more` are further attributes.
pub(super) fn write_head(out: &mut dyn Write, kind: &str, more: &str) -> io::Result<()> {
    write!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\"{more}>\n"
    )
}
