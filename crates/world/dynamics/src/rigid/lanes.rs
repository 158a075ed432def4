//! Eight numbers at a time, and the table of motions that eight contacts read and write at once.

use std::ops::{Add, Mul, Sub};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Lanes: one number of each of eight contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Wide(pub(crate) [f64; 8]);

impl Wide {
    pub(crate) const ZERO: Wide = Wide([0.0; 8]);
}

/// Arithmetic on eight numbers. Every implementation gives the same bits: only operations that IEEE 754 rounds in one way.
pub(crate) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn read(from: &Wide) -> Self;
    fn write(self, to: &mut Wide);
    fn splat(x: f64) -> Self;
    fn root(self) -> Self;
    fn over(self, divisor: Self) -> Self;
    /// The greater; the second where they are equal or no numbers.
    fn or_more(self, other: Self) -> Self;
    /// `yes` where this is greater than the other, else `no`.
    fn if_above(self, other: Self, yes: Self, no: Self) -> Self;
    /// The columns of eight rows of the table.
    fn gather(motions: &Motions, slots: &[u32; 8]) -> [Self; 8];
    /// Writes columns back to the rows whose bit is set.
    fn scatter(columns: [Self; 8], motions: &Motions, slots: &[u32; 8], free: u8);
    /// The columns of eight rows.
    fn gather_rows(rows: &[Wide], slots: &[u32; 8]) -> [Self; 8];
}

#[derive(Debug)]
#[repr(C, align(64))]
struct Row([AtomicU64; 8]);

/// A row for each body: velocity, inverse mass, spin, inverse inertia where that is a number. Rows of different bodies may be written by
/// different threads at the same time.
#[derive(Debug, Default)]
pub struct Motions(Vec<Row>);

impl Motions {
    pub(crate) fn new(rows: impl Iterator<Item = [f64; 8]>) -> Motions {
        Motions(rows.map(|row| Row(row.map(|x| AtomicU64::new(x.to_bits())))).collect())
    }

    /// Velocity and spin of the body at a place in the list, as bits: what changes hands between ranks.
    pub fn bits(&self, slot: usize) -> [u64; 6] {
        [0, 1, 2, 4, 5, 6].map(|k: usize| self.0[slot].0[k].load(Relaxed))
    }

    /// Sets what [`bits`](Self::bits) gives.
    pub fn set_bits(&self, slot: usize, bits: [u64; 6]) {
        for (k, word) in [0, 1, 2, 4, 5, 6].into_iter().zip(bits) {
            self.0[slot].0[k].store(word, Relaxed);
        }
    }

    pub(crate) fn row(&self, slot: usize) -> [f64; 8] {
        std::array::from_fn(|k| f64::from_bits(self.0[slot].0[k].load(Relaxed)))
    }

    pub(crate) fn set(&self, slot: usize, row: [f64; 8]) {
        for (cell, x) in self.0[slot].0.iter().zip(row) {
            cell.store(x.to_bits(), Relaxed);
        }
    }

    /// The eight words of a row; for vector units.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn words(&self, slot: u32) -> &[AtomicU64; 8] {
        &self.0[slot as usize].0
    }
}

/// Eight doubles, one after the other: the twin that vector units are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable([f64; 8]);

impl Portable {
    #[inline(always)]
    fn by(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Portable(std::array::from_fn(|k| f(self.0[k], other.0[k])))
    }
}

impl Add for Portable {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.by(other, |a, b| a + b)
    }
}

impl Sub for Portable {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.by(other, |a, b| a - b)
    }
}

impl Mul for Portable {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.by(other, |a, b| a * b)
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn read(from: &Wide) -> Self {
        Portable(from.0)
    }

    #[inline(always)]
    fn write(self, to: &mut Wide) {
        to.0 = self.0;
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Portable([x; 8])
    }

    #[inline(always)]
    fn root(self) -> Self {
        Portable(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.by(divisor, |a, b| a / b)
    }

    #[inline(always)]
    fn or_more(self, other: Self) -> Self {
        self.by(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn if_above(self, other: Self, yes: Self, no: Self) -> Self {
        Portable(std::array::from_fn(|k| if self.0[k] > other.0[k] { yes.0[k] } else { no.0[k] }))
    }

    #[inline(always)]
    fn gather(motions: &Motions, slots: &[u32; 8]) -> [Self; 8] {
        let rows = slots.map(|slot| motions.row(slot as usize));
        std::array::from_fn(|column| Portable(std::array::from_fn(|lane| rows[lane][column])))
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], motions: &Motions, slots: &[u32; 8], free: u8) {
        for (lane, slot) in slots.iter().enumerate().filter(|(lane, _)| free >> lane & 1 == 1) {
            motions.set(*slot as usize, std::array::from_fn(|column| columns[column].0[lane]));
        }
    }

    #[inline(always)]
    fn gather_rows(rows: &[Wide], slots: &[u32; 8]) -> [Self; 8] {
        std::array::from_fn(|column| {
            Portable(std::array::from_fn(|lane| rows[slots[lane] as usize].0[column]))
        })
    }
}
