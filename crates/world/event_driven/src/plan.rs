//! What a sphere knows of its future.

/// What a sphere does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Touches another, if that has this stamp still.
    Meet {
        other: u32,
        stamp: u32,
    },
    Wall {
        axis: u8,
    },
    Nothing,
}

/// What a sphere knows of its future.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Its next change of velocity.
    pub(crate) time: f64,
    pub(crate) next: Next,
    /// When and where it leaves its cell: an axis, and whether upwards.
    pub(crate) leaving: f64,
    pub(crate) face: (u8, bool),
}

impl Plan {
    pub(crate) const IDLE: Plan =
        Plan { time: f64::INFINITY, next: Next::Nothing, leaving: f64::INFINITY, face: (0, true) };

    /// Bit for bit.
    pub(crate) fn words(&self) -> [u64; 4] {
        let (kind, axis, partner) = match self.next {
            Next::Meet { other, stamp } => (0, 0, u64::from(other) | u64::from(stamp) << 32),
            Next::Wall { axis } => (1, axis, 0),
            Next::Nothing => (2, 0, 0),
        };
        let face = u64::from(self.face.0) | u64::from(self.face.1) << 8;
        let tags = kind | u64::from(axis) << 8 | face << 16;
        [self.time.to_bits(), self.leaving.to_bits(), tags, partner]
    }

    /// Of so many spheres; `None` if no plan is written like this.
    pub(crate) fn of_words(words: [u64; 4], spheres: usize) -> Option<Plan> {
        let [time, leaving, tags, partner] = words;
        let byte = |k: u32| (tags >> (8 * k)) as u8;
        let (axis, face) = (byte(1), (byte(2), byte(3) == 1));
        let next = match byte(0) {
            0 => Next::Meet { other: partner as u32, stamp: (partner >> 32) as u32 },
            1 => Next::Wall { axis },
            2 => Next::Nothing,
            _ => return None,
        };
        let known = !matches!(next, Next::Meet { other, .. } if other as usize >= spheres);
        let (time, leaving) = (f64::from_bits(time), f64::from_bits(leaving));
        let sound = known && axis < 3 && face.0 < 3 && !time.is_nan() && !leaving.is_nan();
        sound.then_some(Plan { time, next, leaving, face })
    }
}
