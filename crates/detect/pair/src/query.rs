//! Questions about two bodies; which kernel answers.

use crate::body::{Body, Family, Moving, Placed};
use crate::slack::{slack, widened};
use kontakt_answers::{Feature, Impact, Range, Relation};
use kontakt_convex::{self as convex, Verdict};
use kontakt_math::DVec3;
use kontakt_mesh::{self as mesh, Limit, Mesh, MeshShapeQuery, RelationOptions, any_piece_inside};
use kontakt_rigid_ccd::{self as rigid_ccd, MotionOptions, MovingShape};
use kontakt_schedule::Deadline;

/// Asks about two bodies. It owns scratch memory of the kernels; answers never depend on what was asked before. One per thread.
#[derive(Debug, Default)]
pub struct Query {
    pub(crate) faces: mesh::MeshQuery,
    pub(crate) convex: convex::ConvexQuery,
    pub(crate) mesh_and_shape: MeshShapeQuery,
    pub(crate) motion: rigid_ccd::MotionQuery,
}

/// How far two bodies are apart, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// **Certified**: contains the exact distance of the two sets, solids included; its upper end is 0 where they are known to meet.
    pub range: Range,
    /// The nearest point on A, in world coordinates, rounded.
    pub point_a: DVec3,
    /// The nearest point on B, in world coordinates, rounded.
    pub point_b: DVec3,
    /// The face of A's file that the point is on; of a convex body nothing.
    pub feature_a: Option<Feature>,
    /// The face of B's file that the point is on; of a convex body nothing.
    pub feature_b: Option<Feature>,
}

impl Proximity {
    /// Of bodies without triangles to measure.
    pub(crate) fn unknown() -> Proximity {
        let range = Range::new(0.0, f64::INFINITY).unwrap_or(Range::ZERO);
        let (point_a, point_b) = (DVec3::ZERO, DVec3::ZERO);
        Proximity { range, point_a, point_b, feature_a: None, feature_b: None }
    }

    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Proximity {
        Proximity {
            range: self.range,
            point_a: self.point_b,
            point_b: self.point_a,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
        }
    }
}

impl Query {
    /// A query with empty memory.
    pub fn new() -> Query {
        Query::default()
    }

    /// The same query that ends, with what is certain by then, when a deadline has passed, and finds no more pairs of triangles of two
    /// meshes than so many.
    #[must_use]
    pub fn with_limits(mut self, deadline: Deadline, max_pairs: usize) -> Query {
        (self.faces.deadline, self.faces.max_pairs) = (deadline, max_pairs);
        self
    }

    /// Whether the bodies have a common point; stops at the first one found. `None` where certified bounds leave that open.
    pub fn any_contact(&mut self, a: Placed, b: Placed) -> Option<bool> {
        if slack(a, b) > 0.0 {
            return match self.intersect(a, b) {
                Verdict::Undecided => None,
                verdict => Some(verdict != Verdict::Separate),
            };
        }
        match (a.family(), b.family()) {
            (Family::Mesh(a), Family::Mesh(b)) => Some(
                self.faces.any_contact(a, b).is_some() || any_piece_inside(a, b) || any_piece_inside(b, a),
            ),
            (Family::Mesh(a), Family::Convex(b)) => self.mesh_and_shape.any_contact(a, b),
            (Family::Convex(a), Family::Mesh(b)) => self.mesh_and_shape.any_contact(b, a),
            (Family::Convex(a), Family::Convex(b)) => match self.convex.intersect(a, b) {
                Verdict::Undecided => None,
                verdict => Some(verdict != Verdict::Separate),
            },
        }
    }

    /// Whether the bodies meet: exact for meshes and polytopes, certified for curved shapes and bodies. A body inside a closed mesh or a
    /// convex one overlaps it.
    pub fn intersect(&mut self, a: Placed, b: Placed) -> Verdict {
        if slack(a, b) > 0.0 {
            return verdict_of(&self.relation(a, b, &RelationOptions::default()).exact);
        }
        match (a.family(), b.family()) {
            (Family::Mesh(a), Family::Mesh(b)) => {
                let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
                verdict_of(&self.faces.relation(a, b, &options).exact)
            }
            (Family::Mesh(a), Family::Convex(b)) => self.mesh_and_shape.intersect(a, b),
            (Family::Convex(a), Family::Mesh(b)) => self.mesh_and_shape.intersect(b, a),
            (Family::Convex(a), Family::Convex(b)) => self.convex.intersect(a, b),
        }
    }

