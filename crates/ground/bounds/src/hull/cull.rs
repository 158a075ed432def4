//! The two passes that touch every point, in blocks that the compiler turns into vector instructions.

#![allow(unsafe_code, reason = "calls functions compiled for instruction sets found at run time")]

use super::frame::Frame;
use super::plane::Plane;
use kontakt_math::DVec3;

/// Points a block.
const BLOCK: usize = 64;
/// Directions (and their opposites) in which extremal points are sought: axes, face and space diagonals.
pub(super) const DIRECTIONS: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// Coordinates of a block of points, one array a coordinate.
struct Block {
    x: [f64; BLOCK],
    y: [f64; BLOCK],
    z: [f64; BLOCK],
}

impl Block {
    /// The points in filter coordinates; a short block is filled up with its first point.
    #[inline(always)]
    fn load(points: &[DVec3], frame: &Frame) -> Block {
        let fill = frame.local(points[0]);
        let mut block = Block { x: [fill.x; BLOCK], y: [fill.y; BLOCK], z: [fill.z; BLOCK] };
        for (k, &point) in points.iter().take(BLOCK).enumerate() {
            let local = frame.local(point);
            (block.x[k], block.y[k], block.z[k]) = (local.x, local.y, local.z);
        }
        block
    }

    /// The points one by one.
    #[inline(always)]
    fn points(&self) -> impl Iterator<Item = [f64; 3]> {
        let xy = self.x.iter().zip(&self.y);
        xy.zip(&self.z).map(|((&x, &y), &z)| [x, y, z])
    }
}

/// Farthest points along each direction and its opposite, to rounding. Directions are in units of `half_extents`.
#[inline(always)]
fn extremes_body(points: &[DVec3], frame: &Frame) -> Vec<u32> {
    let inverse = frame.half_extents.to_array().map(|h| if h > 0.0 { 1.0 / h } else { 0.0 });
    let mut best = [(f64::NEG_INFINITY, 0_u32); 2 * DIRECTIONS.len()];
    for (number, chunk) in points.chunks(BLOCK).enumerate() {
        let block = Block::load(chunk, frame);
        for (k, d) in DIRECTIONS.iter().enumerate() {
            let d = [d[0] * inverse[0], d[1] * inverse[1], d[2] * inverse[2]];
            let mut value = [0.0; BLOCK];
            for (value, [x, y, z]) in value.iter_mut().zip(block.points()) {
                *value = d[0] * x + d[1] * y + d[2] * z;
            }
            let (low, high) = range(&value);
            for (side, extreme, sign) in [(2 * k, high, 1.0), (2 * k + 1, -low, -1.0)] {
                if extreme > best[side].0 {
                    let at = value[..chunk.len()].iter().position(|v| v * sign == extreme).unwrap_or(0);
                    best[side] = (extreme, (number * BLOCK + at) as u32);
                }
            }
        }
    }
    best.map(|(_, index)| index).to_vec()
}

/// Least and greatest of the values, in eight independent lanes.
#[inline(always)]
fn range(value: &[f64; BLOCK]) -> (f64, f64) {
    let (mut low, mut high) = ([f64::INFINITY; 8], [f64::NEG_INFINITY; 8]);
    for eight in value.chunks_exact(8) {
        for lane in 0..8 {
            low[lane] = if eight[lane] < low[lane] { eight[lane] } else { low[lane] };
            high[lane] = if eight[lane] > high[lane] { eight[lane] } else { high[lane] };
        }
    }
    (low.into_iter().fold(f64::INFINITY, f64::min), high.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// Indices of the points that are not proven to lie strictly inside all planes.
///
/// Proven: height + error < 0 for the error bound of each plane; the two extra roundings here are covered by the
/// second-order room of that bound (it uses 18.1 of its 24 units).
#[inline(always)]
fn outside_body(points: &[DVec3], frame: &Frame, planes: &[Plane]) -> Vec<u32> {
    let mut kept = Vec::new();
    for (number, chunk) in points.chunks(BLOCK).enumerate() {
        let block = Block::load(chunk, frame);
        let mut highest = [f64::NEG_INFINITY; BLOCK];
        for plane in planes {
            let (n, offset) = (plane.normal, plane.offset - plane.error);
            for (highest, [x, y, z]) in highest.iter_mut().zip(block.points()) {
                let height = n.x * x + n.y * y + n.z * z - offset;
                *highest = if height < *highest { *highest } else { height };
            }
        }
        for (i, &height) in highest[..chunk.len()].iter().enumerate() {
            if height >= 0.0 || height.is_nan() {
                kept.push((number * BLOCK + i) as u32);
            }
        }
    }
    kept
}

/// Compiles a body for several instruction sets and picks one at run time. All give the same bits: the bodies use
/// no fused operations and no order-dependent sums across lanes.
macro_rules! for_each_instruction_set {
    ($(#[$doc:meta])* $name:ident, $body:ident, ($($argument:ident: $type:ty),*)) => {
        $(#[$doc])*
        pub(super) fn $name($($argument: $type),*) -> Vec<u32> {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f")]
                fn wide($($argument: $type),*) -> Vec<u32> {
                    $body($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn middle($($argument: $type),*) -> Vec<u32> {
                    $body($($argument),*)
                }
                if is_x86_feature_detected!("avx512f") {
                    // SAFETY: the processor has the feature, asked for just now.
                    return unsafe { wide($($argument),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has the feature, asked for just now.
                    return unsafe { middle($($argument),*) };
                }
            }
            $body($($argument),*)
        }
    };
}

for_each_instruction_set!(
    /// Indices of extremal points (to rounding) in 26 directions; may repeat.
    extremes, extremes_body, (points: &[DVec3], frame: &Frame)
);
for_each_instruction_set!(
    /// Indices of all points but those proven to lie strictly below every plane.
    outside, outside_body, (points: &[DVec3], frame: &Frame, planes: &[Plane])
);
