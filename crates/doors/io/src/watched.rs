//! Reading and writing that end at a deadline.

use kontakt_schedule::{Deadline, Expired};
use std::io::{self, Read, Write};

/// Bytes between two looks at the clock; so many are let through in any case, so that small files are read however short the time is:
/// what they are asked about may be answered at once.
const PIECE: usize = 1 << 17;

/// Lets bytes through until a deadline.
pub(crate) struct Watched<T> {
    inner: T,
    deadline: Deadline,
    done: usize,
}

impl<T> Watched<T> {
    pub(crate) fn new(inner: T, deadline: Deadline) -> Watched<T> {
        Watched { inner, deadline, done: 0 }
    }

    /// How many of so many bytes may pass now.
    fn pass(&self, bytes: usize) -> io::Result<usize> {
        if self.done >= PIECE {
            self.deadline.check().map_err(|expired| io::Error::new(io::ErrorKind::TimedOut, expired))?;
        }
        Ok(bytes.min(PIECE))
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.pass(buffer.len())?;
        let count = self.inner.read(&mut buffer[..most])?;
        self.done = self.done.saturating_add(count);
        Ok(count)
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let most = self.pass(buffer.len())?;
        let count = self.inner.write(&buffer[..most])?;
        self.done = self.done.saturating_add(count);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The deadline for working through so many bytes: none for those of a small file.
pub(crate) fn unless_small(bytes: &[u8], deadline: Deadline) -> Deadline {
    if bytes.len() > PIECE { deadline } else { Deadline::NEVER }
}

/// Whether an error is that of a deadline.
pub(crate) fn expired(error: &io::Error) -> Option<Expired> {
    error.get_ref()?.downcast_ref::<Expired>().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn small_files_pass_and_large_ones_end_at_the_deadline() {
        let over = Deadline::after(Duration::ZERO);
        let mut bytes = Vec::new();
        assert_eq!(Watched::new(&[7; 1000][..], over).read_to_end(&mut bytes).unwrap(), 1000);
        let large = vec![7; 3 * PIECE];
        let error = Watched::new(&large[..], over).read_to_end(&mut bytes).unwrap_err();
        assert_eq!(expired(&error), Some(Expired));
        assert_eq!(Watched::new(&large[..], Deadline::NEVER).read_to_end(&mut bytes).unwrap(), 3 * PIECE);
        let error = Watched::new(Vec::new(), over).write_all(&large).unwrap_err();
        assert_eq!(expired(&error), Some(Expired));
        assert_eq!(expired(&io::ErrorKind::TimedOut.into()), None);
    }
}
