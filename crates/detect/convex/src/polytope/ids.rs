//! Lists of numbers that are stored as narrow as the greatest of them allows.

use super::scan::prefetch;
use std::ops::Range;

/// Numbers in bytes, shorts or words.
#[derive(Clone, Debug)]
pub(crate) enum Ids {
    /// All below 2⁸.
    Bytes(Box<[u8]>),
    /// All below 2¹⁶.
    Shorts(Box<[u16]>),
    /// Any.
    Words(Box<[u32]>),
}

/// Evaluates an expression for the width at hand.
macro_rules! either {
    ($self:ident, $list:ident => $value:expr) => {
        match $self {
            Ids::Bytes($list) => $value,
            Ids::Shorts($list) => $value,
            Ids::Words($list) => $value,
        }
    };
}

impl Ids {
    pub(crate) fn of(numbers: &[u32]) -> Ids {
        let bits = numbers.iter().fold(0, |bits, number| bits | number);
        if bits < 1 << 8 {
            Ids::Bytes(numbers.iter().map(|&number| number as u8).collect())
        } else if bits < 1 << 16 {
            Ids::Shorts(numbers.iter().map(|&number| number as u16).collect())
        } else {
            Ids::Words(numbers.into())
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> u32 {
        match self {
            Ids::Bytes(list) => u32::from(list[place]),
            Ids::Shorts(list) => u32::from(list[place]),
            Ids::Words(list) => list[place],
        }
    }

    /// The numbers at two places.
    #[inline(always)]
    pub(crate) fn both(&self, places: [usize; 2]) -> [u32; 2] {
        match self {
            Ids::Bytes(list) => places.map(|place| u32::from(list[place])),
            Ids::Shorts(list) => places.map(|place| u32::from(list[place])),
            Ids::Words(list) => places.map(|place| list[place]),
        }
    }

    /// Calls `visit` with the numbers at these places.
    #[inline(always)]
    pub(crate) fn visit(&self, places: Range<usize>, mut visit: impl FnMut(u32)) {
        match self {
            Ids::Bytes(list) => list[places].iter().for_each(|&number| visit(u32::from(number))),
            Ids::Shorts(list) => list[places].iter().for_each(|&number| visit(u32::from(number))),
            Ids::Words(list) => list[places].iter().for_each(|&number| visit(number)),
        }
    }

    /// Asks for the memory of these places ahead of their use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, places: Range<usize>) {
        either!(self, list => prefetch(&list[places]));
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        either!(self, list => list.len())
    }

    /// What they take on the heap.
    pub(crate) fn bytes(&self) -> usize {
        either!(self, list => size_of_val::<[_]>(list))
    }
}
