//! The file that closes a checkpoint: which files it has, how long they are, and their checksums. Lines of words, to be read by people too.

use super::error::Damage;
use std::fmt::Write;

const HEAD: &str = "kontakt checkpoint 1";

/// A file as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sealed {
    pub(super) bytes: u64,
    pub(super) checksum: u32,
    /// Of a part: how many records.
    pub(super) records: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) scenario: u64,
    pub(super) step: u64,
    pub(super) shared: Sealed,
    /// By rank.
    pub(super) parts: Vec<Sealed>,
}

impl Sealed {
    pub(super) fn new(bytes: &[u8], records: usize) -> Sealed {
        let checksum = crc32fast::hash(bytes);
        Sealed { bytes: bytes.len() as u64, checksum, records: records as u64 }
    }

    /// Whether these are the bytes that were written.
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), Damage> {
        let found = Sealed::new(bytes, 0);
        if found.bytes != self.bytes {
            return Err(Damage::Length { found: found.bytes, meant: self.bytes });
        }
        if found.checksum != self.checksum {
            return Err(Damage::Checksum { found: found.checksum, meant: self.checksum });
        }
        Ok(())
    }

    fn line(&self) -> String {
        format!("{} {:08x} {}", self.bytes, self.checksum, self.records)
    }

    fn read(words: &str) -> Option<Sealed> {
        let mut words = words.split(' ');
        let sealed = Sealed {
            bytes: words.next()?.parse().ok()?,
            checksum: u32::from_str_radix(words.next()?, 16).ok()?,
            records: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(sealed)
    }
}

impl Manifest {
    pub(super) fn text(&self) -> String {
        let mut text = format!("{HEAD}\nscenario {:016x}\nstep {}\n", self.scenario, self.step);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "parts {}\nshared {}", self.parts.len(), self.shared.line());
        for part in &self.parts {
            let _ = writeln!(text, "part {}", part.line());
        }
        let _ = writeln!(text, "checksum {:08x}", crc32fast::hash(text.as_bytes()));
        text
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Manifest, Damage> {
        let text = std::str::from_utf8(bytes).map_err(|_| Damage::Manifest(1))?;
        // The last line speaks of all before it.
        let body = text.strip_suffix('\n').and_then(|text| text.rfind('\n')).map_or("", |end| &text[..=end]);
        let lines = body.lines().count();
        let meant = text[body.len()..].trim_end().strip_prefix("checksum ");
        let meant =
            meant.and_then(|word| u32::from_str_radix(word, 16).ok()).ok_or(Damage::Manifest(lines + 1))?;
        let found = crc32fast::hash(body.as_bytes());
        if found != meant {
            return Err(Damage::Checksum { found, meant });
        }
        let mut at = 0;
        let mut lines = body.lines();
        let mut word = |name: &str| {
            at += 1;
            let line = lines.next().and_then(|line| line.strip_prefix(name)).ok_or(Damage::Manifest(at))?;
            Ok((line.trim_start(), Damage::Manifest(at)))
        };
        word(HEAD)?;
        let (scenario, wrong) = word("scenario ")?;
        let scenario = u64::from_str_radix(scenario, 16).map_err(|_| wrong)?;
        let (step, wrong) = word("step ")?;
        let step = step.parse().map_err(|_| wrong)?;
        let (count, wrong) = word("parts ")?;
        let count: usize = count.parse().map_err(|_| wrong)?;
        let (shared, wrong) = word("shared ")?;
        let shared = Sealed::read(shared).ok_or(wrong)?;
        let parts = (0..count).map(|_| {
            let (line, wrong) = word("part ")?;
            Sealed::read(line).ok_or(wrong)
        });
        Ok(Manifest { scenario, step, shared, parts: parts.collect::<Result<_, Damage>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_back_and_no_changed_byte_is_believed() {
        let sealed = |k: u64| Sealed { bytes: k * 1000, checksum: k as u32 * 77, records: k };
        for parts in [0, 1, 3, 64] {
            let parts = (0..parts).map(sealed).collect();
            let manifest = Manifest { scenario: u64::MAX, step: 12345, shared: sealed(9), parts };
            let text = manifest.text();
            assert_eq!(Manifest::read(text.as_bytes()), Ok(manifest));
            for at in 0..text.len() {
                let mut spoilt = text.clone().into_bytes();
                spoilt[at] ^= 4;
                assert!(Manifest::read(&spoilt).is_err(), "{at}: {}", String::from_utf8_lossy(&spoilt));
                assert!(Manifest::read(&text.as_bytes()[..at]).is_err(), "{at}");
            }
        }
    }

    #[test]
    fn a_count_without_parts_is_refused_at_once() {
        let body = format!("{HEAD}\nscenario 0\nstep 1\nparts 18446744073709551615\nshared 0 0 0\n");
        let text = format!("{body}checksum {:08x}\n", crc32fast::hash(body.as_bytes()));
        assert_eq!(Manifest::read(text.as_bytes()), Err(Damage::Manifest(6)));
    }
}
