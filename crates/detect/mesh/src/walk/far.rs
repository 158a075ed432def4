//! Bodies far apart beside their sizes: one direction tells more than boxes in single precision could.

// For a direction n, |x − y| ≥ n·(y − x)/|n|. The bound is kept as its *excess* over a base distance near that of
// the bodies, so that single precision is spent on differences and not on the distance:
//   excess = [n·(s·R·o_B + t − o_A) − base] + lowest(B's child on n) − highest(A's child on n),
// the bracket in doubles. Errors: the bracket by 2⁻⁵⁰ of the distance and the error of t; a child's interval on n by less than
// 2⁻¹⁸·(|c|₁ + h₁), as in `cross`. |n| is within 2⁻⁵¹ of 1, and the limit a bound is compared with rounds by 2⁻⁵²: four times
// 2⁻⁵⁰ of the distance covers all of that.

use kontakt_hierarchy::{PackedMap, WideNode};
use kontakt_math::DVec3;

use super::cross::Bounds;

/// 2⁻¹⁸
const GROW: f32 = 1.0 / 262_144.0;

/// The direction from A to B and the base distance of two far bodies, in A's packed units.
pub(super) fn base(relative: &PackedMap) -> (DVec3, f64) {
    // Divided first, so that no square overflows.
    let most = relative.shift.abs().max_element();
    let part = relative.shift / most;
    (part / part.length(), part.length() * most - 2.0 * (1.0 + relative.scale))
}

/// Whether the bodies are so far apart that all their points have the same distance up to 2⁻⁵⁵ of it.
pub(super) fn is_remote(relative: &PackedMap) -> bool {
    base(relative).1 > 2.0_f64.powi(60) * (1.0 + relative.scale)
}

/// Lower bounds of the distances of children as excess over [`base`], in A's packed units; else as `cross::gaps`.
pub(super) fn excesses(
    relative: &PackedMap,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    limit: f32,
    bounds: &mut Bounds,
) -> (u64, u32) {
    let (direction, base) = base(relative);
    let single = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let from = relative.shift - single(a.origin) + relative.turn * (single(b.origin) * relative.scale);
    let slack = base.abs() * 2.0_f64.powi(-48) + 2.0 * relative.error;
    let bracket = direction.dot(from) - base - slack;
    let on_a = heights(a, direction, 1.0);
    let on_b = heights(b, relative.turn.transpose() * -direction, relative.scale as f32);
    let (mut found, mut tests) = (0, 0);
    for bit in 0..64 {
        let (i, j) = (bit >> 3, bit & 7);
        let exact = bracket - f64::from(on_a[i]) - f64::from(on_b[j]);
        let bound = (exact as f32).next_down();
        *bounds.at(bit) = bound;
        let asked = rows >> i & columns >> j & 1 != 0 && a.half[0][i] >= 0.0 && b.half[0][j] >= 0.0;
        tests += u32::from(asked);
        found |= u64::from(asked && bound < limit) << bit;
    }
    (found, tests)
}

/// How far children reach in a direction from their node's origin; never too small.
fn heights(node: &WideNode, direction: DVec3, scale: f32) -> [f32; 8] {
    let axes = node.axes.map(|row| direction.dot(DVec3::from_array(row.map(f64::from))) as f32);
    std::array::from_fn(|lane| {
        let (mut height, mut size) = (0.0, 0.0);
        for (k, axis) in axes.iter().enumerate() {
            let (c, h) = (node.centre[k][lane], node.half[k][lane].max(0.0));
            height += axis * c + axis.abs() * h;
            size += c.abs() + h;
        }
        (height + GROW * size) * scale
    })
}
