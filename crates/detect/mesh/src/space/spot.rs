//! Points in the common frame of two bodies: close by in doubles, exact when asked.

use crate::face::Between;
use crate::mesh::Mesh;
use kontakt_answers::Side;
pub(crate) use kontakt_math::exact_map::Homogeneous;
use kontakt_math::exact_map::determinant;
use kontakt_math::predicates::{certain_side, certain_volume, orient2d, orient3d};
use kontakt_math::round::length_up;
use kontakt_math::{DVec2, DVec3, Dyadic, Interval, IntervalVector, Sign};
use kontakt_schedule::{Deadline, Pacer};
use std::cell::{Cell, RefCell};

/// Two bodies in A's frame, and how long they may be looked at: once the deadline has passed all searches end at once, with
/// answers that mean nothing. Who asked looks at [`is_over`](Space::is_over) before any of them is used.
pub(crate) struct Space<'a> {
    pub(crate) between: Between,
    meshes: [&'a Mesh; 2],
    pacer: RefCell<Pacer>,
    over: Cell<bool>,
}

/// A point in A's frame.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// A box that contains it.
    pub(crate) near: IntervalVector,
    /// A point close by, and **never too small** a bound of its distance; 0 when it is the point.
    middle: DVec3,
    radius: f64,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// A point of A's frame, exact.
    OfA(DVec3),
    /// A point of B's frame, exact.
    OfB(DVec3),
    /// Constructed.
    Made(Box<Homogeneous>),
}

/// The exact value of a double.
pub(crate) fn exact(value: f64) -> Dyadic {
    Dyadic::new(value).unwrap_or(Dyadic::ZERO)
}

