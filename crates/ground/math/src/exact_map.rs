//! The map from B's frame to A's in exact numbers.

use crate::exact_number::{Exact, Span};
use crate::exact_vector::exact;
use crate::turn_matrix::quarter_turns;
use crate::{Chain, DMat3, DQuat, DVec3, Dyadic, Pose};

/// A point (x, y, z)/w with w > 0, exact.
pub type Homogeneous = [Dyadic; 4];

/// x ↦ (rows·x + shift)/weight, exact; rows/weight is a rotation, the weight positive.
#[derive(Clone, Debug)]
pub struct ExactMap<N = Dyadic> {
    /// The rotation times the weight.
    pub rows: [[N; 3]; 3],
    /// The image of the origin times the weight.
    pub shift: [N; 3],
    /// What all is divided by.
    pub weight: N,
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
fn scaled_rotation<N: Exact>([x, y, z, w]: &[N; 4]) -> ([[N; 3]; 3], N) {
    let (xx, yy, zz, ww) = (x.times(x), y.times(y), z.times(z), w.times(w));
    let twice = |a: N| a.plus(&a);
    let sum = |a: &N, b: &N, c: &N, d: &N| twice(a.times(b).plus(&c.times(d)));
    let difference = |a: &N, b: &N, c: &N, d: &N| twice(a.times(b).minus(&c.times(d)));
    // ww + a − b − c
    let diagonal = |a: &N, b: &N, c: &N| ww.plus(a).minus(&b.plus(c));
    let rows = [
        [diagonal(&xx, &yy, &zz), difference(x, y, w, z), sum(x, z, w, y)],
        [sum(x, y, w, z), diagonal(&yy, &xx, &zz), difference(y, z, w, x)],
        [difference(x, z, w, y), sum(y, z, w, x), diagonal(&zz, &xx, &yy)],
    ];
    (rows, xx.plus(&yy).plus(&zz.plus(&ww)))
}

/// |q|²
fn square<N: Exact>([x, y, z, w]: &[N; 4]) -> N {
    x.times(x).plus(&y.times(y)).plus(&z.times(z).plus(&w.times(w)))
}

/// Conjugate of `a` times `b`.
fn back_and_forth<N: Exact>([ax, ay, az, aw]: &[N; 4], [bx, by, bz, bw]: &[N; 4]) -> [N; 4] {
    let four = |p: N, q: N, r: N, s: N| p.plus(&q).minus(&r.plus(&s));
    [
        four(aw.times(bx), az.times(by), ax.times(bw), ay.times(bz)),
        four(aw.times(by), ax.times(bz), ay.times(bw), az.times(bx)),
        four(aw.times(bz), ay.times(bx), ax.times(by), az.times(bw)),
        aw.times(bw).plus(&ax.times(bx)).plus(&ay.times(by).plus(&az.times(bz))),
    ]
}

/// Σ aᵢ·bᵢ
fn dot<N: Exact>(a: [&N; 3], b: &[N; 3]) -> N {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

/// The transpose of a matrix times a vector.
fn turned_back<N: Exact>(rows: &[[N; 3]; 3], v: &[N; 3]) -> [N; 3] {
    std::array::from_fn(|i| dot([&rows[0][i], &rows[1][i], &rows[2][i]], v))
}

/// The row of a matrix that a unit vector along an axis picks, with its sign.
fn along<N: Exact>(axis: DVec3, rows: &[[N; 3]; 3]) -> [N; 3] {
    let picked = (0..3).find(|&k| axis[k] != 0.0).unwrap_or(0);
    rows[picked].each_ref().map(|entry| if axis[picked] < 0.0 { entry.negated() } else { entry.clone() })
}

/// A matrix of entries 0, 1 and −1.
fn rows_of<N: Exact>(matrix: DMat3) -> [[N; 3]; 3] {
    [0, 1, 2].map(|i| matrix.row(i).to_array().map(|entry| N::whole(entry as i8)))
}

/// Which way the map between two poses is made.
#[derive(Clone, Copy, Debug)]
enum Turns {
    /// Both take axes to axes.
    Quarters(DMat3, DMat3),
    /// Turned alike: no turn between them.
    Alike,
    /// A's takes axes to axes.
    QuarterA(DMat3),
    /// B's does.
    QuarterB(DMat3),
    /// Any other ones.
    Any,
}

impl Turns {
    fn of(q_a: DQuat, q_b: DQuat) -> Turns {
        match (quarter_turns(q_a), quarter_turns(q_b)) {
            (Some(axes_a), Some(axes_b)) => Turns::Quarters(axes_a, axes_b),
            _ if q_a == q_b || q_a == -q_b => Turns::Alike,
            (Some(axes), _) => Turns::QuarterA(axes),
            (_, Some(axes)) => Turns::QuarterB(axes),
            _ => Turns::Any,
        }
    }
}

/// How two poses and some lengths become whole numbers, and how long numbers get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    turns: Turns,
    /// Of the quaternions.
    of_turns: [i32; 2],
    /// Of the translations and the other lengths.
    pub(crate) of_lengths: i32,
    /// **Never less** than the bits of a sum of up to four products of two entries of the map and one length, of which the entries of
    /// the shift have one.
    ///
    /// With components below 2ᵖ and 2ʳ the weight |a|²|b|² is below 2ᵗ, t = 2p + 2r + 4, and no entry of the rows is larger, nor are the
    /// parts of what they are summed from. With lengths below 2ˡ the difference of two translations is below 2ˡ⁺¹, three of
    /// them times entries below 2ᵗ⁺ˡ⁺³. Four of those times another entry are below 2²ᵗ⁺ˡ⁺⁵.
    pub(crate) bits: u32,
}

impl Units {
    pub(crate) fn of([pose_a, pose_b]: &[Pose; 2], lengths: &[f64]) -> Units {
        let (q_a, q_b) = (pose_a.given_rotation(), pose_b.given_rotation());
        let turns = Turns::of(q_a, q_b);
        let places = [pose_a.translation(), pose_b.translation()].map(|t| t.to_array());
        let reach = Span::of(places.into_iter().flatten().chain(lengths.iter().copied()));
        let none = Span { unit: 0, bits: 0 };
        let [a, b] = [q_a, q_b].map(|q| Span::of(q.to_array()));
        let [a, b] = match turns {
            Turns::Quarters(..) => [none, none],
            Turns::Alike | Turns::QuarterB(_) => [a, none],
            Turns::QuarterA(_) => [none, b],
            Turns::Any => [a, b],
        };
        let bits = 4 * (a.bits + b.bits) + 8 + reach.bits + 6;
        Units { turns, of_turns: [a.unit, b.unit], of_lengths: reach.unit, bits }
    }
}

impl<N: Exact> ExactMap<N> {
    /// From the quaternions a, b as given. With p = conjugate of a times b the rotation is M(p)/|p|², the shift
    /// M(a)ᵀ·d/|a|², and |p|² = |a|²|b|² is the common weight. Smaller numbers where they suffice.
    pub(crate) fn in_units([pose_a, pose_b]: &[Pose; 2], units: &Units) -> ExactMap<N> {
        let place = |pose: &Pose| pose.translation().to_array().map(|x| N::in_units(x, units.of_lengths));
        let (t_a, t_b) = (place(pose_a), place(pose_b));
        let offset: [N; 3] = std::array::from_fn(|i| t_b[i].minus(&t_a[i]));
        let turn = |pose: &Pose, unit: i32| pose.given_rotation().to_array().map(|x| N::in_units(x, unit));
        let a = || turn(pose_a, units.of_turns[0]);
        let b = || turn(pose_b, units.of_turns[1]);
        match units.turns {
            Turns::Quarters(axes_a, axes_b) => {
                let shift = turned_back(&rows_of(axes_a), &offset);
                ExactMap { rows: rows_of(axes_a.transpose() * axes_b), shift, weight: N::whole(1) }
            }
            Turns::Alike => {
                let (m, weight) = scaled_rotation(&a());
                let rows = rows_of(DMat3::IDENTITY)
                    .map(|row| row.map(|entry: N| if entry.is_nothing() { entry } else { weight.clone() }));
                ExactMap { rows, shift: turned_back(&m, &offset), weight }
            }
            Turns::QuarterA(axes) => {
                let (m, weight) = scaled_rotation(&b());
                let rows = [0, 1, 2].map(|i| along(axes.col(i), &m));
                let shift = turned_back(&rows_of(axes), &offset).map(|x| x.times(&weight));
                ExactMap { rows, shift, weight }
            }
            Turns::QuarterB(axes) => {
                let (m, weight) = scaled_rotation(&a());
                let columns = [0, 1, 2].map(|j| along(axes.col(j), &m));
                let rows = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i].clone()));
                ExactMap { rows, shift: turned_back(&m, &offset), weight }
            }
            Turns::Any => {
                let (a, b) = (a(), b());
                let (m, _) = scaled_rotation(&a);
                let (rows, weight) = scaled_rotation(&back_and_forth(&a, &b));
                let weight_b = square(&b);
                let shift = turned_back(&m, &offset).map(|x| x.times(&weight_b));
                ExactMap { rows, shift, weight }
            }
        }
    }
}

impl ExactMap {
    /// Of two poses.
    pub(crate) fn new(poses: &[Pose; 2]) -> ExactMap {
        ExactMap::in_units(poses, &Units::of(poses, &[]))
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
