//! A convex set as a mesh sees it: bounds of how near boxes of the mesh's hierarchy can come to it.

use kontakt_convex::{Core, Leaf};
use kontakt_hierarchy::packed::WIDTH;
use kontakt_hierarchy::{Packed, WideNode};
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{Between, Chain, DVec3, Pose};

/// Beyond this many packed units nothing is culled.
const FAR: f64 = 1e9;
/// Rows of a node's axes are orthonormal to 2⁻²⁰ an entry: what that does to lengths, and to points within ±4, is less than this.
const SKEW: f64 = 1.0 / 65_536.0;

/// A direction that separates: the set is below the plane d·x = `reach` of the mesh's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) direction: DVec3,
    pub(super) reach: f64,
}

/// A leaf of a convex body and the map from its frame to the mesh's.
pub(super) struct View<'a> {
    pub(super) leaf: &'a Leaf,
    pub(super) between: Between,
    tree: &'a Packed,
    /// Packed units per unit of length.
    unit: f64,
    /// How far numbers in packed units may be off, roundings of all kinds taken together; none where nothing can be culled.
    slack: Option<f64>,
    /// The plane of a half-space, which alone bounds it.
    wall: Option<Plane>,
}

impl<'a> View<'a> {
    pub(super) fn new(leaf: &'a Leaf, tree: &'a Packed, pose: Pose) -> View<'a> {
        let between = Between::of_chains(&Chain::new(pose), leaf.chain());
        let unit = 2.0_f64.powi(-tree.exponent());
        let mut view = View { leaf, between, tree, unit, slack: None, wall: None };
        view.wall = view.wall_of();
        // The set's size in packed units: as in `Solo`, 2⁻⁴⁰ of it covers each rounding many times over.
        let size = match view.wall {
            Some(wall) => wall.reach.abs() + length_up(tree.origin()),
            None => [DVec3::X, DVec3::Y, DVec3::Z]
                .into_iter()
                .flat_map(|axis| [axis, -axis])
                .map(|axis| (view.leaf.reach(&view.between, axis) - axis.dot(tree.origin())).abs())
                .fold(0.0, f64::max),
        };
        let size = size * unit + 4.0;
        view.slack = (size < FAR && unit.is_normal()).then_some(size * 2.0_f64.powi(-40));
        view
    }

    /// Half-spaces reach infinitely far but along their normal. With the exact normal n and the computed d, of length about 1, and all
    /// points x of the mesh within `far` of the set's frame, |d·x − n·x| ≤ |d − n|·far.
    fn wall_of(&self) -> Option<Plane> {
        let &Core::HalfSpace { normal, offset } = self.leaf.shape().core() else { return None };
        let largest = normal.abs().max_element();
        let scaled = normal / largest;
        let (own, level) = (scaled.normalize(), offset / largest / scaled.length());
        let direction = self.between.turn() * own;
        let size = 1.7321 * 2.0_f64.powi(self.tree.exponent());
        let far = length_up(self.tree.origin()) + size + length_up(self.between.shift());
        let [round, margin] = self.leaf.shape().radii();
        let error = (self.between.turn_error() + 32.0 * f64::EPSILON) * (far + level.abs())
            + 2.0 * self.between.error_within(0.0);
        let reach = direction.dot(self.between.shift()) + level + round + margin + 2.0 * error;
        Some(Plane { direction, reach: add_up(reach, 8.0 * f64::EPSILON * reach.abs()) })
    }

    /// The plane across a direction of the mesh's frame that has the set below it.
    pub(super) fn plane(&self, direction: DVec3) -> Plane {
        self.wall.unwrap_or_else(|| Plane { direction, reach: self.leaf.reach(&self.between, direction) })
    }

    /// **Never more** than the distance of a triangle from the set, negative where the plane does not tell; lengths of the mesh's frame.
    pub(super) fn above(&self, plane: &Plane, corners: &[DVec3; 3]) -> f64 {
        let lowest = corners.map(|x| plane.direction.dot(x)).into_iter().fold(f64::INFINITY, f64::min);
        let size = corners.iter().fold(0.0, |most: f64, x| most.max(x.abs().element_sum()));
        lowest - plane.reach - 8.0 * f64::EPSILON * (size + plane.reach.abs())
    }

    /// **Never more** than the distance of the set from what each lane of a node encloses, in packed units; negative or 0 where they
    /// may meet. Empty lanes are infinitely far.
    ///
    /// Proof. Along each axis of the node the set lies between two planes; a box beyond one of them is as far away at least as
    /// the excess, and excesses along orthogonal axes add up as squares. `plane` bounds both from the two sides of it.
    pub(super) fn gaps(&self, node: &WideNode, plane: Option<&Plane>) -> [f64; WIDTH] {
        let vector = |v: [f32; 3]| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
        let (axes, origin) = (node.axes.map(vector), vector(node.origin));
        let mut gaps = [0.0; WIDTH];
        let Some(slack) = self.slack else {
            return std::array::from_fn(|lane| if node.half[0][lane] < 0.0 { f64::INFINITY } else { 0.0 });
        };
        if self.wall.is_none() {
            for k in 0..3 {
                let offset = axes[k].dot(self.tree.origin()) * self.unit + axes[k].dot(origin);
                let most = self.leaf.reach(&self.between, axes[k]) * self.unit - offset;
                let least = -self.leaf.reach(&self.between, -axes[k]) * self.unit - offset;
                let (middle, half) = (0.5 * (most + least), 0.5 * (most - least));
                for lane in 0..WIDTH {
                    let apart = (f64::from(node.centre[k][lane]) - middle).abs();
                    let excess = (apart - half - f64::from(node.half[k][lane]) - slack).max(0.0);
                    gaps[lane] += excess * excess;
                }
            }
            for gap in &mut gaps {
                *gap = gap.sqrt() * (1.0 - SKEW);
            }
        }
        if let Some(plane) = plane.or(self.wall.as_ref()) {
            let along = [0, 1, 2].map(|k: usize| axes[k].dot(plane.direction));
            let height = plane.direction.dot(origin)
                - (plane.reach - plane.direction.dot(self.tree.origin())) * self.unit;
            for lane in 0..WIDTH {
                let low = |k: usize| {
                    along[k] * f64::from(node.centre[k][lane])
                        - along[k].abs() * f64::from(node.half[k][lane])
                };
                let above = height + low(0) + low(1) + low(2) - SKEW - slack;
                gaps[lane] = gaps[lane].max(above);
            }
        }
        for lane in 0..WIDTH {
            if node.half[0][lane] < 0.0 {
                gaps[lane] = f64::INFINITY;
            }
        }
        gaps
    }

    /// A length in packed units, not less.
    pub(super) fn packed(&self, length: f64) -> f64 {
        length * self.unit * (1.0 + 1e-12) + self.slack.unwrap_or(f64::INFINITY)
    }
}
