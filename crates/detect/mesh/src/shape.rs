//! A mesh against a convex shape, or a union of them, at rest: do they meet, how far apart, how they lie to each other, where.
//!
//! A mesh is its faces and, when it is closed, its solid (see [`relation`](crate::relation())); a shape is a closed convex set. Every
//! face near the shape is asked about with the convex kernel, whose verdicts are exact for polytopal shapes (rounded ones too) and
//! half-spaces, and certified for curved ones. What is not near is ruled out by boxes and planes with certified errors.

mod depth;
mod relation;
mod view;
mod walk;

use crate::asker::Asker;
use crate::inside::Verdict as Where;
use crate::mesh::Placed;
use crate::walk::descent::corners;
use kontakt_answers::{Contact, Feature, Range};
use kontakt_convex::{self as convex, Answer, Leaf, Shape, Verdict, Want};
use kontakt_hierarchy::packed::Child;
use kontakt_math::DVec3;
use std::ops::ControlFlow;
pub use relation::ShapeRelation;
use view::{Plane, View};
use walk::{Go, towards};

/// The distance of a mesh and a convex shape, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeDistance {
    /// **Certified**: contains the exact distance of the two sets, the mesh's solid included; [0, 0] when they are known to meet.
    pub range: Range,
    /// The point on the mesh, in world coordinates, rounded.
    pub point_a: DVec3,
    /// The point on the shape, in world coordinates, rounded.
    pub point_b: DVec3,
    /// Unit vector from the mesh to the shape, rounded.
    pub normal: DVec3,
    /// The triangle of the mesh.
    pub triangle: u32,
    /// The leaf of the shape, 0 for a shape that is no union.
    pub part: u32,
}

/// Asks about a mesh and shapes; the scratch memory of both kernels.
#[derive(Debug, Default)]
pub struct ShapeAsker {
    faces: Asker,
    convex: convex::Asker,
    stack: Vec<(f64, Child)>,
}

/// What was found about one triangle and one leaf.
#[derive(Clone, Copy, Debug)]
struct Found {
    slot: u32,
    part: u32,
    answer: Answer,
}

impl ShapeAsker {
    /// An asker with empty memory.
    pub fn new() -> ShapeAsker {
        ShapeAsker::default()
    }

    /// Whether the sets meet; stops as soon as that is decided. A face in the inside of the shape, or the shape in the inside of a
    /// closed mesh, is an overlap.
    pub fn intersect(&mut self, mesh: Placed, shape: convex::Placed) -> Verdict {
        let leaves = shape.leaves();
        let verdict = self.faces_meet(mesh, &leaves);
        match verdict {
            Verdict::Overlapping => verdict,
            _ => match self.any_inside(mesh, &leaves, verdict) {
                Some(true) => Verdict::Overlapping,
                Some(false) => verdict,
                None => Verdict::Undecided,
            },
        }
    }

    /// The distance of the two sets and the points that realise it.
    pub fn distance(&mut self, mesh: Placed, shape: convex::Placed) -> ShapeDistance {
        let leaves = shape.leaves();
        let Some((found, lo)) = self.nearest(mesh, &leaves) else { return ShapeDistance::unknown() };
        let answer = found.answer;
        let surfaces = Range::new(lo.max(0.0).min(answer.separation.hi().max(0.0)), answer.separation.hi().max(0.0));
        let mut range = surfaces.unwrap_or(Range::ZERO);
        if range.lo() > 0.0 {
            match self.any_inside(mesh, &leaves, Verdict::Separate) {
                Some(true) => range = Range::ZERO,
                Some(false) => {}
                None => range = Range::new(0.0, range.hi()).unwrap_or(Range::ZERO),
            }
        }
        ShapeDistance {
            range,
            point_a: answer.point_a,
            point_b: answer.point_b,
            normal: answer.normal,
            triangle: mesh.mesh.tree().order()[found.slot as usize],
            part: found.part,
        }
    }

    /// A contact for every triangle and leaf not farther apart than `gap` (≥ 0), by the numbers of the triangles, then of the leaves.
    /// The depth is that of the triangle in the leaf: the least translation that takes them apart; negative means a gap.
    pub fn contacts(&mut self, mesh: Placed, shape: convex::Placed, gap: f64) -> Vec<Contact> {
        let leaves = shape.leaves();
        let mut contacts = Vec::new();
        self.each_near(mesh, &leaves, gap, Want::Contact, |found| {
            if found.answer.separation.lo() <= gap {
                let triangle = mesh.mesh.tree().order()[found.slot as usize];
                let source = mesh.mesh.faces().source_of_triangle(triangle as usize) as u32;
                let contact = Contact { feature_a: Some(Feature::Face(source)), ..found.answer.into() };
                contacts.push((triangle, found.part, contact));
            }
            ControlFlow::Continue(())
        });
        contacts.sort_by_key(|&(triangle, part, _)| (triangle, part));
        contacts.into_iter().map(|(_, _, contact)| contact).collect()
    }

