//! One order of doubles, for heaps and ties: that of [`f64::total_cmp`].

use std::cmp::Ordering;

/// A double in its total order: −0 before 0, NaN beyond the infinities.
#[derive(Clone, Copy, Debug)]
pub struct Total(pub f64);

impl Ord for Total {
    #[inline]
    fn cmp(&self, other: &Total) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    #[inline]
    fn partial_cmp(&self, other: &Total) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    #[inline]
    fn eq(&self, other: &Total) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}

/// What has a rank among its like.
pub trait Ranked {
    /// Usually a tuple of [`Total`], [`Reverse`](std::cmp::Reverse) and numbers.
    type Rank: Ord;

    /// Greater ranks come first from a heap.
    fn rank(&self) -> Self::Rank;
}

/// Ordered by rank alone, for a [`BinaryHeap`](std::collections::BinaryHeap).
#[derive(Clone, Copy, Debug)]
pub struct ByRank<T>(pub T);

impl<T: Ranked> Ord for ByRank<T> {
    #[inline]
    fn cmp(&self, other: &ByRank<T>) -> Ordering {
        self.0.rank().cmp(&other.0.rank())
    }
}

impl<T: Ranked> PartialOrd for ByRank<T> {
    #[inline]
    fn partial_cmp(&self, other: &ByRank<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ranked> PartialEq for ByRank<T> {
    #[inline]
    fn eq(&self, other: &ByRank<T>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Ranked> Eq for ByRank<T> {}

#[cfg(test)]
mod tests {
    use super::{ByRank, Ranked, Total};
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    #[test]
    fn every_double_has_its_place() {
        let inf = f64::INFINITY;
        let mut all = [f64::NAN, 1.0, -0.0, inf, 0.0, -inf, -f64::NAN, f64::MIN_POSITIVE].map(Total);
        all.sort();
        let bits = all.map(|x| x.0.to_bits());
        let sorted = [-f64::NAN, -inf, -0.0, 0.0, f64::MIN_POSITIVE, 1.0, inf, f64::NAN].map(f64::to_bits);
        assert_eq!(bits, sorted);
        assert_eq!(Total(f64::NAN), Total(f64::NAN));
        assert_ne!(Total(0.0), Total(-0.0));
    }

    struct Task(f64, u32, &'static str);

    impl Ranked for Task {
        type Rank = (Reverse<Total>, u32);

        fn rank(&self) -> Self::Rank {
            (Reverse(Total(self.0)), self.1)
        }
    }

    #[test]
    fn the_greatest_rank_comes_first() {
        let tasks = [Task(2.0, 0, "last"), Task(1.0, 3, "second"), Task(1.0, 7, "first")];
        let mut heap: BinaryHeap<ByRank<Task>> = tasks.into_iter().map(ByRank).collect();
        let order: Vec<&str> = std::iter::from_fn(|| heap.pop().map(|task| task.0.2)).collect();
        assert_eq!(order, ["first", "second", "last"]);
    }
}