impl<'a> Space<'a> {
    pub(crate) fn new(between: Between, a: &'a Mesh, b: &'a Mesh) -> Space<'a> {
        Space {
            between,
            meshes: [a, b],
            pacer: RefCell::new(Deadline::NEVER.pacer()),
            over: Cell::new(false),
        }
    }

    /// The same, looked at until a deadline.
    pub(crate) fn until(self, deadline: Deadline) -> Space<'a> {
        Space { pacer: RefCell::new(deadline.pacer()), ..self }
    }

    /// One small step of a search; whether it may go on.
    #[inline]
    pub(crate) fn goes_on(&self) -> bool {
        if self.pacer.borrow_mut().tick().is_err() {
            self.over.set(true);
        }
        !self.over.get()
    }

    /// Whether a search was ended by the deadline.
    pub(crate) fn is_over(&self) -> bool {
        self.over.get()
    }

    pub(crate) fn mesh(&self, side: Side) -> &'a Mesh {
        match side {
            Side::A => self.meshes[0],
            Side::B => self.meshes[1],
        }
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, side: Side, face: u32) -> [Spot; 3] {
        self.mesh(side).faces().triangle_points(face as usize).map(|x| self.spot(side, x))
    }

    /// A point of a body's frame.
    pub(crate) fn spot(&self, side: Side, x: DVec3) -> Spot {
        match side {
            Side::A => {
                Spot { near: IntervalVector::point(x), middle: x, radius: 0.0, source: Source::OfA(x) }
            }
            Side::B => {
                let (place, error) = (self.between.b_in_a(x), self.between.error_at(x));
                let around = |c: f64| {
                    if error == 0.0 { Interval::point(c) } else { Interval::around(c, error) }
                };
                let near = IntervalVector::new(around(place.x), around(place.y), around(place.z));
                Spot { near, middle: place, radius: error, source: Source::OfB(x) }
            }
        }
    }

    /// A point of A's frame in B's, rounded, and a bound of the error that is **never too small**; `None` beyond doubles.
    ///
    /// Proof. The map is an isometry, so the error is the distance of the point mapped forth again from where it should be.
    pub(crate) fn to_b(&self, x: DVec3) -> Option<(DVec3, f64)> {
        let back = self.between.turn().transpose() * (x - self.between.shift());
        let apart = length_up(self.between.b_in_a(back) - x) * (1.0 + 4.0 * f64::EPSILON);
        let error = (apart + self.between.error_at(back)) * (1.0 + 4.0 * f64::EPSILON);
        (back.is_finite() && error.is_finite()).then_some((back, error))
    }

    pub(crate) fn exact(&self, spot: &Spot) -> Homogeneous {
        match &spot.source {
            Source::OfA(x) => [exact(x.x), exact(x.y), exact(x.z), exact(1.0)],
            Source::OfB(x) => self.between.exact_b(*x),
            Source::Made(place) => place.as_ref().clone(),
        }
    }

    /// Exact sign of (p−s)·((q−s)×(r−s)).
    ///
    /// Filter: the exact points are within the largest radius of the middles; one that is infinite or NaN makes nothing certain.
    pub(crate) fn orient(&self, p: &Spot, q: &Spot, r: &Spot, s: &Spot) -> Sign {
        let radius = p.radius.max(q.radius).max(r.radius).max(s.radius)
            + 0.0 * (p.radius + q.radius + r.radius + s.radius);
        if radius == 0.0 {
            return orient3d(p.middle, q.middle, r.middle, s.middle);
        }
        certain_side(p.middle, q.middle, r.middle, s.middle, radius).unwrap_or_else(|| {
            let rows = [p, q, r, s].map(|spot| self.exact(spot));
            determinant([&rows[0], &rows[1], &rows[2], &rows[3]]).sign()
        })
    }

    /// Exact sign of direction·((a−o)×(b−o)).
    ///
    /// Filter: the direction is exact, the two edges change by at most 2r, so the determinant by at most
    /// |d|(2r|e₁| + 2r|e₂| + 4r²) ≤ 4r|d|(E + r); 5 covers rounding.
    pub(crate) fn line_side(&self, direction: DVec3, o: &Spot, a: &Spot, b: &Spot) -> Sign {
        let radius = o.radius.max(a.radius).max(b.radius) + 0.0 * (o.radius + a.radius + b.radius);
        let edges = [a.middle - o.middle, b.middle - o.middle];
        let reach = edges[0].abs().element_sum().max(edges[1].abs().element_sum()) + radius;
        let moved = 5.0 * radius * reach * direction.abs().element_sum();
        certain_volume([direction, edges[0], edges[1]], moved).unwrap_or_else(|| {
            let row = [exact(direction.x), exact(direction.y), exact(direction.z), Dyadic::ZERO];
            let rows = [a, b, o].map(|spot| self.exact(spot));
            determinant([&row, &rows[0], &rows[1], &rows[2]]).sign()
        })
    }

    /// Exact turn of three points seen along `axis`: positive when counter-clockwise in the plane of the next two axes.
    ///
    /// Filter: as in `predicates::orient2d`; the edges change by at most 2r, the determinant by at most
    /// 4r·E + 4r² ≤ 4r(E + r); 5 covers rounding.
    pub(crate) fn turn(&self, axis: usize, p: &Spot, q: &Spot, r: &Spot) -> Sign {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let radius = p.radius.max(q.radius).max(r.radius) + 0.0 * (p.radius + q.radius + r.radius);
        let [p2, q2, r2] = [p, q, r].map(|spot| DVec2::new(spot.middle[i], spot.middle[j]));
        if radius == 0.0 {
            return orient2d(p2, q2, r2);
        }
        let (a, b) = (p2 - r2, q2 - r2);
        let (left, right) = (a.x * b.y, a.y * b.x);
        let reach = a.abs().element_sum().max(b.abs().element_sum()) + radius;
        let error =
            (left.abs() + right.abs()) * (2.0 * f64::EPSILON) + 5.0 * radius * reach + f64::MIN_POSITIVE;
        if left - right > error {
            Sign::Positive
        } else if right - left > error {
            Sign::Negative
        } else {
            self.turn_value(axis, p, q, r).sign()
        }
    }

    /// The turn as a number, times the weights of the three points.
    pub(crate) fn turn_value(&self, axis: usize, p: &Spot, q: &Spot, r: &Spot) -> Dyadic {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let [p, q, r] = [p, q, r].map(|spot| self.exact(spot));
        let minor = |s: &Homogeneous, t: &Homogeneous| &(&s[i] * &t[j]) - &(&s[j] * &t[i]);
        let sum = &(&minor(&p, &q) * &r[3]) + &(&minor(&q, &r) * &p[3]);
        &sum + &(&minor(&r, &p) * &q[3])
    }

    /// Exact order of two points along an axis.
    pub(crate) fn compare(&self, axis: usize, p: &Spot, q: &Spot) -> std::cmp::Ordering {
        use std::cmp::Ordering;
        let (a, b) = (p.along(axis), q.along(axis));
        if a.hi() < b.lo() {
            return Ordering::Less;
        }
        if a.lo() > b.hi() {
            return Ordering::Greater;
        }
        if a.lo() == a.hi() && b.lo() == b.hi() {
            return Ordering::Equal;
        }
        let [p, q] = [p, q].map(|spot| self.exact(spot));
        (&p[axis] * &q[3]).cmp(&(&q[axis] * &p[3]))
    }
}

