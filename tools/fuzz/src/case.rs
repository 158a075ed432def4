//! Bytes as geometry: a pose, directions and points in several styles, each of which a few bytes can make degenerate.

use kontakt_math::{DQuat, DVec3, Pose};

/// Most points of a case: small cases are quick, and whatever fails is easy to read.
const MOST_POINTS: usize = 24;

/// What a target is tried on.
#[derive(Debug)]
pub struct Case {
    /// One free byte for choices of the target.
    pub choice: u8,
    /// A rigid map, its translation of about the points' size.
    pub pose: Pose,
    /// A direction of small integers, maybe zero.
    pub direction: DVec3,
    /// The points: none, or any doubles.
    pub points: Vec<DVec3>,
}

impl Case {
    /// Every sequence of bytes is a case; what is missing at the end reads as zeros.
    pub fn of(bytes: &[u8]) -> Case {
        let mut source = Source(bytes);
        let (style, choice) = (source.byte(), source.byte());
        let rotation: [f64; 4] = std::array::from_fn(|_| source.small());
        let translation = source.small_vector();
        let direction = source.small_vector();
        let (points, scale) = points(style, &mut source);
        let rotation = DQuat::from_array(rotation);
        let rotation = if rotation.length() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
        let pose = Pose::new(rotation, translation * scale).unwrap_or(Pose::IDENTITY);
        Case { choice, pose, direction, points }
    }

    /// Largest absolute coordinate.
    pub fn farthest(&self) -> f64 {
        farthest(&self.points)
    }

    /// Whether every coordinate is finite.
    pub fn is_finite(&self) -> bool {
        self.points.iter().all(|p| p.is_finite())
    }
}

/// Largest absolute coordinate of finite points.
pub fn farthest(points: &[DVec3]) -> f64 {
    points.iter().fold(0.0, |far, p| p.abs().max_element().max(far))
}

/// Bytes read one by one.
pub struct Source<'a>(pub &'a [u8]);

impl Source<'_> {
    /// The next byte, 0 after the end.
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    /// An integer in −16..16, small so that touching and coplanar cases are frequent.
    pub fn small(&mut self) -> f64 {
        f64::from(self.byte().cast_signed() >> 3)
    }

    /// Three of them.
    pub fn small_vector(&mut self) -> DVec3 {
        DVec3::new(self.small(), self.small(), self.small())
    }

    /// Any double, all bits free.
    fn raw(&mut self) -> f64 {
        f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }

    /// A double of any exponent with four bits of mantissa.
    fn short(&mut self) -> f64 {
        f64::from_bits(u64::from(u16::from_le_bytes([self.byte(), self.byte()])) << 48)
    }

    /// 2ᵏ for any k of the normal and subnormal range.
    fn power(&mut self) -> f64 {
        let exponent = i32::from(i16::from_le_bytes([self.byte(), self.byte()])) % 1100;
        2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Points until the bytes end or there are enough.
    fn many(&mut self, mut one: impl FnMut(&mut Self) -> DVec3) -> Vec<DVec3> {
        let mut points = Vec::new();
        while !self.is_empty() && points.len() < MOST_POINTS {
            points.push(one(self));
        }
        points
    }
}

/// Points in the style asked for, and a length for translations.
fn points(style: u8, source: &mut Source) -> (Vec<DVec3>, f64) {
    match style % 8 {
        0 => (source.many(Source::small_vector), 1.0),
        1 => (source.many(|s| DVec3::new(s.raw(), s.raw(), s.raw())), 1.0),
        2 => (source.many(|s| DVec3::new(s.short(), s.short(), s.short())), 1.0),
        3 => {
            // Tiny or huge, and maybe far away.
            let (scale, shift) = (source.power(), source.power());
            let offset = source.small_vector() * shift;
            (source.many(|s| s.small_vector() * scale + offset), scale)
        }
        4 => {
            // Few different ones, many times.
            let different = [source.small_vector(), source.small_vector(), source.small_vector()];
            (source.many(|s| different[usize::from(s.byte()) % 3]), 1.0)
        }
        5 => {
            // Some last places beside small integers: nearly coplanar, collinear, equal.
            let (scale, offset) = (source.small() + 17.0, source.small_vector());
            let nudged = |value: f64, by: u8| {
                (0..by % 4).fold(value, |value, _| if by < 128 { value.next_up() } else { value.next_down() })
            };
            let one = |s: &mut Source| {
                let p = s.small_vector() / scale + offset;
                DVec3::new(nudged(p.x, s.byte()), nudged(p.y, s.byte()), nudged(p.z, s.byte()))
            };
            (source.many(one), 1.0)
        }
        6 => {
            // On a sphere, to rounding.
            let (centre, radius) = (source.small_vector(), source.small());
            (source.many(|s| centre + s.small_vector().normalize_or_zero() * radius), 1.0)
        }
        _ => {
            // One direction much longer than another: needles and plates.
            let thin = DVec3::new(source.power(), source.power(), 1.0)
                .clamp(DVec3::splat(1e-30), DVec3::splat(1e30));
            let turn = DQuat::from_array(std::array::from_fn(|_| source.small() + 0.5)).normalize();
            (source.many(|s| turn * (s.small_vector() * thin)), 1.0)
        }
    }
}
