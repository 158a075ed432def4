//! A convex set as a mesh sees it: bounds of how near boxes of the mesh's hierarchy can come to it.

use crate::mesh::PlacedMesh;
use kontakt_convex::{self as convex, Answer, ConvexQuery, Core, Leaf, Shape, Want};
use kontakt_hierarchy::packed::WIDTH;
use kontakt_hierarchy::{Packed, WideNode};
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{Between, Chain, DMat3, DVec3, Pose};

/// Beyond this many packed units nothing is culled.
const FAR: f64 = 1e5;
/// Rows of a node's axes are orthonormal to 2⁻²⁰ an entry: what that does to lengths, and to points within ±4, is less than this.
const SKEW: f32 = 1.0 / 65_536.0;

/// A direction that separates: the set is below the plane d·x = `reach` of the mesh's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) direction: DVec3,
    pub(super) reach: f64,
}

/// What is seen: a shape, or a leaf of a union with all poses on its way.
#[derive(Clone, Copy)]
enum Seen<'a> {
    Shape(&'a Shape),
    Leaf(&'a Leaf),
}

/// A convex set and the map from its frame to the mesh's.
pub(super) struct View<'a> {
    seen: Seen<'a>,
    pub(super) between: Between,
    tree: &'a Packed,
    /// Packed units per unit of length.
    unit: f64,
    /// A box around the set's core, in packed units: its middle relative to the tree's origin, its axes, its half extents, and the
    /// radius that grows it.
    middle: DVec3,
    axes: DMat3,
    half: DVec3,
    round: f64,
    /// The radius of a ball around the core, about the box's middle.
    ball: f64,
    /// How far numbers in packed units may be off, roundings of all kinds taken together; none where nothing can be culled.
    slack: Option<f64>,
    /// The plane of a half-space, which alone bounds it.
    wall: Option<Plane>,
    /// The same box in the set's frame: its middle and half extents, and what grows it.
    pub(super) own: DVec3,
    pub(super) extent: DVec3,
    pub(super) grown: f64,
    /// The largest of lengths that the map between the frames deals with, all together.
    pub(super) size: f64,
    /// The middle of the box in the mesh's frame.
    pub(super) centre: DVec3,
    /// How far it may be off; none where numbers are of no common size.
    pub(super) centre_error: Option<f64>,
}

/// Sizes whose squares and products are in the range of doubles.
const COMMON: std::ops::Range<f64> = 1e-60..1e60;

/// Calls `visit` with every convex set of a shape, as a mesh sees it, and its number.
pub(super) fn each_view(
    mesh: PlacedMesh,
    shape: convex::PlacedShape,
    mut visit: impl FnMut(u32, &View) -> bool,
) {
    if let Core::Union(_) = shape.shape.core() {
        let chain = Chain::new(mesh.pose);
        for (part, leaf) in shape.leaves().iter().enumerate() {
            let between = Between::of_chains(&chain, leaf.chain());
            if !visit(part as u32, &View::new(Seen::Leaf(leaf), between, mesh.mesh.tree())) {
                return;
            }
        }
        return;
    }
    let between = Between::new(mesh.pose, shape.pose);
    visit(0, &View::new(Seen::Shape(shape.shape), between, mesh.mesh.tree()));
}

/// The middle and half extents of a box around a core, in its own frame (of a hull, the box around its ball); infinite for half-spaces.
fn box_around(core: &Core) -> (DVec3, DVec3) {
    let of_points = |points: &[DVec3]| {
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        ((low + high) * 0.5, (high - low) * 0.5)
    };
    match core {
        Core::Point => (DVec3::ZERO, DVec3::ZERO),
        Core::Segment(ends) => of_points(ends),
        Core::Triangle(corners) => of_points(corners),
        Core::Hull(hull) => (hull.middle(), DVec3::splat(hull.balls()[1])),
        Core::Box(half) | Core::Ellipsoid(half) => (DVec3::ZERO, *half),
        &Core::Cylinder { half_length, radius } | &Core::Cone { half_length, radius } => {
            (DVec3::ZERO, DVec3::new(radius, radius, half_length))
        }
        Core::User(set) => {
            let corner = |sign: f64| {
                let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| set.support(axis * sign));
                DVec3::new(x.x, y.y, z.z)
            };
            let (middle, half) = of_points(&[corner(-1.0), corner(1.0)]);
            (middle, half + DVec3::splat(2.0 * set.support_error()))
        }
        Core::HalfSpace { .. } | Core::Union(_) => (DVec3::ZERO, DVec3::INFINITY),
    }
}

