//! Sets of directions along which slab volumes and k-DOPs are bounded.

use crate::bound::FitError;
use kontakt_math::predicates::{Sign, orient2d, orient3d};
use kontakt_math::{DMat3, DVec2, DVec3, U};
use std::sync::LazyLock;

/// Directions, none zero and no two parallel, each standing for both of its senses. They need not be unit vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectionSet {
    directions: Vec<DVec3>,
    basis: Option<Basis>,
}

/// Three independent directions and what they say about the size of x.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Basis {
    indices: [usize; 3],
    /// |x|∞ ≤ spread · max |nᵢ·x| over the three.
    spread: f64,
}

impl DirectionSet {
    /// Any directions: slabs along them may leave space unbounded. Each is scaled by a power of two so that
    /// its largest component lies in [1, 2).
    pub fn any(directions: &[DVec3]) -> Result<DirectionSet, FitError> {
        let wrong = |what: String| Err(FitError::Parameter { what });
        if directions.is_empty() {
            return wrong("the direction set is empty".to_owned());
        }
        if let Some(i) = directions.iter().position(|d| !d.is_finite() || *d == DVec3::ZERO) {
            return wrong(format!("direction {i} is zero or not finite: {}", directions[i]));
        }
        let directions: Vec<DVec3> = directions.iter().map(|d| scaled(*d)).collect();
        for (j, b) in directions.iter().enumerate() {
            if let Some(i) = directions[..j].iter().position(|a| parallel(*a, *b)) {
                return wrong(format!("directions {i} and {j} are parallel"));
            }
        }
        let basis = find_basis(&directions);
        Ok(DirectionSet { directions, basis })
    }

    /// Directions that bound space, as a k-DOP needs: three of them must be independent.
    pub fn bounding(directions: &[DVec3]) -> Result<DirectionSet, FitError> {
        let set = DirectionSet::any(directions)?;
        if set.bounds_space() {
            return Ok(set);
        }
        Err(FitError::Parameter {
            what: format!("the {} directions do not bound space: all lie in one plane", directions.len()),
        })
    }

    /// The standard set of k/2 directions for k = 6, 8, 10, 12, 14, 18, 20, 24 or 26; `None` for another k.
    ///
    /// Made of the coordinate axes (3), the cube's corner diagonals (4) and its edge diagonals (6): 6 = axes,
    /// 8 = corners, 10 = axes and the edge diagonals of the xy plane, 12 = edges, 14 = axes + corners, 18 = axes + edges,
    /// 20 = corners + edges, 26 = all. 24 = the twelve directions (0, 1, ±2) in every order.
    pub fn standard(k: usize) -> Option<&'static DirectionSet> {
        STANDARD.iter().find(|set| 2 * set.len() == k)
    }

    /// The standard set of that many directions, the coordinate axes where there is none.
    pub(crate) fn of_standard_pairs(pairs: usize) -> &'static DirectionSet {
        DirectionSet::standard(2 * pairs).unwrap_or(&STANDARD[0])
    }

    /// The directions.
    pub fn directions(&self) -> &[DVec3] {
        &self.directions
    }

    /// How many directions, half of k.
    pub fn len(&self) -> usize {
        self.directions.len()
    }

    /// Never: a set has at least one direction.
    pub fn is_empty(&self) -> bool {
        self.directions.is_empty()
    }

    /// Whether slabs along these directions have a bounded common part.
    pub(crate) fn bounds_space(&self) -> bool {
        self.basis.is_some()
    }

    /// Three independent directions.
    pub(crate) fn basis(&self) -> Option<[usize; 3]> {
        self.basis.map(|b| b.indices)
    }

    /// Never less than any |xₖ| of points with min ≤ nᵢ·x ≤ max.
    pub(crate) fn farthest_coordinate(&self, min: &[f64], max: &[f64]) -> f64 {
        let Some(basis) = self.basis else { return f64::INFINITY };
        let largest = basis.indices.iter().map(|&i| min[i].abs().max(max[i].abs())).fold(0.0, f64::max);
        (largest * basis.spread).next_up()
    }
}

