//! One convex piece of a moving body: where its core reaches in a direction, with a certified error.

use super::settle::Facets;
use crate::course::UP;
use crate::pair::ball;
use kontakt_convex::{Convex, Core, Leaf, Shape};
use kontakt_math::round::length_up;
use kontakt_math::{Chain, DMat3, DVec3, Pose, U};
use std::borrow::Cow;

/// The support map of a core in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Map<'a> {
    Points(&'a [DVec3]),
    Box(DVec3),
    Ellipsoid(DVec3),
    Cylinder { half_length: f64, radius: f64 },
    Cone { half_length: f64, radius: f64 },
    User(&'a dyn Convex),
}

/// All x with normal·x ≤ offset, in the body's frame, the normal of length 1 to rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
    /// **Never too small**: how far heights of points x above the plane may be off, divided by |x| + |offset|, roundings of a few
    /// units in the last place aside.
    pub(crate) slack: f64,
    /// The same, whatever x.
    pub(crate) shift: f64,
}

impl Wall {
    /// Scaled by the largest coordinate first, so that nothing overflows; all that rounds by less than 8u.
    fn new(normal: DVec3, offset: f64) -> Wall {
        let largest = normal.abs().max_element();
        let scaled = normal / largest;
        let length = scaled.length();
        Wall { normal: scaled / length, offset: offset / largest / length, slack: 8.0 * U, shift: 0.0 }
    }

    /// Seen from outside of a leaf's poses: R·n and n·x + R·n·s for the composed pose, off as told by its chain.
    fn within(&self, leaf: &Leaf) -> Wall {
        let (pose, chain) = (leaf.chain().composed(), leaf.chain());
        let normal = pose.matrix() * self.normal;
        let offset = self.offset + normal.dot(pose.translation());
        let turn = chain.turn_error() + 96.0 * f64::EPSILON;
        let shift = chain.shift_error() + turn * (length_up(pose.translation()) + self.offset.abs());
        Wall { normal, offset, slack: (self.slack + turn) * UP, shift: shift * UP }
    }

    /// **Never too small**: how far the height of a point may be off.
    pub(crate) fn doubt(&self, place: DVec3) -> f64 {
        (self.slack * (place.abs().element_sum() + self.offset.abs()) + self.shift) * UP
    }
}

/// A core in the frame of its body, grown by a ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    map: Map<'a>,
    /// The shape it is made of, its radius aside; none for what is no shape.
    shape: Option<&'a Shape>,
    /// The body's frame from the core's, rounded; none where they are the same.
    frame: Option<(DMat3, DVec3, Pose)>,
    /// The same, exact.
    chain: Option<&'a Chain>,
    /// **Never less** than |x| of the core's farthest point, in the core's own frame.
    pub(crate) reach: f64,
    /// For half-spaces, whose core has no farthest points; then nothing else here is of use but `round`.
    pub(crate) wall: Option<Wall>,
    /// A ball around the core, in the body's frame.
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// **Never less** than |x| of the core's farthest point, in the body's frame.
    pub(crate) far: f64,
    /// **Never too small**: how far `farthest` may be from a point of the exact core, and, for unit directions, from the
    /// exact core's greatest height.
    pub(crate) error: f64,
    /// Bounds of the radius that grows the core.
    pub(crate) round: [f64; 2],
    /// **Never too small**: how far that radius may be off beside that; in `error` too.
    pub(crate) grown_error: f64,
}

const ORIGIN: &[DVec3] = &[DVec3::ZERO];

