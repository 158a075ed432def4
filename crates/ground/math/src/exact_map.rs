//! The map from B's frame to A's in exact numbers.

use crate::turn_matrix::quarter_turns;
use crate::{Chain, DMat3, DQuat, DVec3, Dyadic, Pose};

/// A point (x, y, z)/w with w > 0, exact.
pub type Homogeneous = [Dyadic; 4];

/// x ↦ (rows·x + shift)/weight, exact; rows/weight is a rotation, the weight positive.
#[derive(Clone, Debug)]
pub struct ExactMap {
    /// The rotation times the weight.
    pub rows: [[Dyadic; 3]; 3],
    /// The image of the origin times the weight.
    pub shift: [Dyadic; 3],
    /// What all is divided by.
    pub weight: Dyadic,
}

/// The exact value of a double; 0 for NaN and infinities, which no mesh and no pose holds.
pub(crate) fn exact(value: f64) -> Dyadic {
    Dyadic::new(value).unwrap_or(Dyadic::ZERO)
}

/// A point with weight 1.
pub fn exact_point(x: DVec3) -> Homogeneous {
    [exact(x.x), exact(x.y), exact(x.z), exact(1.0)]
}

/// Determinant of four rows, by 2×2 minors of the first two and of the last two; for points of weight 1 it is
/// (p−s)·((q−s)×(r−s)).
pub fn determinant(rows: [&Homogeneous; 4]) -> Dyadic {
    let minor = |i: usize, j: usize, r: &Homogeneous, s: &Homogeneous| &(&r[i] * &s[j]) - &(&r[j] * &s[i]);
    let mut sum = Dyadic::ZERO;
    for (i, j, k, l, odd) in [
        (0, 1, 2, 3, false),
        (0, 2, 1, 3, true),
        (0, 3, 1, 2, false),
        (1, 2, 0, 3, false),
        (1, 3, 0, 2, true),
        (2, 3, 0, 1, false),
    ] {
        let term = &minor(i, j, rows[0], rows[1]) * &minor(k, l, rows[2], rows[3]);
        sum = if odd { &sum - &term } else { &sum + &term };
    }
    sum
}

/// |q|²·R(q/|q|) as rows, and |q|²: quadratic forms.
fn scaled_rotation(q: &[Dyadic; 4]) -> ([[Dyadic; 3]; 3], Dyadic) {
    let [x, y, z, w] = q;
    let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
    let twice = |a: &Dyadic| a + a;
    let sum = |a: &Dyadic, b: &Dyadic, c: &Dyadic, d: &Dyadic| twice(&(&(a * b) + &(c * d)));
    let difference = |a: &Dyadic, b: &Dyadic, c: &Dyadic, d: &Dyadic| twice(&(&(a * b) - &(c * d)));
    // ww + a − b − c
    let diagonal = |a: &Dyadic, b: &Dyadic, c: &Dyadic| &(&ww + a) - &(b + c);
    let rows = [
        [diagonal(&xx, &yy, &zz), difference(x, y, w, z), sum(x, z, w, y)],
        [sum(x, y, w, z), diagonal(&yy, &xx, &zz), difference(y, z, w, x)],
        [difference(x, z, w, y), sum(y, z, w, x), diagonal(&zz, &xx, &yy)],
    ];
    (rows, &(&xx + &yy) + &(&zz + &ww))
}

/// Conjugate of `a` times `b`.
fn back_and_forth(a: &[Dyadic; 4], b: &[Dyadic; 4]) -> [Dyadic; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    let four = |p: Dyadic, q: Dyadic, r: Dyadic, s: Dyadic| &(&p + &q) - &(&r + &s);
    [
        four(aw * bx, az * by, ax * bw, ay * bz),
        four(aw * by, ax * bz, ay * bw, az * bx),
        four(aw * bz, ay * bx, ax * by, az * bw),
        &(&(aw * bw) + &(ax * bx)) + &(&(ay * by) + &(az * bz)),
    ]
}

/// Σ aᵢ·bᵢ
fn dot(a: [&Dyadic; 3], b: &[Dyadic; 3]) -> Dyadic {
    &(&(a[0] * &b[0]) + &(a[1] * &b[1])) + &(a[2] * &b[2])
}

/// The transpose of a matrix times a vector.
fn turned_back(rows: &[[Dyadic; 3]; 3], v: &[Dyadic; 3]) -> [Dyadic; 3] {
    std::array::from_fn(|i| dot([&rows[0][i], &rows[1][i], &rows[2][i]], v))
}

/// The row of a matrix that a unit vector along an axis picks, with its sign.
fn along(axis: DVec3, rows: &[[Dyadic; 3]; 3]) -> [Dyadic; 3] {
    let picked = (0..3).find(|&k| axis[k] != 0.0).unwrap_or(0);
    rows[picked].each_ref().map(|entry| if axis[picked] < 0.0 { -entry.clone() } else { entry.clone() })
}

fn rows_of(matrix: DMat3) -> [[Dyadic; 3]; 3] {
    [0, 1, 2].map(|i| matrix.row(i).to_array().map(exact))
}

