//! What a rank stores or sends of a body: an id and bytes that only its owner understands.

use thiserror::Error;

/// A body's id and its state, bit for bit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// Unique over all ranks.
    pub id: u64,
    /// The state.
    pub bytes: Vec<u8>,
}

/// Bytes that are no list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("byte {at}: the list of records ends within a record")]
pub struct Torn {
    /// Where the record begins.
    pub at: usize,
}

const HEAD: usize = 16;

impl Record {
    /// Appends it to a message or file: id, length, bytes.
    pub fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.id.to_le_bytes());
        to.extend((self.bytes.len() as u64).to_le_bytes());
        to.extend(&self.bytes);
    }

    /// All of them in one piece.
    pub fn write_all<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<u8> {
        let mut all = Vec::new();
        for record in records {
            record.write(&mut all);
        }
        all
    }

    /// Takes the piece apart again.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<Record>, Torn> {
        let mut all = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (record, end) = read(bytes, at).ok_or(Torn { at })?;
            all.push(record);
            at = end;
        }
        Ok(all)
    }
}

fn read(bytes: &[u8], at: usize) -> Option<(Record, usize)> {
    let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    let (id, length) = (word(at)?, usize::try_from(word(at + 8)?).ok()?);
    let end = (at + HEAD).checked_add(length)?;
    Some((Record { id, bytes: bytes.get(at + HEAD..end)?.to_vec() }, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_and_torn_ones_are_named() {
        let records: Vec<Record> =
            (0..5).map(|id| Record { id: id * 7, bytes: vec![id as u8; id as usize * 3] }).collect();
        let all = Record::write_all(&records);
        assert_eq!(Record::read_all(&all), Ok(records.clone()));
        let ends: Vec<usize> = (0..=5).map(|k| Record::write_all(&records[..k]).len()).collect();
        for cut in 0..all.len() {
            match ends.iter().position(|&end| end == cut) {
                Some(k) => assert_eq!(Record::read_all(&all[..cut]), Ok(records[..k].to_vec())),
                None => assert!(Record::read_all(&all[..cut]).is_err(), "{cut}"),
            }
        }
        let huge = [[0; 8], u64::MAX.to_le_bytes()].concat();
        assert_eq!(Record::read_all(&huge), Err(Torn { at: 0 }));
    }
}
