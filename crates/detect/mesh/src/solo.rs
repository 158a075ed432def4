//! Walking one packed tree: along a ray, into a box, towards a point. All walks are conservative: they visit every slot
//! that could matter and some that do not.

use kontakt_hierarchy::packed::{Child, WIDTH};
use kontakt_hierarchy::{Packed, WideNode};
use kontakt_math::DVec3;

/// Beyond this many packed units double precision is too coarse to cull by; everything is visited then.
const FAR: f64 = 1e9;

/// A packed tree with its scale at hand.
#[derive(Clone, Copy)]
pub(crate) struct Solo<'a> {
    tree: &'a Packed,
    factors: [f64; 2],
}

/// A ray in packed coordinates: the points `origin` + t·`direction`, 0 ≤ t ≤ `end`, thickened by `slack`.
struct PackedRay {
    origin: DVec3,
    direction: DVec3,
    end: f64,
    slack: f64,
}

impl<'a> Solo<'a> {
    pub(crate) fn new(tree: &'a Packed) -> Solo<'a> {
        let exponent = -tree.exponent();
        let first = exponent / 2;
        Solo { tree, factors: [first, exponent - first].map(|e| f64::powi(2.0, e)) }
    }

    /// Packed coordinates, to nearest; not finite for points too far away.
    pub(crate) fn to_packed(self, x: DVec3) -> DVec3 {
        (x - self.tree.origin()) * self.factors[0] * self.factors[1]
    }

    /// A length in packed units, to nearest.
    pub(crate) fn length_to_packed(self, length: f64) -> f64 {
        length * self.factors[0] * self.factors[1]
    }

    /// Visits every slot that may have a point within `slack` (body units) of the ray from `origin` along `direction`
    /// (body's frame, not zero) up to parameter `end`, until `visit` answers false. `end` counts in the largest coordinate of the
    /// direction, so that it is in the range of doubles whatever the direction's length.
    ///
    /// Proof. In packed coordinates the ray's points have size at most s = |origin| + 4 while they are near the tree, and
    /// each of the few roundings on the way (packing, turning into the node's axes, dividing by the direction) displaces
    /// the computed from the exact position by less than 8·2⁻⁵³·s. 2⁻⁴⁰·s covers them all many times over.
    pub(crate) fn along_ray(
        self,
        origin: DVec3,
        direction: DVec3,
        end: f64,
        slack: f64,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        let packed = self.to_packed(origin);
        let size = packed.abs().max_element() + 4.0;
        let largest = direction.abs().max_element();
        let unit = direction / largest;
        let slack = self.length_to_packed(slack) + size * f64::powi(2.0, -40);
        // NaN must count as far.
        let near = size < FAR && slack < FAR && unit.is_finite();
        if !near {
            (0..self.tree.order().len() as u32).all(visit);
            return;
        }
        let end = self.length_to_packed(end);
        let end = if end.is_nan() { f64::INFINITY } else { end * (1.0 + 1e-12) + slack };
        let ray = PackedRay { origin: packed, direction: unit, end, slack };
        let mut stack = vec![0_u32];
        while let Some(index) = stack.pop() {
            let Some(node) = self.tree.nodes().get(index as usize) else { continue };
            let axes = Axes::of(node);
            let (from, along) = (axes.point(ray.origin), axes.turn(ray.direction));
            for lane in (0..WIDTH).rev() {
                if !ray.meets(node, lane, from, along) {
                    continue;
                }
                match Child::decode(node.child[lane]) {
                    Child::Inner(child) => stack.push(child),
                    Child::Leaf { first, count } => {
                        if !(first..first + count).all(&mut visit) {
                            return;
                        }
                    }
                    Child::Empty => {}
                }
            }
        }
    }

    /// Visits every slot that may have a point in the box `low`..`high` of the body's frame.
    ///
    /// Proof. A point of both boxes has the coordinate y = axes·(p − origin) in the lane's range and, since it lies within
    /// `half` of the box's middle, within Σ|axes|·half of the middle's coordinate. Roundings as in `along_ray`.
    pub(crate) fn in_box(self, low: DVec3, high: DVec3, visit: impl FnMut(u32)) {
        self.in_box_but(low, high, |_| false, visit);
    }

    /// The same without the nodes that `skip` names.
    pub(crate) fn in_box_but(
        self,
        low: DVec3,
        high: DVec3,
        skip: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32),
    ) {
        if skip(0) {
            return;
        }
        let (a, b) = (self.to_packed(low), self.to_packed(high));
        let size = a.abs().max(b.abs()).max_element() + 4.0;
        if !(size.is_finite() && size < FAR) {
            (0..self.tree.order().len() as u32).for_each(visit);
            return;
        }
        let slack = size * f64::powi(2.0, -40);
        let (middle, half) = ((a + b) * 0.5, (b - a) * 0.5 + DVec3::splat(slack));
        let mut stack = vec![0_u32];
        while let Some(index) = stack.pop() {
            let Some(node) = self.tree.nodes().get(index as usize) else { continue };
            let axes = Axes::of(node);
            let (centre, reach) = (axes.point(middle), axes.reach(half));
            for lane in (0..WIDTH).rev() {
                let apart = |k: usize| {
                    (centre[k] - f64::from(node.centre[k][lane])).abs()
                        > f64::from(node.half[k][lane]) + reach[k] + slack
                };
                if (0..3).any(apart) {
                    continue;
                }
                match Child::decode(node.child[lane]) {
                    Child::Inner(child) if skip(child) => {}
                    Child::Inner(child) => stack.push(child),
                    Child::Leaf { first, count } => (first..first + count).for_each(&mut visit),
                    Child::Empty => {}
                }
            }
        }
    }