    /// The distance of the two sets, and the points that realise it.
    pub fn distance(&mut self, a: Placed, b: Placed) -> Proximity {
        match (a.family(), b.family()) {
            (Family::Mesh(_), Family::Mesh(_)) => {
                self.distance_of_surfaces(a, b).unwrap_or_else(Proximity::unknown)
            }
            (Family::Mesh(x), Family::Convex(y)) => self.distance_of_mesh_and_shape(a, x, y),
            (Family::Convex(x), Family::Mesh(y)) => self.distance_of_mesh_and_shape(b, y, x).swapped(),
            (Family::Convex(a), Family::Convex(b)) => {
                let answer = self.convex.distance(a, b);
                Proximity {
                    range: answer.distance(),
                    point_a: answer.point_a,
                    point_b: answer.point_b,
                    feature_a: None,
                    feature_b: None,
                }
            }
        }
    }

    fn distance_of_mesh_and_shape(
        &mut self,
        body: Placed,
        a: mesh::PlacedMesh,
        b: convex::PlacedShape,
    ) -> Proximity {
        let found = self.mesh_and_shape.distance(a, b);
        Proximity {
            range: widened(found.range, body.body.deviation()),
            point_a: found.point_a,
            point_b: found.point_b,
            feature_a: Some(body.body.face_of(a.mesh, found.triangle)),
            feature_b: None,
        }
    }

    /// Whether the bodies meet or come closer than a limit; `None` where certified bounds leave that open. A gap that equals the limit
    /// is decided for meshes and sharp polytopes; triangles of curved bodies do not decide it.
    pub fn within(&mut self, a: Placed, b: Placed, limit: Limit) -> Option<bool> {
        let distance = self.distance(a, b).range;
        if distance.hi() <= 0.0 {
            return Some(true);
        }
        limit.holds(distance).or_else(|| match (a.surface(), b.surface()) {
            (Some(x), Some(y)) if slack(a, b) <= 0.0 => self.faces.within_limit(x, y, limit).closer,
            _ => None,
        })
    }

    /// When the two moving bodies first meet. **Never late**: before the lower end of the time the motion is proven free.
    pub fn first_contact(&mut self, a: Moving, b: Moving, options: &MotionOptions) -> Impact {
        match (a.body, b.body) {
            (Body::Curved(_), _) | (_, Body::Curved(_)) => self.first_contact_of_curved(a, b, options),
            (Body::Mesh(x), Body::Mesh(y)) => {
                let (a, b) = (of_mesh(x, a), of_mesh(y, b));
                self.motion.impact(a, b, options)
            }
            (Body::Mesh(x), Body::Convex(y)) => {
                let shape = MovingShape { shape: y.shape(), motion: b.motion };
                self.motion.impact_of_mesh_and_shape(of_mesh(x, a), shape, options)
            }
            (Body::Convex(_), Body::Mesh(_)) => self.first_contact(b, a, options).swapped(),
            (Body::Convex(x), Body::Convex(y)) => {
                let (a, b) = (
                    MovingShape { shape: x.shape(), motion: a.motion },
                    MovingShape { shape: y.shape(), motion: b.motion },
                );
                self.motion.impact_of_shapes(a, b, options)
            }
        }
    }
}

pub(crate) fn of_mesh<'a>(mesh: &'a Mesh, body: Moving<'a>) -> rigid_ccd::MovingMesh<'a> {
    rigid_ccd::MovingMesh { mesh, motion: body.motion }
}

/// What a class says of whether bodies meet.
pub(crate) fn verdict_of(relation: &Relation) -> Verdict {
    match relation {
        Relation::Separate { .. } => Verdict::Separate,
        Relation::Touching => Verdict::Touching,
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => {
            Verdict::Overlapping
        }
        Relation::Undecided { .. } => Verdict::Undecided,
    }
}
