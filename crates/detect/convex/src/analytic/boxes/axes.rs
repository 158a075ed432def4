//! Gaps of two boxes along their fifteen axes, four at a time, of which the last is idle.

use super::Boxes;
use kontakt_math::DVec3;

/// What the gaps are made of: columns and rows of the turn, the sizes of the rows' entries, half extents, and B's centre.
pub(super) struct Axes {
    columns: [[f64; 4]; 3],
    rows: [[f64; 4]; 3],
    sizes: [[f64; 4]; 3],
    a: [f64; 4],
    b: [f64; 4],
    t: [f64; 4],
}

impl Axes {
    #[inline(always)]
    pub(super) fn of(boxes: &Boxes) -> Axes {
        let columns = [lanes(boxes.turn.x_axis), lanes(boxes.turn.y_axis), lanes(boxes.turn.z_axis)];
        let row = |k: usize| [columns[0][k], columns[1][k], columns[2][k], 0.0];
        let rows = [row(0), row(1), row(2)];
        let sizes = rows.map(|row| four(|lane| row[lane].abs()));
        Axes { columns, rows, sizes, a: lanes(boxes.a), b: lanes(boxes.b), t: lanes(boxes.shift) }
    }

    /// Along the face normals of A, and of B.
    #[inline(always)]
    pub(super) fn faces(&self) -> [[f64; 4]; 2] {
        let Axes { columns, rows, sizes, a, b, t } = self;
        let of_a = |k: usize| {
            let reach = columns[0][k].abs() * b[0] + columns[1][k].abs() * b[1] + columns[2][k].abs() * b[2];
            t[k].abs() - a[k] - reach
        };
        let of_b = |j: usize| {
            let reach = sizes[0][j] * a[0] + sizes[1][j] * a[1] + sizes[2][j] * a[2];
            let middle = rows[0][j] * t[0] + rows[1][j] * t[1] + rows[2][j] * t[2];
            middle.abs() - b[j] - reach
        };
        [four(of_a), four(of_b)]
    }

    /// The gaps across the edge of A along axis i and the edges of B, times the lengths of their cross products, and the squares of
    /// these lengths.
    ///
    /// With k and l after i, the cross product of axis i and column j has the entries −`r_l` at k and `r_k` at l; those with columns m
    /// and n, which follow j, are the entries of row i at n and m up to signs.
    #[inline(always)]
    pub(super) fn edges(&self, i: usize) -> ([f64; 4], [f64; 4]) {
        let Axes { rows, sizes, a, b, t, .. } = self;
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        let (b_m, b_n) = (turned(*b), turned(turned(*b)));
        let (size_m, size_n) = (turned(sizes[i]), turned(turned(sizes[i])));
        let gaps = four(|j| {
            let reach = a[k] * sizes[l][j] + a[l] * sizes[k][j] + b_m[j] * size_n[j] + b_n[j] * size_m[j];
            (t[l] * rows[k][j] - t[k] * rows[l][j]).abs() - reach
        });
        (gaps, four(|j| rows[k][j] * rows[k][j] + rows[l][j] * rows[l][j]))
    }
}

/// Three coordinates and an idle lane.
#[inline(always)]
fn lanes(v: DVec3) -> [f64; 4] {
    [v.x, v.y, v.z, 0.0]
}

#[inline(always)]
pub(super) fn four<T>(value: impl Fn(usize) -> T) -> [T; 4] {
    [value(0), value(1), value(2), value(3)]
}

/// Each of three coordinates in the place of the one before.
#[inline(always)]
fn turned([x, y, z, _]: [f64; 4]) -> [f64; 4] {
    [y, z, x, 0.0]
}