    /// Visits slots towards `point` (body's frame), nearest boxes first. `visit` answers the least distance known so far
    /// (body units, never too small); boxes that are certainly farther are skipped.
    ///
    /// Proof. The distance of p from a lane's box is at least |excess of y over the box| / ‖axes‖, and rows orthonormal up
    /// to 2⁻²⁰ an entry give ‖axes‖ ≤ 1 + 2⁻¹⁸; roundings as in `along_ray`.
    pub(crate) fn towards(self, point: DVec3, mut visit: impl FnMut(u32) -> f64) {
        let packed = self.to_packed(point);
        let size = packed.abs().max_element() + 4.0;
        if !(size.is_finite() && size < FAR) {
            (0..self.tree.order().len() as u32).for_each(|slot| {
                visit(slot);
            });
            return;
        }
        let slack = size * f64::powi(2.0, -40);
        let mut limit = f64::INFINITY;
        let mut stack = vec![(0.0_f64, Child::Inner(0))];
        while let Some((gap, child)) = stack.pop() {
            if gap > limit {
                continue;
            }
            match child {
                Child::Inner(index) => {
                    let Some(node) = self.tree.nodes().get(index as usize) else { continue };
                    let place = stack.len();
                    let y = Axes::of(node).point(packed);
                    for lane in 0..WIDTH {
                        let child = Child::decode(node.child[lane]);
                        if child == Child::Empty {
                            continue;
                        }
                        let gap = (gap_to(node, lane, y) * (1.0 - f64::powi(2.0, -17)) - slack).max(0.0);
                        if gap <= limit {
                            stack.push((gap, child));
                        }
                    }
                    stack[place..].sort_by(|a, b| b.0.total_cmp(&a.0));
                }
                Child::Leaf { first, count } => {
                    for slot in first..first + count {
                        let known = self.length_to_packed(visit(slot));
                        limit = limit.min(known * (1.0 + 1e-12) + slack);
                    }
                }
                Child::Empty => {}
            }
        }
    }
}

impl PackedRay {
    /// Whether the thickened ray may meet the box of a lane: the parameters at which it is between each pair of sides
    /// must have a common one.
    fn meets(&self, node: &WideNode, lane: usize, from: DVec3, along: DVec3) -> bool {
        let (mut enter, mut leave) = (0.0_f64, self.end);
        for k in 0..3 {
            if node.half[k][lane] < 0.0 {
                return false;
            }
            let half = f64::from(node.half[k][lane]) + self.slack;
            let offset = f64::from(node.centre[k][lane]) - from[k];
            if along[k] == 0.0 {
                if offset.abs() > half {
                    return false;
                }
                continue;
            }
            let (near, far) = ((offset - half) / along[k], (offset + half) / along[k]);
            enter = enter.max(near.min(far));
            leave = leave.min(near.max(far));
        }
        enter <= leave
    }
}

/// Distance of the packed point with coordinates `y` from the box of a lane, in the node's axes.
fn gap_to(node: &WideNode, lane: usize, y: DVec3) -> f64 {
    let excess = |k: usize| {
        let d = (y[k] - f64::from(node.centre[k][lane])).abs() - f64::from(node.half[k][lane]);
        d.max(0.0)
    };
    DVec3::new(excess(0), excess(1), excess(2)).length()
}

/// A node's axes in double precision.
struct Axes {
    rows: [DVec3; 3],
    origin: DVec3,
}

impl Axes {
    fn of(node: &WideNode) -> Axes {
        let vector = |v: [f32; 3]| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
        Axes { rows: node.axes.map(vector), origin: vector(node.origin) }
    }

    fn turn(&self, d: DVec3) -> DVec3 {
        DVec3::new(self.rows[0].dot(d), self.rows[1].dot(d), self.rows[2].dot(d))
    }

    fn point(&self, p: DVec3) -> DVec3 {
        self.turn(p - self.origin)
    }

    /// How far a box of half extents `half` reaches along each axis.
    fn reach(&self, half: DVec3) -> DVec3 {
        DVec3::new(self.rows[0].abs().dot(half), self.rows[1].abs().dot(half), self.rows[2].abs().dot(half))
    }
}
