//! The regions that a sweep line meets, from below to above.

/// A list of more regions is halved.
const LONG: usize = 256;

/// Regions (by number) in order, in short lists one after the other: a place is found by halving, and adding or taking out a region
/// moves no more than one short list.
#[derive(Default)]
pub(super) struct Status {
    lists: Vec<Vec<u32>>,
    /// The lists that hold something, from below to above.
    order: Vec<u32>,
    /// The list that each region is in.
    home: Vec<u32>,
    above: Vec<Option<u32>>,
    below: Vec<Option<u32>>,
}

impl Status {
    /// The region next above one.
    pub(super) fn above(&self, region: u32) -> Option<u32> {
        self.above[region as usize]
    }

    /// The region next below one.
    pub(super) fn below(&self, region: u32) -> Option<u32> {
        self.below[region as usize]
    }

    /// The lowest region.
    pub(super) fn first(&self) -> Option<u32> {
        self.order.first().map(|&list| self.lists[list as usize][0])
    }

    /// The last region of those, the first ones, for which `is_below` holds.
    pub(super) fn last_below(&self, mut is_below: impl FnMut(u32) -> bool) -> Option<u32> {
        let lists = self.order.partition_point(|&list| is_below(self.lists[list as usize][0]));
        let list = &self.lists[self.order[lists.checked_sub(1)?] as usize];
        let count = list.partition_point(|&region| is_below(region));
        // A test that contradicts itself may hold for none now.
        list.get(count.max(1) - 1).copied()
    }

    /// Puts the next new region (they are numbered in the order they come) above one, or lowest.
    pub(super) fn insert(&mut self, below: Option<u32>) -> u32 {
        let region = self.home.len() as u32;
        let above = below.map_or_else(|| self.first(), |below| self.above(below));
        self.above.push(above);
        self.below.push(below);
        if let Some(below) = below {
            self.above[below as usize] = Some(region);
        }
        if let Some(above) = above {
            self.below[above as usize] = Some(region);
        }
        let list = match (below, self.order.first()) {
            (Some(below), _) => self.home[below as usize],
            (None, Some(&first)) => first,
            (None, None) => self.new_list(0, Vec::new()),
        };
        self.home.push(list);
        let members = &mut self.lists[list as usize];
        let place = below.and_then(|below| members.iter().position(|&other| other == below));
        members.insert(place.map_or(0, |place| place + 1), region);
        if members.len() > LONG {
            let upper = members.split_off(LONG / 2);
            let place = self.order.iter().position(|&other| other == list);
            self.new_list(place.map_or(0, |place| place + 1), upper);
        }
        region
    }

    /// Takes a region out.
    pub(super) fn remove(&mut self, region: u32) {
        let (below, above) = (self.below(region), self.above(region));
        if let Some(below) = below {
            self.above[below as usize] = above;
        }
        if let Some(above) = above {
            self.below[above as usize] = below;
        }
        let list = self.home[region as usize];
        let members = &mut self.lists[list as usize];
        members.retain(|&other| other != region);
        if members.is_empty() {
            self.order.retain(|&other| other != list);
        }
    }

    fn new_list(&mut self, place: usize, members: Vec<u32>) -> u32 {
        let list = self.lists.len() as u32;
        for &region in &members {
            self.home[region as usize] = list;
        }
        self.lists.push(members);
        self.order.insert(place, list);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_stay_in_order_through_many_changes() {
        let mut status = Status::default();
        let mut expected: Vec<u32> = Vec::new();
        let mut random = testkit::Generator::free(17);
        for step in 0..6000 {
            let place = random.index(expected.len() + 1);
            if step % 3 == 2 && place < expected.len() {
                status.remove(expected.remove(place));
            } else {
                let below = place.checked_sub(1).map(|k| expected[k]);
                expected.insert(place, status.insert(below));
            }
        }
        assert!(expected.len() > 4 * LONG);
        let all: Vec<u32> = std::iter::successors(status.first(), |&region| status.above(region)).collect();
        assert_eq!(all, expected);
        assert!(expected.windows(2).all(|pair| status.below(pair[1]) == Some(pair[0])));
        for count in [0, 1, 2, 700, expected.len()] {
            let is_below = |region: u32| expected[..count].contains(&region);
            assert_eq!(status.last_below(is_below), count.checked_sub(1).map(|k| expected[k]));
        }
        for region in expected {
            status.remove(region);
        }
        assert_eq!(status.first(), None);
    }
}
