//! Questions about two bodies; which kernel answers.

use crate::body::{Body, Family, Moving, Placed};
use crate::slack::{slack, widened};
use kontakt_answers::{Feature, Impact, Range};
use kontakt_convex::{self as convex, Part, Shape, Verdict};
use kontakt_math::round::add_down;
use kontakt_math::{DVec3, Pose};
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
        self.convex = self.convex.with_deadline(deadline);
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
            (Family::Mesh(a), Family::Mesh(b)) if a.is_far_from(&b) => Some(false),
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
            return self.relation(a, b, &RelationOptions::default()).exact.verdict();
        }
        match (a.family(), b.family()) {
            (Family::Mesh(a), Family::Mesh(b)) => {
                let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
                self.faces.relation(a, b, &options).exact.verdict()
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

    /// **Never more** than the distance of two bodies of faces, as a plane between all their corners tells: a quick look that is often
    /// enough. 0 where no plane is found, bodies have very many corners, or one is a convex shape.
    pub fn gap_by_plane(&mut self, a: Placed, b: Placed) -> f64 {
        let (Family::Mesh(x), Family::Mesh(y)) = (a.family(), b.family()) else { return 0.0 };
        add_down(self.motion.gap_by_plane(x, y), -slack(a, b)).max(0.0)
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
    /// is decided for meshes, half-spaces and polytopes, rounded ones too; triangles of curved bodies do not decide it.
    pub fn within(&mut self, a: Placed, b: Placed, limit: Limit) -> Option<bool> {
        let distance = self.distance(a, b).range;
        if distance.hi() <= 0.0 {
            return Some(true);
        }
        limit.holds(distance).or_else(|| match (a.surface(), b.surface()) {
            _ if slack(a, b) > 0.0 => None,
            (Some(x), Some(y)) => self.faces.within_limit(x, y, limit).closer,
            _ => self.meets_grown(a, b, limit),
        })
    }

    /// The same by growing a convex body by the limit: a gap below it is then an overlap, and one that equals it a touch. Of two convex bodies
    /// either may be grown, and what one way tells is certain, so that the order does not matter.
    fn meets_grown(&mut self, a: Placed, b: Placed, limit: Limit) -> Option<bool> {
        match (a.family(), b.family()) {
            (Family::Convex(a), Family::Convex(b)) => {
                let mut settled = |grown, other: convex::PlacedShape| {
                    with_grown(grown, limit, |near| {
                        (self.convex.intersect(near, other), other.has_exact_verdicts())
                    })
                };
                settled(a, b).or_else(|| settled(b, a))
            }
            (Family::Mesh(mesh), Family::Convex(b)) | (Family::Convex(b), Family::Mesh(mesh)) => {
                with_grown(b, limit, |near| (self.mesh_and_shape.intersect(mesh, near), true))
            }
            (Family::Mesh(_), Family::Mesh(_)) => None,
        }
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

/// What a verdict about a shape grown by a limit, and whether it would be exact, says of that limit.
fn with_grown(
    body: convex::PlacedShape,
    limit: Limit,
    ask: impl FnOnce(convex::PlacedShape) -> (Verdict, bool),
) -> Option<bool> {
    let whole = Part { shape: body.shape.clone(), pose: Pose::IDENTITY };
    let grown = Shape::union(vec![whole]).and_then(|shape| shape.with_margin(limit.length())).ok()?;
    let near = convex::PlacedShape::new(&grown, body.pose);
    match ask(near) {
        (Verdict::Separate, _) => Some(false),
        (Verdict::Overlapping, _) => Some(true),
        (Verdict::Touching, true) if near.has_exact_verdicts() => Some(matches!(limit, Limit::AtMost(_))),
        (Verdict::Touching | Verdict::Undecided, _) => None,
    }
}