impl<'a> Map<'a> {
    fn of(core: &'a Core) -> Option<Map<'a>> {
        Some(match core {
            Core::Point => Map::Points(ORIGIN),
            Core::Segment(ends) => Map::Points(ends),
            Core::Triangle(corners) => Map::Points(corners),
            Core::Hull(hull) => Map::Points(hull.vertices()),
            Core::Box(half) => Map::Box(*half),
            Core::Ellipsoid(radii) => Map::Ellipsoid(*radii),
            &Core::Cylinder { half_length, radius } => Map::Cylinder { half_length, radius },
            &Core::Cone { half_length, radius } => Map::Cone { half_length, radius },
            Core::User(set) => Map::User(set.as_ref()),
            Core::HalfSpace { .. } | Core::Union(_) => return None,
        })
    }

    /// A ball around it.
    fn ball(&self) -> (DVec3, f64) {
        let reach = |r: DVec3| (DVec3::ZERO, length_up(r));
        match *self {
            Map::Points(&[only]) => (only, 0.0),
            Map::Points(points) => ball(points),
            Map::Box(half) => reach(half),
            Map::Ellipsoid(radii) => (DVec3::ZERO, radii.max_element()),
            Map::Cylinder { half_length, radius } | Map::Cone { half_length, radius } => {
                reach(DVec3::new(half_length, radius, 0.0))
            }
            Map::User(set) => {
                let axes = [DVec3::X, DVec3::Y, DVec3::Z];
                let corner = |sign: f64| {
                    let [x, y, z] = axes.map(|axis| set.support(axis * sign));
                    DVec3::new(x.x, y.y, z.z)
                };
                // The six farthest points tell a box, each side of which may be short by the error.
                let (centre, radius) = ball(&[corner(-1.0), corner(1.0)]);
                (centre, (radius + 2.0 * set.support_error()) * UP)
            }
        }
    }

    /// **Never too small**, see [`Piece::error`], in the core's own frame; `far` is at least |x| of all points.
    ///
    /// Boxes are exact. The farthest of points is chosen by heights that each round by 3u|d||x|. Points of ellipsoids and rims are
    /// products and quotients by a root, 8u relative a coordinate; that of a cone is chosen by heights off by 4u of its size.
    fn error(&self, far: f64) -> f64 {
        match self {
            Map::Box(_) => 0.0,
            Map::User(set) => (set.support_error() + 16.0 * U * far) * UP,
            _ => 16.0 * U * far,
        }
    }

    /// A farthest point in a direction of length about 1.
    #[inline]
    fn farthest(&self, d: DVec3) -> DVec3 {
        let rim = |radius: f64| {
            let flat = DVec3::new(d.x, d.y, 0.0);
            let length = flat.length();
            if length > 0.0 { flat * (radius / length) } else { DVec3::ZERO }
        };
        match *self {
            Map::Points(points) => {
                let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
                for x in points {
                    let height = d.dot(*x);
                    if height > best.0 {
                        best = (height, *x);
                    }
                }
                best.1
            }
            Map::Box(half) => half.copysign(d),
            Map::Ellipsoid(radii) => {
                let scaled = d * radii;
                let size = scaled.abs().max_element();
                if size > 0.0 && size.is_finite() {
                    let scaled = scaled / size;
                    radii * (scaled / scaled.length())
                } else {
                    DVec3::ZERO
                }
            }
            Map::Cylinder { half_length, radius } => rim(radius) + DVec3::Z * half_length.copysign(d.z),
            Map::Cone { half_length, radius } => {
                let rim = rim(radius) - DVec3::Z * half_length;
                let apex = DVec3::Z * half_length;
                if d.dot(rim) > d.dot(apex) { rim } else { apex }
            }
            Map::User(set) => set.support(d),
        }
    }
}

impl<'a> Piece<'a> {
    /// A shape that is no union, in its own frame.
    pub(crate) fn of_shape(shape: &'a Shape) -> Option<Piece<'a>> {
        let round = shape.radii();
        if let &Core::HalfSpace { normal, offset } = shape.core() {
            return Some(Piece { shape: Some(shape), ..Piece::of_wall(Wall::new(normal, offset), round) });
        }
        Map::of(shape.core()).map(|map| Piece { shape: Some(shape), ..Piece::new(map, round) })
    }

    /// A leaf of a union, whose margins it has.
    ///
    /// The composed pose of the leaf is off by its chain's errors, its matrix by less than 64 units in the last place, and radii
    /// grown by margins one after another by a unit in the last place of their sum each.
    pub(crate) fn of_leaf(leaf: &'a Leaf) -> Option<Piece<'a>> {
        let (radii, chain) = (leaf.shape().radii(), leaf.chain());
        let grown = (4 + 2 * chain.poses().count()) as f64 * U * (radii[0] + radii[1]);
        if let &Core::HalfSpace { normal, offset } = leaf.shape().core() {
            let mut wall = Wall::new(normal, offset).within(leaf);
            wall.shift = (wall.shift + grown) * UP;
            let piece = Piece::of_wall(wall, radii);
            return Some(Piece {
                shape: Some(leaf.shape()),
                chain: Some(chain),
                grown_error: grown,
                ..piece
            });
        }
        let piece = Piece::new(Map::of(leaf.shape().core())?, radii);
        let pose = chain.composed();
        let (turn, shift) = (pose.matrix(), pose.translation());
        let turn_error = chain.turn_error() + 96.0 * f64::EPSILON;
        let centre = turn * piece.centre + shift;
        let error = piece.error
            + 2.0 * turn_error * piece.far
            + chain.shift_error()
            + 8.0 * U * length_up(shift)
            + grown;
        let radius = (piece.radius + error) * UP;
        Some(Piece {
            shape: Some(leaf.shape()),
            frame: Some((turn, shift, *pose)),
            chain: Some(chain),
            grown_error: grown,
            centre,
            radius,
            far: (length_up(centre) + radius) * UP,
            error: error * UP,
            ..piece
        })
    }

    /// The hull of points of the body's frame.
    pub(crate) fn of_points(points: &'a [DVec3]) -> Piece<'a> {
        Piece::new(Map::Points(points), [0.0; 2])
    }

    /// A ball of the body's frame.
    pub(crate) fn of_ball(centre: &'a [DVec3; 1], radius: f64) -> Piece<'a> {
        Piece::new(Map::Points(centre), [radius, 0.0])
    }

    fn new(map: Map<'a>, radii: [f64; 2]) -> Piece<'a> {
        let (centre, radius) = map.ball();
        let far = (length_up(centre) + radius) * UP;
        let error = map.error(far);
        Piece {
            map,
            shape: None,
            frame: None,
            chain: None,
            reach: far,
            wall: None,
            centre,
            radius,
            far,
            error,
            round: bounds(radii),
            grown_error: 0.0,
        }
    }

    fn of_wall(wall: Wall, radii: [f64; 2]) -> Piece<'a> {
        Piece { wall: Some(wall), ..Piece::new(Map::Points(ORIGIN), radii) }
    }

    /// A farthest point of the core in a direction of length about 1, both in the body's frame.
    #[inline]
    pub(crate) fn farthest(&self, d: DVec3) -> DVec3 {
        match &self.frame {
            None => self.map.farthest(d),
            Some((turn, shift, _)) => *turn * self.map.farthest(turn.transpose() * d) + *shift,
        }
    }

    /// The shape, also of a triangle, and its pose in the body's frame.
    pub(crate) fn placed(&self) -> Option<(Cow<'a, Shape>, Pose)> {
        let shape = match (self.shape, self.map) {
            (Some(shape), _) => Cow::Borrowed(shape),
            (None, Map::Points(&[p, q, r])) => Cow::Owned(Shape::triangle([p, q, r]).ok()?),
            _ => return None,
        };
        Some((shape, self.pose()))
    }

    /// The exact poses of a part in its body; none where they have one frame.
    pub(crate) fn chain(&self) -> Option<&'a Chain> {
        self.chain
    }

    fn pose(&self) -> Pose {
        self.frame.map_or(Pose::IDENTITY, |(_, _, pose)| pose)
    }

    /// Corners, triangles and edges of a polytope that is not rounded.
    pub(crate) fn facets(&self) -> Option<Facets> {
        if self.round != [0.0; 2] || self.wall.is_some() {
            return None;
        }
        let (own, triangles, edges): (Vec<DVec3>, Vec<[usize; 3]>, Vec<[usize; 2]>) =
            match (self.map, self.shape.map(Shape::core)) {
                (Map::Points(points), Some(Core::Hull(hull))) if points.len() > 2 => {
                    let triangles = (0..hull.face_count()).flat_map(|face| fan(hull.face(face)));
                    let edges = hull.edges().map(|edge| edge.ends.map(|i| i as usize));
                    (points.to_vec(), triangles.collect(), edges.collect())
                }
                (Map::Points(points), _) => {
                    let edges = [[0, 1], [1, 2], [2, 0]];
                    let (triangles, edges): (&[[usize; 3]], &[[usize; 2]]) = match points.len() {
                        1 => (&[], &[]),
                        2 => (&[], &edges[..1]),
                        3 => (&[[0, 1, 2]], &edges),
                        _ => return None,
                    };
                    (points.to_vec(), triangles.to_vec(), edges.to_vec())
                }
                (Map::Box(half), _) => {
                    let side =
                        |corner: usize, k: usize| if corner >> k & 1 == 0 { -half[k] } else { half[k] };
                    let corners = (0..8).map(|i| DVec3::new(side(i, 0), side(i, 1), side(i, 2)));
                    let edges =
                        (0..8).flat_map(|i| (0..3).map(move |k| [i, i | 1 << k])).filter(|[i, j]| i != j);
                    let faces = (0..3).flat_map(|k| {
                        let (u, v) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
                        [0, 1 << k]
                            .into_iter()
                            .flat_map(move |o| [[o, o | u, o | u | v], [o, o | u | v, o | v]])
                    });
                    (corners.collect(), faces.collect(), edges.collect())
                }
                _ => return None,
            };
        let corners = match &self.frame {
            None => own.clone(),
            Some((turn, shift, _)) => own.iter().map(|x| *turn * *x + *shift).collect(),
        };
        Some(Facets { corners, own, triangles, edges })
    }

    /// Numbers that tell most pieces apart.
    pub(crate) fn key(&self) -> [f64; 8] {
        let [x, y, z] = self.wall.map_or(self.centre, |wall| wall.normal).to_array();
        let offset = self.wall.map_or(self.far, |wall| wall.offset);
        let kind = match self.map {
            Map::Points(points) => points.len() as f64,
            Map::Box(_) => 0.1,
            Map::Ellipsoid(_) => 0.2,
            Map::Cylinder { .. } => 0.3,
            Map::Cone { .. } => 0.4,
            Map::User(_) => 0.5,
        };
        [f64::from(self.wall.is_none()), kind, x, y, z, self.radius, offset, self.round[1]]
    }

    /// Whether the core is the hull of points, so that verdicts about it are exact.
    pub(crate) fn is_polytopal(&self) -> bool {
        self.wall.is_none() && !self.is_curved()
    }

    /// Whether it has other points than those of a polytope and a ball around each: `nearest` loses sight of what is near there.
    pub(crate) fn is_curved(&self) -> bool {
        !matches!(self.map, Map::Points(_) | Map::Box(_))
    }
}

/// Bounds of a sum of two radii.
fn bounds([round, margin]: [f64; 2]) -> [f64; 2] {
    let sum = round + margin;
    if round == 0.0 || margin == 0.0 {
        return [sum, sum];
    }
    [sum * (1.0 - f64::EPSILON), sum * (1.0 + f64::EPSILON)]
}

/// The triangles of a convex polygon, all with its first corner.
fn fan(mut corners: impl Iterator<Item = u32>) -> Vec<[usize; 3]> {
    let Some(first) = corners.next() else { return Vec::new() };
    let rest: Vec<u32> = corners.collect();
    rest.windows(2).map(|pair| [first, pair[0], pair[1]].map(|i| i as usize)).collect()
}
