//! The answer of a batch: one bit a volume.

/// Which members of a batch may overlap. A bit that is not set is a proof of disjointness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    words: Vec<u64>,
    len: usize,
}

impl Hits {
    /// No members yet; the buffer is kept between queries.
    pub fn new() -> Hits {
        Hits::default()
    }

    /// How many members were asked.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no member was asked.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether member `index` may overlap; `false` beyond the end.
    pub fn contains(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// How many may overlap.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Indices of those that may overlap, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// Starts a new answer for `len` members and lends its zeroed words, 64 members each.
    pub(super) fn restart(&mut self, len: usize) -> &mut [u64] {
        self.len = len;
        self.words.clear();
        self.words.resize(len.div_ceil(64), 0);
        &mut self.words
    }

    /// Drops the bits of padding beyond the last member.
    pub(super) fn trim(&mut self) {
        let used = self.len % 64;
        if let (Some(last), true) = (self.words.last_mut(), used != 0) {
            *last &= (1 << used) - 1;
        }
    }

    /// Answers member by member.
    pub(super) fn fill(&mut self, len: usize, mut hit: impl FnMut(usize) -> bool) {
        let words = self.restart(len);
        for index in 0..len {
            words[index / 64] |= u64::from(hit(index)) << (index % 64);
        }
    }
}
