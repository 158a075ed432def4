//! Numbers and words one after the other, for the small sections.

/// Appends fields to bytes.
#[derive(Default)]
pub(super) struct Fields(pub(super) Vec<u8>);

impl Fields {
    pub(super) fn word(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn count(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn number(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn text(&mut self, value: &str) {
        self.count(value.len() as u64);
        self.0.extend_from_slice(value.as_bytes());
    }

    pub(super) fn list(&mut self, values: &[u32]) {
        self.count(values.len() as u64);
        for &value in values {
            self.word(value);
        }
    }
}

/// Takes fields from bytes; `None` when they end too early.
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl Cursor<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn word(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    pub(super) fn count(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    pub(super) fn number(&mut self) -> Option<f64> {
        self.bytes().map(f64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.count()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    pub(super) fn list(&mut self) -> Option<Vec<u32>> {
        let bytes = usize::try_from(self.count()?).ok()?.checked_mul(4)?;
        let (list, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(list.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
    }

    /// Whether everything was taken.
    pub(super) fn is_done(&self) -> bool {
        self.0.is_empty()
    }
}
