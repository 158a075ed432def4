//! The bound of eight cells at once, compiled for the widest vectors that the processor has.
#![allow(unsafe_code, reason = "calls functions compiled for a checked instruction set")]

use super::Quadric;
#[cfg(target_arch = "x86_64")]
use kontakt_bounds::batch::Isa;
use kontakt_math::DVec3;

/// Cells treated together.
pub(crate) const LANES: usize = 8;

/// Centres of cells (not unit) with their half diagonals, and what is found out about them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells8 {
    pub(crate) x: [f64; LANES],
    pub(crate) y: [f64; LANES],
    pub(crate) z: [f64; LANES],
    pub(crate) half_diagonal: [f64; LANES],
    /// Out: **never less** than the distance of a unit vector in the cell from that of the centre.
    pub(crate) radius: [f64; LANES],
    /// Out: the gap at the centre.
    pub(crate) gap: [f64; LANES],
    /// Out: **never less** than the gap anywhere in the cell.
    pub(crate) bound: [f64; LANES],
}

impl Cells8 {
    pub(crate) fn centre(&self, i: usize) -> DVec3 {
        DVec3::new(self.x[i], self.y[i], self.z[i])
    }
}

impl Quadric {
    /// Fills in radius, gap and bound.
    pub(crate) fn bound(&self, cells: &mut Cells8) {
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: the processor has all features of the set, and the functions are compiled for some of these.
            match Isa::best() {
                Isa::Avx512 => return unsafe { self.bound_avx512(cells) },
                Isa::Avx2 => return unsafe { self.bound_avx2(cells) },
                Isa::Portable => {}
            }
        }
        self.bound_plainly(cells);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2")]
    unsafe fn bound_avx512(&self, cells: &mut Cells8) {
        self.bound_plainly(cells);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn bound_avx2(&self, cells: &mut Cells8) {
        self.bound_plainly(cells);
    }

    /// The bound of [`Model`](crate::smooth::model::Model) with the smaller eigenvalue of H for all directions: with
    /// τ = |w across n| and μ = λ(1 − r²/4) + f the gap within r is at most f + max over ρ ≤ r of τρ − ½μρ². H has n as null
    /// vector, so its other eigenvalues are told by its trace and its principal minors.
    #[inline(always)]
    fn bound_plainly(&self, cells: &mut Cells8) {
        for i in 0..LANES {
            let (x, y, z) = (cells.x[i], cells.y[i], cells.z[i]);
            let length = (x * x + y * y + z * z).sqrt();
            let inverse = 1.0 / length;
            let n = [x * inverse, y * inverse, z * inverse];
            // See `Cell::radius`.
            let diagonal = cells.half_diagonal[i];
            let r = diagonal / (length - diagonal).max(1.0) * (1.0 + 1e-14) + 1e-15;
            let a = seen(self.radii_a.to_array(), n, r);
            let [c, d, e] = [self.turn.x_axis, self.turn.y_axis, self.turn.z_axis].map(|v| v.to_array());
            let along = |v: [f64; 3]| v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
            let b = seen(self.radii_b.to_array(), [along(c), along(d), along(e)], r);
            let turned = |j: usize| c[j] * b.point[0] + d[j] * b.point[1] + e[j] * b.point[2];
            let point_b = [turned(0), turned(1), turned(2)];
            let t = self.shift.to_array();
            let w: [f64; 3] = std::array::from_fn(|j| t[j] - a.point[j] - point_b[j]);
            let gap = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
            let tau: [f64; 3] = std::array::from_fn(|j| w[j] - gap * n[j]);
            let steepness = (tau[0] * tau[0] + tau[1] * tau[1] + tau[2] * tau[2]).sqrt();
            // B's form in its own frame, turned.
            let h =
                add(form(self.radii_a.to_array(), &a), turn(form(self.radii_b.to_array(), &b), [c, d, e]));
            let trace = h[0] + h[1] + h[2];
            let minors = h[0] * h[1] + h[0] * h[2] + h[1] * h[2] - h[3] * h[3] - h[4] * h[4] - h[5] * h[5];
            let half = 0.5 * trace;
            let low = half - (half * half - minors).max(0.0).sqrt() - 1e-12 * trace;
            let mu = low.max(0.0) * (1.0 - 0.25 * r * r) + gap;
            let reach = if mu * r > steepness { steepness / mu } else { r };
            cells.radius[i] = r;
            cells.gap[i] = gap;
            cells.bound[i] = gap + steepness * reach - 0.5 * mu * reach * reach + self.slack;
        }
    }
}

/// An ellipsoid along a direction in its own frame.
#[derive(Clone, Copy)]
struct Seen {
    point: [f64; 3],
    /// The part of the second derivative that a minorant keeps, over |Dn|.
    weight: f64,
}

#[inline(always)]
fn seen(radii: [f64; 3], n: [f64; 3], r: f64) -> Seen {
    let s: [f64; 3] = std::array::from_fn(|j| radii[j] * n[j]);
    let norm = (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]).sqrt();
    let inverse = 1.0 / norm.max(f64::MIN_POSITIVE);
    let point: [f64; 3] = std::array::from_fn(|j| radii[j] * s[j] * inverse);
    let squared = point[0] * point[0] + point[1] * point[1] + point[2] * point[2];
    // See `Bend::kept`; there norm·trace is |D|² − |point|².
    let fall = squared.sqrt() * r;
    let low = norm - fall;
    let spread = radii[0] * radii[0] + radii[1] * radii[1] + radii[2] * radii[2] - squared;
    let quartic = spread * r * r / (4.0 * low * low);
    let kept = (norm / (norm + fall + f64::MIN_POSITIVE) * (1.0 - quartic) * (1.0 - 1e-14)).max(0.0);
    Seen { point, weight: if low > 0.0 { kept * inverse } else { 0.0 } }
}

/// weight·(D² − ppᵀ) as xx, yy, zz, xy, xz, yz.
#[inline(always)]
fn form(radii: [f64; 3], seen: &Seen) -> [f64; 6] {
    let (p, k) = (seen.point, seen.weight);
    [
        k * (radii[0] * radii[0] - p[0] * p[0]),
        k * (radii[1] * radii[1] - p[1] * p[1]),
        k * (radii[2] * radii[2] - p[2] * p[2]),
        -k * p[0] * p[1],
        -k * p[0] * p[2],
        -k * p[1] * p[2],
    ]
}

#[inline(always)]
fn add(a: [f64; 6], b: [f64; 6]) -> [f64; 6] {
    std::array::from_fn(|j| a[j] + b[j])
}

/// R·h·Rᵀ for R with columns c.
#[inline(always)]
fn turn(h: [f64; 6], c: [[f64; 3]; 3]) -> [f64; 6] {
    let column = |i: usize, j: usize| match (i, j) {
        (0, 0) => h[0],
        (1, 1) => h[1],
        (2, 2) => h[2],
        (0, 1) | (1, 0) => h[3],
        (0, 2) | (2, 0) => h[4],
        _ => h[5],
    };
    // half[i][j] = (R·h)[i][j]
    let half: [[f64; 3]; 3] = std::array::from_fn(|i| {
        std::array::from_fn(|j| c[0][i] * column(0, j) + c[1][i] * column(1, j) + c[2][i] * column(2, j))
    });
    let entry = |i: usize, j: usize| half[i][0] * c[0][j] + half[i][1] * c[1][j] + half[i][2] * c[2][j];
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}