impl Spot {
    /// From exact coordinates with a weight that is not zero.
    pub(crate) fn made(place: Homogeneous) -> Spot {
        let [x, y, z, w] = place;
        let place = if w.sign() == Sign::Negative { [-x, -y, -z, -w] } else { [x, y, z, w] };
        let weight = place[3].enclosure();
        let near = [0, 1, 2]
            .map(|k: usize| if place[k].is_zero() { Interval::ZERO } else { place[k].enclosure() / weight });
        let near = IntervalVector::new(near[0], near[1], near[2]);
        let middle = near.middle();
        Spot { near, middle, radius: near.farthest_from(middle), source: Source::Made(Box::new(place)) }
    }

    /// The range of a coordinate.
    pub(crate) fn along(&self, axis: usize) -> Interval {
        match axis {
            0 => self.near.x,
            1 => self.near.y,
            _ => self.near.z,
        }
    }

    /// A point close by, and **never too small** a bound of its distance.
    pub(crate) fn rounded(&self) -> (DVec3, f64) {
        (self.middle, self.radius)
    }
}

/// The plane through three points: `plane`·x has the sign of `orient(p, q, r, x)`.
pub(crate) fn plane_through(p: &Homogeneous, q: &Homogeneous, r: &Homogeneous) -> Homogeneous {
    std::array::from_fn(|j| {
        // Cofactor of the last row's entry j: (−1)^(3+j) times the minor without column j.
        let columns: Vec<usize> = (0..4).filter(|&c| c != j).collect();
        let [a, b, c] = [columns[0], columns[1], columns[2]];
        let minor = |i: usize, k: usize| &(&q[i] * &r[k]) - &(&q[k] * &r[i]);
        let value = &(&(&p[a] * &minor(b, c)) + &(&p[b] * &minor(c, a))) + &(&p[c] * &minor(a, b));
        if j % 2 == 0 { -value } else { value }
    })
}

/// Σ plane·x
pub(crate) fn height(plane: &Homogeneous, x: &Homogeneous) -> Dyadic {
    let half = &(&plane[0] * &x[0]) + &(&plane[1] * &x[1]);
    &half + &(&(&plane[2] * &x[2]) + &(&plane[3] * &x[3]))
}

/// Where the line through two points that are not at the same height meets a plane: h(q)·p − h(p)·q.
pub(crate) fn crossing(plane: &Homogeneous, p: &Homogeneous, q: &Homogeneous) -> Spot {
    let (from, to) = (height(plane, p), height(plane, q));
    Spot::made(std::array::from_fn(|i| &(&to * &p[i]) - &(&from * &q[i])))
}