impl ExactMap {
    /// From the quaternions a, b as given. With p = conjugate of a times b the rotation is M(p)/|p|², the shift
    /// M(a)ᵀ·d/|a|², and |p|² = |a|²|b|² is the common weight.
    pub(crate) fn new(pose_a: &Pose, pose_b: &Pose) -> ExactMap {
        let (t_a, t_b) = (pose_a.translation().to_array(), pose_b.translation().to_array());
        let offset: [Dyadic; 3] = std::array::from_fn(|i| &exact(t_b[i]) - &exact(t_a[i]));
        let (q_a, q_b) = (pose_a.given_rotation(), pose_b.given_rotation());
        if let (Some(axes_a), Some(axes_b)) = (quarter_turns(q_a), quarter_turns(q_b)) {
            // Small numbers where they suffice.
            let back = rows_of(axes_a.transpose());
            let shift = back.map(|row| dot([&row[0], &row[1], &row[2]], &offset));
            return ExactMap { rows: rows_of(axes_a.transpose() * axes_b), shift, weight: exact(1.0) };
        }
        let of = |q: DQuat| q.to_array().map(exact);
        if q_a == q_b || q_a == -q_b {
            // Turned alike: no turn between them.
            let (m, weight) = scaled_rotation(&of(q_a));
            let rows = rows_of(DMat3::IDENTITY).map(|row| row.map(|entry| &entry * &weight));
            return ExactMap { rows, shift: turned_back(&m, &offset), weight };
        }
        if let Some(axes) = quarter_turns(q_a) {
            let (m, weight) = scaled_rotation(&of(q_b));
            let rows = [0, 1, 2].map(|i| along(axes.col(i), &m));
            let shift = turned_back(&rows_of(axes), &offset).map(|x| &x * &weight);
            return ExactMap { rows, shift, weight };
        }
        let (a, b) = (of(q_a), of(q_b));
        let (m, weight_a) = scaled_rotation(&a);
        if let Some(axes) = quarter_turns(q_b) {
            let columns = [0, 1, 2].map(|j| along(axes.col(j), &m));
            let rows = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i].clone()));
            return ExactMap { rows, shift: turned_back(&m, &offset), weight: weight_a };
        }
        let (rows, weight) = scaled_rotation(&back_and_forth(&a, &b));
        let (_, weight_b) = scaled_rotation(&b);
        let shift = turned_back(&m, &offset).map(|x| &x * &weight_b);
        ExactMap { rows, shift, weight }
    }

    /// Between the frames of two chains of poses.
    pub(crate) fn between_chains(a: &Chain, b: &Chain) -> ExactMap {
        ExactMap::of_chain(a).inverse().after(&ExactMap::of_chain(b))
    }

    /// All poses of a chain as one. Neighbours are multiplied first, so that long numbers meet long ones.
    fn of_chain(chain: &Chain) -> ExactMap {
        let mut maps: Vec<ExactMap> = chain.poses().map(ExactMap::of_pose).collect();
        while maps.len() > 1 {
            maps = maps
                .chunks(2)
                .map(|two| two.get(1).map_or_else(|| two[0].clone(), |inner| two[0].after(inner)))
                .collect();
        }
        maps.pop().unwrap_or_else(|| ExactMap::of_pose(&Pose::IDENTITY))
    }

    /// x ↦ R(q/|q|)·x + t
    fn of_pose(pose: &Pose) -> ExactMap {
        let t = pose.translation().to_array().map(exact);
        if let Some(axes) = quarter_turns(pose.given_rotation()) {
            return ExactMap { rows: rows_of(axes), shift: t, weight: exact(1.0) };
        }
        let (rows, weight) = scaled_rotation(&pose.given_rotation().to_array().map(exact));
        let shift = t.map(|c| &c * &weight);
        ExactMap { rows, shift, weight }
    }

    /// x ↦ self(inner(x)): with rows A, B, shifts s, t and weights v, w it is (AB·x + A·t + s·w)/(vw).
    fn after(&self, inner: &ExactMap) -> ExactMap {
        let column = |j: usize| std::array::from_fn(|k| inner.rows[k][j].clone());
        let columns: [[Dyadic; 3]; 3] = std::array::from_fn(column);
        let row = |i: usize| [&self.rows[i][0], &self.rows[i][1], &self.rows[i][2]];
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| dot(row(i), &columns[j])));
        let shift = std::array::from_fn(|i| &dot(row(i), &inner.shift) + &(&self.shift[i] * &inner.weight));
        ExactMap { rows, shift, weight: &self.weight * &inner.weight }
    }

    /// The map back: A = w·R is w times a rotation, so y = (A·x + s)/w gives x = Aᵀ(w·y − s)/w².
    fn inverse(&self) -> ExactMap {
        let w = &self.weight;
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| &self.rows[j][i] * w));
        let shift = std::array::from_fn(|i| {
            -dot([&self.rows[0][i], &self.rows[1][i], &self.rows[2][i]], &self.shift)
        });
        ExactMap { rows, shift, weight: w * w }
    }

    /// The exact image of a point.
    pub(crate) fn apply(&self, x: DVec3) -> Homogeneous {
        let x = x.to_array().map(exact);
        let place = |i: usize| {
            let row = &self.rows[i];
            &dot([&row[0], &row[1], &row[2]], &x) + &self.shift[i]
        };
        [place(0), place(1), place(2), self.weight.clone()]
    }
}
