//! Large sections: lists of numbers straight from file to memory, the checksum taken while they are in the cache.

use super::error::StoreError;
use super::table::Row;
use crate::WideNode;
use crate::large_pages;
use bytemuck::Pod;
use kontakt_math::DVec3;
use std::borrow::Cow;
use std::io::Read;

/// Bytes read at a time: they are still in the second-level cache when the checksum is taken.
const PIECE: usize = 1 << 18;

/// Items made of words of one size, which other machines may store the other way round.
pub(super) trait Words: Pod {
    /// Bytes of a word.
    const WORD: usize;
}

impl Words for u8 {
    const WORD: usize = 1;
}

impl Words for u32 {
    const WORD: usize = 4;
}

impl Words for [u32; 3] {
    const WORD: usize = 4;
}

impl Words for DVec3 {
    const WORD: usize = 8;
}

impl Words for WideNode {
    const WORD: usize = 4;
}

/// The items of a section, its checksum verified. The table has made sure that the file is as long as the section says.
pub(super) fn read_list<T: Words>(input: &mut dyn Read, row: &Row) -> Result<Vec<T>, StoreError> {
    let section = row.section.title();
    let size = size_of::<T>() as u64;
    if !row.length.is_multiple_of(size) {
        return Err(StoreError::Implausible { section, what: "its length is no multiple of its items'" });
    }
    let memory = StoreError::Memory { section, bytes: row.length };
    let Ok(count) = usize::try_from(row.length / size) else { return Err(memory) };
    let Ok(mut items) = bytemuck::allocation::try_zeroed_vec::<T>(count) else { return Err(memory) };
    large_pages::advise(&mut items);
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut items);
    let mut checksum = crc32fast::Hasher::new();
    for piece in bytes.chunks_mut(PIECE) {
        input.read_exact(piece)?;
        checksum.update(piece);
    }
    if checksum.finalize() != row.checksum {
        return Err(StoreError::Checksum { section, body: row.body });
    }
    if cfg!(target_endian = "big") {
        turn_words(bytes, T::WORD);
    }
    Ok(items)
}

/// The items as they are written.
pub(super) fn bytes_of<T: Words>(items: &[T]) -> Cow<'_, [u8]> {
    let bytes: &[u8] = bytemuck::cast_slice(items);
    if cfg!(target_endian = "big") {
        let mut turned = bytes.to_vec();
        turn_words(&mut turned, T::WORD);
        return Cow::Owned(turned);
    }
    Cow::Borrowed(bytes)
}

fn turn_words(bytes: &mut [u8], word: usize) {
    bytes.chunks_mut(word).for_each(<[u8]>::reverse);
}

#[cfg(test)]
mod tests {
    use super::turn_words;

    #[test]
    fn words_turn_one_by_one() {
        let mut bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        turn_words(&mut bytes, 4);
        assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
    }
}
