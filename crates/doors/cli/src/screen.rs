//! What reaches a terminal. Names come from files of other people's making and may hold control characters that move the cursor,
//! recolour or rename the window, or turn the writing round: they are shown as what they are (`\u{1b}`), never sent.

use anstyle::{AnsiColor, Style};
use std::fmt;
use std::io::{self, Write};

/// A way of writing: `{mark}` begins it, `{mark:#}` ends it. In the stream it is a noncharacter of Unicode, which no text has,
/// until [`Screen`] sends the terminal's own sequence for it; so no sequence has to be let through.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    begin: char,
}

/// Ends any mark.
const END: char = '\u{fdd0}';
/// Headings.
pub(crate) const HEADING: Mark = Mark { begin: '\u{fdd1}' };
/// What went wrong.
pub(crate) const ALARM: Mark = Mark { begin: '\u{fdd2}' };
/// What went well.
pub(crate) const GOOD: Mark = Mark { begin: '\u{fdd3}' };

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", if f.alternate() { END } else { self.begin })
    }
}

/// The terminal's sequence for a mark.
fn sequence(letter: char) -> Option<String> {
    const BOLD: Style = Style::new().bold();
    Some(match letter {
        END => BOLD.render_reset().to_string(),
        '\u{fdd1}' => BOLD.to_string(),
        '\u{fdd2}' => AnsiColor::Red.on_default().bold().to_string(),
        '\u{fdd3}' => AnsiColor::Green.on_default().bold().to_string(),
        _ => return None,
    })
}

/// Letters that a terminal may obey instead of showing: C0, DEL, C1, line separators and those that turn the direction of
/// writing; and our own marks.
fn commands(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(letter, END..='\u{fdd3}')
}

/// Words of others on one line, with nothing in them that a terminal obeys.
pub(crate) fn one_line(words: &str) -> String {
    let mut line = String::with_capacity(words.len());
    for letter in words.chars() {
        if commands(letter) {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

/// The way to standard output and standard error.
pub(crate) struct Screen<W> {
    to: W,
    json: bool,
}

impl<W: Write> Screen<W> {
    /// For people: newlines pass, marks become colours, all else that a terminal obeys is spelled out.
    pub(crate) fn text(to: W) -> Screen<W> {
        Screen { to, json: false }
    }

    /// JSON escapes C0 itself; the rest can only stand in strings, where it may be escaped too.
    pub(crate) fn json(to: W) -> Screen<W> {
        Screen { to, json: true }
    }

    fn letter(&mut self, letter: char) -> io::Result<()> {
        match letter {
            '\n' => self.to.write_all(b"\n"),
            _ if self.json => {
                let mut units = [0; 2];
                letter.encode_utf16(&mut units).iter().try_for_each(|unit| write!(self.to, "\\u{unit:04x}"))
            }
            _ => match sequence(letter) {
                Some(sequence) => self.to.write_all(sequence.as_bytes()),
                None => write!(self.to, "{}", letter.escape_default()),
            },
        }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Whole strings come here, so no letter is torn; what is no text is shown as such.
        let words = String::from_utf8_lossy(bytes);
        let mut rest = words.as_ref();
        while let Some(at) = rest.find(commands) {
            self.to.write_all(&rest.as_bytes()[..at])?;
            let letter = rest[at..].chars().next().unwrap_or(' ');
            self.letter(letter)?;
            rest = &rest[at + letter.len_utf8()..];
        }
        self.to.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIL: &str = "a\u{1b}]0;pwned\u{7}\u{1b}[31m\r\u{8}\u{7f}\u{9b}2J\u{202e}\u{2066}\tü\u{fdd2}";

    fn shown(words: &str, json: bool) -> String {
        let mut out = Vec::new();
        let mut screen = if json { Screen::json(&mut out) } else { Screen::text(&mut out) };
        screen.write_all(words.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_of_a_name_is_obeyed() {
        let line = one_line(&format!("{EVIL}\nsecond"));
        assert!(!line.contains(commands), "{line:?}");
        assert!(
            line.starts_with("a\\u{1b}]0;pwned\\u{7}") && line.contains('ü') && line.ends_with("\\nsecond"),
            "{line}"
        );
        assert_eq!(shown(&line, false), line);
        // Unsanitised, as a net below: only newlines and marks get through, as colours.
        let text = shown(EVIL.trim_end_matches('\u{fdd2}'), false);
        assert!(!text.contains(commands), "{text:?}");
        assert_eq!(shown("one\ntwo", false), "one\ntwo");
    }

    #[test]
    fn marks_become_the_terminal_s() {
        let text = shown(&format!("{ALARM}error:{ALARM:#} x"), false);
        assert_eq!(text, "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m x");
    }

    #[test]
    fn json_stays_the_same_json() {
        let json = serde_json::to_string(&EVIL).unwrap();
        let escaped = shown(&json, true);
        assert!(!escaped.contains(commands), "{escaped:?}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), EVIL);
    }
}
