//! The next event of every sphere, the earliest first: a heap of four branches in which each sphere stands once.

/// A time and the sphere whose it is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: f64,
    sphere: u32,
}

impl Entry {
    /// Earlier, or of the same time and of a lower number: so that the order of events depends on nothing else.
    #[inline]
    fn is_before(self, other: Entry) -> bool {
        self.time < other.time || (self.time == other.time && self.sphere < other.sphere)
    }
}

const BRANCHES: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct Queue {
    heap: Vec<Entry>,
    /// Where each sphere stands in the heap.
    places: Vec<u32>,
}

impl Queue {
    /// The times of all spheres, none of them NaN.
    pub(crate) fn new(times: &[f64]) -> Queue {
        let heap: Vec<Entry> = times.iter().zip(0..).map(|(&time, sphere)| Entry { time, sphere }).collect();
        let mut queue = Queue { places: (0..heap.len() as u32).collect(), heap };
        for place in (0..=queue.heap.len() / BRANCHES).rev().filter(|place| *place < times.len()) {
            queue.sink(place);
        }
        queue
    }

    /// The earliest time and its sphere.
    #[inline]
    pub(crate) fn first(&self) -> (f64, usize) {
        let Entry { time, sphere } = self.heap[0];
        (time, sphere as usize)
    }

    /// A sphere's next event is at another time.
    #[inline]
    pub(crate) fn set(&mut self, sphere: usize, time: f64) {
        let place = self.places[sphere] as usize;
        let before = self.heap[place].time;
        self.heap[place].time = time;
        if time < before {
            self.rise(place);
        } else {
            self.sink(place);
        }
    }

    fn rise(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / BRANCHES;
            if !entry.is_before(self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
    }

    fn sink(&mut self, mut place: usize) {
        let entry = self.heap[place];
        loop {
            let first = place * BRANCHES + 1;
            let end = (first + BRANCHES).min(self.heap.len());
            let mut least = first;
            for child in first + 1..end {
                if self.heap[child].is_before(self.heap[least]) {
                    least = child;
                }
            }
            if first >= end || !self.heap[least].is_before(entry) {
                break;
            }
            self.put(place, self.heap[least]);
            place = least;
        }
        self.put(place, entry);
    }

    #[inline]
    fn put(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.places[entry.sphere as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_is_always_first() {
        let mut random = fastrand::Rng::with_seed(1);
        for count in [1, 2, 5, 6, 100, 257] {
            // Few different times, so that equal ones are frequent.
            let mut times: Vec<f64> = (0..count).map(|_| f64::from(random.u8(..16))).collect();
            let mut queue = Queue::new(&times);
            for _ in 0..2000 {
                let least = (0..count).min_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap();
                assert_eq!(queue.first(), (times[least], least));
                let changed = random.usize(..count);
                times[changed] = if random.u8(..9) == 0 { f64::INFINITY } else { f64::from(random.u8(..16)) };
                queue.set(changed, times[changed]);
            }
        }
    }
}
