//! A list of numbers for each id, all in one memory.

/// Where the list of an id is, and for how many numbers there is room.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    len: u32,
    room: u32,
}

/// Lists of increasing numbers, one for each id. A list that outgrows its room moves to the end of the memory; when that is full of
/// holes it is packed anew, so that changing lists settle in a memory that no longer grows.
///
/// The highest bit of a number is a mark of its own and does not count for the order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    spans: Vec<Span>,
    memory: Vec<u32>,
    spare: Vec<u32>,
    /// Numbers in all lists.
    count: usize,
}

/// The mark of a number.
pub(crate) const MARK: u32 = 1 << 31;

impl Lists {
    /// How many numbers all lists have.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Makes lists for ids below `ids`.
    pub(crate) fn grow(&mut self, ids: usize) {
        if self.spans.len() < ids {
            self.spans.resize(ids, Span::default());
        }
    }

    /// The list of an id.
    #[inline]
    pub(crate) fn of(&self, id: u32) -> &[u32] {
        let span = self.spans[id as usize];
        &self.memory[span.start as usize..(span.start + span.len) as usize]
    }

    /// The list of an id, to mark numbers in.
    #[inline]
    pub(crate) fn of_mut(&mut self, id: u32) -> &mut [u32] {
        let span = self.spans[id as usize];
        &mut self.memory[span.start as usize..(span.start + span.len) as usize]
    }

    /// Empty lists for so many ids.
    pub(crate) fn clear(&mut self, ids: usize) {
        self.spans.clear();
        self.spans.resize(ids, Span::default());
        self.memory.clear();
        self.count = 0;
    }

    /// The place of a number in the list of an id, or where it would be.
    #[inline]
    pub(crate) fn find(&self, id: u32, number: u32) -> Result<usize, usize> {
        self.of(id).binary_search_by_key(&number, |n| n & !MARK)
    }

    /// Adds a number, with its mark, to a list, unless it is there.
    pub(crate) fn insert(&mut self, id: u32, number: u32) {
        let Err(at) = self.find(id, number & !MARK) else { return };
        let len = self.spans[id as usize].len;
        self.make_room(id, len + 1);
        let span = &mut self.spans[id as usize];
        span.len += 1;
        let list = &mut self.memory[span.start as usize..(span.start + span.len) as usize];
        list.copy_within(at..len as usize, at + 1);
        list[at] = number;
        self.count += 1;
    }

    /// Takes a number out of a list; gives it with its mark, if it was there.
    pub(crate) fn remove(&mut self, id: u32, number: u32) -> Option<u32> {
        let at = self.find(id, number).ok()?;
        let list = self.of_mut(id);
        let found = list[at];
        list.copy_within(at + 1.., at);
        self.spans[id as usize].len -= 1;
        self.count -= 1;
        Some(found)
    }

    /// Gives an id another list.
    pub(crate) fn set(&mut self, id: u32, numbers: &[u32]) {
        self.count = self.count - self.spans[id as usize].len as usize + numbers.len();
        self.spans[id as usize].len = 0;
        self.make_room(id, numbers.len() as u32);
        self.spans[id as usize].len = numbers.len() as u32;
        self.of_mut(id).copy_from_slice(numbers);
    }

    /// Sees to it that the list has room for so many numbers.
    fn make_room(&mut self, id: u32, wanted: u32) {
        if self.spans[id as usize].room >= wanted {
            return;
        }
        let room = wanted + wanted / 2 + 2;
        // Holes may take as much as the numbers, and twice what a list usually has.
        let most = 2 * self.count + 4 * self.spans.len() + room as usize;
        if self.memory.len() + room as usize > most.max(self.memory.capacity()) {
            self.pack();
        }
        let span = &mut self.spans[id as usize];
        let start = self.memory.len();
        self.memory.extend_from_within(span.start as usize..(span.start + span.len) as usize);
        self.memory.resize(start + room as usize, 0);
        (span.start, span.room) = (start as u32, room);
    }

    /// Lists one after the other, with a little room each.
    fn pack(&mut self) {
        self.spare.clear();
        for span in &mut self.spans {
            let start = self.spare.len();
            self.spare.extend_from_slice(&self.memory[span.start as usize..(span.start + span.len) as usize]);
            // As much as it is likely to need next.
            let room = if span.len == 0 { 0 } else { span.len + 1 };
            self.spare.resize(start + room as usize, 0);
            (span.start, span.room) = (start as u32, room);
        }
        std::mem::swap(&mut self.memory, &mut self.spare);
    }
}