/// Half-spaces reach infinitely far but along their normal. With the exact normal n and the computed d, of length about 1, and all
/// points x of the mesh within `far` of the set's frame, |d·x − n·x| ≤ |d − n|·far.
fn wall_of(shape: &Shape, between: &Between, tree: &Packed) -> Option<Plane> {
    let &Core::HalfSpace { normal, offset } = shape.core() else { return None };
    let largest = normal.abs().max_element();
    let scaled = normal / largest;
    let (own, level) = (scaled.normalize(), offset / largest / scaled.length());
    let direction = between.turn() * own;
    let size = 1.7321 * 2.0_f64.powi(tree.exponent());
    let far = length_up(tree.origin()) + size + length_up(between.shift());
    let [round, margin] = shape.radii();
    let error = (between.turn_error() + 32.0 * f64::EPSILON) * (far + level.abs() + round + margin)
        + 2.0 * between.error_within(0.0);
    let reach = direction.dot(between.shift()) + level + round + margin + 2.0 * error;
    Some(Plane { direction, reach: add_up(reach, 8.0 * f64::EPSILON * reach.abs()) })
}

impl<'a> View<'a> {
    /// All roundings of the box are below 2⁻⁴⁸ of its size and place, in packed units, and its error there is that of `between`. What is
    /// computed with it in single precision is off by less than eight roundings: 2⁻²¹.
    fn new(seen: Seen<'a>, between: Between, tree: &'a Packed) -> View<'a> {
        let unit = 2.0_f64.powi(-tree.exponent());
        let shape = match seen {
            Seen::Shape(shape) => shape,
            Seen::Leaf(leaf) => leaf.shape(),
        };
        let [round, margin] = shape.radii();
        let round_and_margin = add_up(round, margin);
        let (own, core_half) = box_around(shape.core());
        let half = core_half;
        let middle = (between.b_in_a(own) - tree.origin()) * unit;
        let farthest = own.abs().element_sum() + half.element_sum();
        let error = between.error_within(farthest) * unit;
        let axes = between.turn();
        let ball = match shape.core() {
            Core::Hull(hull) => hull.balls()[1] * unit,
            _ => half.length() * unit * (1.0 + 1e-12),
        };
        let (half, round) = (half * unit, (round + margin) * unit);
        let place = (between.b_in_a(own).abs() + tree.origin().abs()).element_sum() * unit;
        // A plane far away is as coarse in single precision as a set far away.
        let plane = wall_of(shape, &between, tree);
        let extent = plane.map_or(half.element_sum(), |plane| plane.reach.abs() * unit);
        let size = place + extent + round + 4.0;
        let slack = size * 2.0_f64.powi(-21) + 4.0 * error;
        let near = size < FAR && unit.is_normal() && slack < 1.0;
        let slack = near.then_some(slack);
        let centre = between.b_in_a(own);
        let common =
            COMMON.contains(&(1.0 / unit)) && COMMON.contains(&(1.0 / unit + centre.abs().element_sum()));
        let centre_error = (near && common && plane.is_none()).then(|| between.error_at(own));
        View {
            seen,
            between,
            tree,
            unit,
            middle,
            axes,
            half,
            round,
            ball,
            slack,
            wall: plane,
            own,
            extent: core_half,
            grown: round_and_margin,
            size: centre.abs().element_sum()
                + own.abs().element_sum()
                + core_half.element_sum()
                + round_and_margin,
            centre,
            centre_error,
        }
    }

    pub(super) fn shape(&self) -> &'a Shape {
        match self.seen {
            Seen::Shape(shape) => shape,
            Seen::Leaf(leaf) => leaf.shape(),
        }
    }

    /// The world from the set's frame, where one pose tells it exactly.
    pub(super) fn exact_pose(&self) -> Option<Pose> {
        match self.seen {
            Seen::Leaf(leaf) if !leaf.chain().is_exact() => None,
            _ => Some(self.between.poses()[1]),
        }
    }

    /// **Never less** than the rounding of a mean of the core's corners.
    pub(super) fn middle_error(&self) -> f64 {
        match self.shape().core() {
            Core::Hull(hull) => (hull.vertices().len() + 2) as f64 * f64::EPSILON * hull.reach(),
            Core::Segment(_) | Core::Triangle(_) | Core::User(_) => {
                let (middle, half) = box_around(self.shape().core());
                16.0 * f64::EPSILON * (middle.abs() + half).element_sum()
            }
            _ => 0.0,
        }
    }

    /// The answer about a triangle of the mesh and the set.
    pub(super) fn ask(&self, convex: &mut ConvexQuery, triangle: &Shape, want: Want) -> Answer {
        match self.seen {
            Seen::Shape(shape) => convex.convex(triangle, shape, &self.between, want),
            Seen::Leaf(leaf) => convex.shape_and_leaf(triangle, leaf, &self.between, want),
        }
    }

    /// The plane across a direction of the mesh's frame that has the set below it.
    pub(super) fn plane(&self, direction: DVec3) -> Plane {
        let reach = || match self.seen {
            Seen::Shape(shape) => shape.reach(&self.between, direction),
            Seen::Leaf(leaf) => leaf.reach(&self.between, direction),
        };
        self.wall.unwrap_or_else(|| Plane { direction, reach: reach() })
    }

    /// **Never more** than the distance of a triangle from the set, negative where the plane does not tell; lengths of the mesh's frame.
    pub(super) fn above(plane: &Plane, corners: &[DVec3; 3]) -> f64 {
        let lowest = corners.map(|x| plane.direction.dot(x)).into_iter().fold(f64::INFINITY, f64::min);
        let size = corners.iter().fold(0.0, |most: f64, x| most.max(x.abs().element_sum()));
        lowest - plane.reach - 8.0 * f64::EPSILON * (size + plane.reach.abs())
    }

    /// **Never more** than the distance of the set from what each lane of a node encloses, in packed units; where the boxes overlap, minus
    /// how far along the axis they overlap least. Empty lanes are infinitely far.
    ///
    /// Proof. Along each axis of the node the set's box lies between two planes; a box beyond one of them is as far away at least as
    /// the excess, and excesses along orthogonal axes add up as squares. `plane` bounds both from the two sides of it. Lanes are
    /// computed in single precision: a few roundings of numbers no larger than `size`, each less than 2⁻²⁴ of it.
    pub(super) fn gaps(&self, node: &WideNode, plane: Option<&Plane>) -> [f32; WIDTH] {
        let Some(slack) = self.slack else {
            return std::array::from_fn(|lane| if node.half[0][lane] < 0.0 { f32::INFINITY } else { 0.0 });
        };
        let vector = |v: [f32; 3]| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
        let (rows, origin) = (node.axes.map(vector), vector(node.origin));
        let mut gaps = [f32::NEG_INFINITY; WIDTH];
        if self.wall.is_none() {
            let offset = self.middle - origin;
            let mut squares = [0.0_f32; WIDTH];
            for (k, &row) in rows.iter().enumerate() {
                let along = self.axes.transpose_mul_vec3(row);
                let reach = along.abs().dot(self.half).min(self.ball) + self.round + slack;
                let (middle, half) = (row.dot(offset) as f32, reach as f32);
                let (centres, halves) = (&node.centre[k], &node.half[k]);
                for lane in 0..WIDTH {
                    let excess = (centres[lane] - middle).abs() - (half + halves[lane]);
                    gaps[lane] = gaps[lane].max(excess);
                    let beyond = excess.max(0.0);
                    squares[lane] += beyond * beyond;
                }
            }
            for lane in 0..WIDTH {
                let far = squares[lane].sqrt() * (1.0 - SKEW);
                gaps[lane] = if gaps[lane] > 0.0 { far } else { gaps[lane] };
            }
        }
        if let Some(plane) = plane.or(self.wall.as_ref()) {
            let along = rows.map(|row| row.dot(plane.direction) as f32);
            let height = plane.direction.dot(origin)
                - (plane.reach - plane.direction.dot(self.tree.origin())) * self.unit;
            let height = (height - f64::from(SKEW) - slack) as f32;
            for (lane, gap) in gaps.iter_mut().enumerate() {
                let low = |k: usize| along[k] * node.centre[k][lane] - along[k].abs() * node.half[k][lane];
                *gap = gap.max(height + low(0) + low(1) + low(2));
            }
        }
        for (gap, half) in gaps.iter_mut().zip(&node.half[0]) {
            if *half < 0.0 {
                *gap = f32::INFINITY;
            }
        }
        gaps
    }

    /// A length in packed units, not less.
    pub(super) fn packed(&self, length: f64) -> f32 {
        (length * self.unit * (1.0 + 1e-12) + self.slack.unwrap_or(f64::INFINITY)) as f32
            * (1.0 + f32::EPSILON)
    }
}