    /// How faces and leaves lie to each other: the gravest verdict of all pairs.
    fn faces_meet(&mut self, mesh: Placed, leaves: &[Leaf]) -> Verdict {
        let mut worst = Verdict::Separate;
        self.each_near(mesh, leaves, 0.0, Want::Verdict, |found| {
            worst = graver(worst, found.answer.verdict);
            if worst == Verdict::Overlapping { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        worst
    }

    /// Asks about all triangles that may be within `gap` of a leaf.
    fn each_near(
        &mut self,
        mesh: Placed,
        leaves: &[Leaf],
        gap: f64,
        want: Want,
        mut take: impl FnMut(Found) -> ControlFlow<()>,
    ) {
        let tree = mesh.mesh.tree();
        let ShapeAsker { faces, convex, stack } = self;
        for (part, leaf) in leaves.iter().enumerate() {
            let view = View::new(leaf, tree, mesh.pose);
            let mut ended = false;
            towards(tree, &view, gap, &mut None, stack, |slot, _| {
                let Ok(triangle) = Shape::triangle(corners(mesh.mesh, slot)) else { return Go::Within(gap) };
                faces.visits.face_tests += 1;
                let answer = convex.shape_and_leaf(&triangle, leaf, &view.between, want);
                ended = take(Found { slot, part: part as u32, answer }).is_break();
                if ended { Go::Stop } else { Go::Within(gap) }
            });
            if ended {
                return;
            }
        }
    }

    /// The nearest triangle and leaf, and a number that is **never more** than the distance of faces and leaves.
    fn nearest(&mut self, mesh: Placed, leaves: &[Leaf]) -> Option<(Found, f64)> {
        let tree = mesh.mesh.tree();
        let (mut best, mut lo): (Option<Found>, f64) = (None, f64::INFINITY);
        let ShapeAsker { faces, convex, stack } = self;
        for (part, leaf) in leaves.iter().enumerate() {
            let view = View::new(leaf, tree, mesh.pose);
            let within = |best: &Option<Found>| best.map_or(f64::INFINITY, |best| best.answer.separation.hi());
            let mut plane: Option<Plane> = None;
            towards(tree, &view, within(&best), &mut plane, stack, |slot, plane| {
                let own = corners(mesh.mesh, slot);
                // What is proven to be farther than the best is not nearer than its upper end.
                if plane.is_some_and(|plane| view.above(&plane, &own) > within(&best)) {
                    return Go::Within(within(&best));
                }
                let Ok(triangle) = Shape::triangle(own) else { return Go::Within(within(&best)) };
                faces.visits.face_tests += 1;
                let answer = convex.shape_and_leaf(&triangle, leaf, &view.between, Want::Distance);
                lo = lo.min(answer.separation.lo());
                if best.is_none_or(|best| answer.separation.hi() < best.answer.separation.hi()) {
                    best = Some(Found { slot, part: part as u32, answer });
                    if answer.verdict == Verdict::Separate {
                        let direction = mesh.pose.matrix().transpose() * -answer.normal;
                        *plane = Some(view.plane(direction));
                    }
                }
                if answer.separation.hi() <= 0.0 { Go::Stop } else { Go::Within(within(&best)) }
            });
        }
        best.map(|best| (best, lo.min(best.answer.separation.hi())))
    }

    /// Whether a leaf is inside the closed mesh, where no face is in its inside; `verdict` says whether faces touch it. `None` where that
    /// cannot be told.
    fn any_inside(&mut self, mesh: Placed, leaves: &[Leaf], verdict: Verdict) -> Option<bool> {
        let mut all_known = true;
        for leaf in leaves {
            match self.is_inside(mesh, leaf, verdict != Verdict::Separate) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(false)
    }
}

/// Of two verdicts about parts the one about the whole: an overlap is one whatever else is unclear.
fn graver(a: Verdict, b: Verdict) -> Verdict {
    let rank = |verdict: Verdict| match verdict {
        Verdict::Separate => 0,
        Verdict::Touching => 1,
        Verdict::Undecided => 2,
        Verdict::Overlapping => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

impl ShapeDistance {
    /// Numbers beyond the doubles.
    fn unknown() -> ShapeDistance {
        ShapeDistance {
            range: Range::new(0.0, f64::INFINITY).unwrap_or(Range::ZERO),
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            normal: DVec3::Z,
            triangle: 0,
            part: 0,
        }
    }
}