static STANDARD: LazyLock<Vec<DirectionSet>> = LazyLock::new(|| {
    let v = |x: i8, y: i8, z: i8| DVec3::new(x.into(), y.into(), z.into());
    let axes = [v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)];
    let corners = [v(1, 1, 1), v(1, 1, -1), v(1, -1, 1), v(1, -1, -1)];
    let edges = [v(1, 1, 0), v(1, -1, 0), v(1, 0, 1), v(1, 0, -1), v(0, 1, 1), v(0, 1, -1)];
    let knights: Vec<DVec3> = [(1, 2), (1, -2), (2, 1), (2, -1)]
        .into_iter()
        .flat_map(|(a, b)| [v(0, a, b), v(a, 0, b), v(a, b, 0)])
        .collect();
    let sets: [&[&[DVec3]]; 9] = [
        &[&axes],
        &[&corners],
        &[&axes, &edges[..2]],
        &[&edges],
        &[&axes, &corners],
        &[&axes, &edges],
        &[&corners, &edges],
        &[&knights],
        &[&axes, &corners, &edges],
    ];
    sets.iter().filter_map(|parts| DirectionSet::bounding(&parts.concat()).ok()).collect()
});

/// The direction times a power of two; directions of small integers are kept as they are.
fn scaled(d: DVec3) -> DVec3 {
    let largest = d.abs().max_element();
    if (1.0..=64.0).contains(&largest) {
        return d;
    }
    let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let half = -exponent / 2;
    let power = |e: i32| f64::from_bits(u64::from((e + 1023).cast_unsigned()) << 52);
    d * power(half) * power(-exponent - half)
}

/// Whether the cross product is exactly zero.
fn parallel(a: DVec3, b: DVec3) -> bool {
    let zero = |p: DVec2, q: DVec2| orient2d(DVec2::ZERO, p, q) == Sign::Zero;
    zero(a.truncate(), b.truncate())
        && zero(DVec2::new(a.y, a.z), DVec2::new(b.y, b.z))
        && zero(DVec2::new(a.x, a.z), DVec2::new(b.x, b.z))
}

/// Three directions as far from one plane as a greedy choice finds, with a proven `spread`.
///
/// Proof: let N have the three directions as rows and M ≈ N⁻¹ with MN = I + Δ. From x = M(Nx) − Δx follows
/// |x|∞ ≤ ‖M‖·max|nᵢ·x| + ‖Δ‖·|x|∞; with ‖Δ‖ ≤ ½ (checked, rounding of the check included) |x|∞ ≤ 2‖M‖·max|nᵢ·x|.
fn find_basis(directions: &[DVec3]) -> Option<Basis> {
    let unit = |i: usize| directions[i].normalize();
    let best = |score: &dyn Fn(usize) -> f64| {
        (0..directions.len()).max_by(|&i, &j| score(i).total_cmp(&score(j)).then(j.cmp(&i)))
    };
    let first = 0;
    let second = best(&|i| unit(first).cross(unit(i)).length())?;
    let across = unit(first).cross(unit(second));
    let third = best(&|i| across.dot(unit(i)).abs())?;
    let [a, b, c] = [first, second, third].map(|i| directions[i]);
    if orient3d(a, b, c, DVec3::ZERO) == Sign::Zero {
        return None;
    }
    let n = DMat3::from_cols(a, b, c).transpose();
    let m = n.inverse();
    let row_sum = |m: &DMat3| {
        let s = m.x_axis.abs() + m.y_axis.abs() + m.z_axis.abs();
        s.max_element()
    };
    let abs = |m: &DMat3| DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs());
    let off = row_sum(&(m * n - DMat3::IDENTITY)) + 16.0 * U * (1.0 + row_sum(&(abs(&m) * abs(&n))));
    let spread = 2.0 * row_sum(&m) * (1.0 + 16.0 * U);
    (off < 0.49 && spread.is_finite()).then_some(Basis { indices: [first, second, third], spread })
}
