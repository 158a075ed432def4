//! Questions about pairs of convex bodies.

use crate::clock::timed;
use crate::data::bodies::{self, Kind};
use crate::data::scenes::{PlainMesh, PlainPose};
use crate::product::vectors;
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt_convex::{Answer, ConvexQuery, Method, PlacedShape, Shape, Verdict};
use kontakt_lab_convex::bodies::Posed;
use kontakt_lab_convex::epa::Epa;
use kontakt_lab_convex::mpr::Mpr;
use testbodies::convex::shape_or_error;
use testkit::convex::pairs::Item;

/// Shapes and queries as kontakt has them.
pub(crate) struct Bodies {
    shapes: Vec<Shape>,
    queries: Vec<([usize; 2], [Pose; 2])>,
}

fn shape(kind: Kind, mesh: &PlainMesh) -> Result<Shape, String> {
    let first = DVec3::from_array(mesh.vertices[0]);
    let made = match kind {
        Kind::Box => Shape::cuboid(first),
        Kind::Ellipsoid => Shape::ellipsoid(first),
        Kind::Hull => Shape::hull(&vectors(&mesh.vertices)),
    };
    made.map_err(|error| error.to_string())
}

fn pose(pose: &PlainPose) -> Result<Pose, String> {
    Pose::new(DQuat::from_array(pose.rotation), DVec3::from_array(pose.translation))
        .map_err(|error| error.to_string())
}

impl Bodies {
    /// Converts everything.
    pub(crate) fn of(bodies: &bodies::Bodies) -> Result<Bodies, String> {
        let shapes: Result<Vec<Shape>, String> =
            bodies.shapes.iter().map(|mesh| shape(bodies.kind, mesh)).collect();
        let mut queries = Vec::with_capacity(bodies.queries.len());
        for query in &bodies.queries {
            queries.push((query.shapes, [pose(&query.poses[0])?, pose(&query.poses[1])?]));
        }
        Ok(Bodies { shapes: shapes?, queries })
    }

    fn ask<T>(
        &self,
        mut question: impl FnMut(&mut ConvexQuery, PlacedShape, PlacedShape) -> T,
    ) -> (f64, Vec<T>) {
        let mut asker = ConvexQuery::new();
        let (seconds, answers): (f64, Vec<T>) = timed(|| {
            let ask = |(shapes, poses): &([usize; 2], [Pose; 2])| {
                let a = PlacedShape::new(&self.shapes[shapes[0]], poses[0]);
                let b = PlacedShape::new(&self.shapes[shapes[1]], poses[1]);
                question(&mut asker, a, b)
            };
            self.queries.iter().map(ask).collect()
        });
        (seconds / self.queries.len() as f64, answers)
    }

    /// Middle of the bounds of the distance at each query; seconds a query.
    pub(crate) fn distance(&self) -> (f64, Vec<f64>) {
        self.ask(|asker, a, b| middle(&asker.distance(a, b)))
    }

    /// Middle of the bounds of the depth at each query; seconds a query.
    pub(crate) fn depth(&self) -> (f64, Vec<f64>) {
        self.ask(|asker, a, b| -middle(&asker.contact(a, b)))
    }

    /// 1 for contact; seconds a query.
    pub(crate) fn verdict(&self) -> (f64, Vec<f64>) {
        self.ask(|asker, a, b| match asker.intersect(a, b) {
            Verdict::Separate => 0.0,
            Verdict::Touching | Verdict::Overlapping => 1.0,
            Verdict::Undecided => f64::NAN,
        })
    }
}

fn middle(answer: &Answer) -> f64 {
    answer.separation.lo().midpoint(answer.separation.hi())
}

/// Two bodies of the references as kontakt's.
pub(crate) struct Pair {
    shapes: [Shape; 2],
    poses: [Pose; 2],
}

impl Pair {
    /// Converts both.
    pub(crate) fn of(items: &[Item; 2]) -> Result<Pair, String> {
        let [a, b] = items;
        let shape = |item: &Item| shape_or_error(item).map_err(|error| error.to_string());
        let pose = |item: &Item| {
            Pose::new(DQuat::from_array(item.rotation), DVec3::from_array(item.translation))
                .map_err(|error| error.to_string())
        };
        Ok(Pair { shapes: [shape(a)?, shape(b)?], poses: [pose(a)?, pose(b)?] })
    }

    /// Both, the second first if `swapped`.
    pub(crate) fn placed(&self, swapped: bool) -> [PlacedShape<'_>; 2] {
        let [a, b] = [0, 1].map(|i| PlacedShape::new(&self.shapes[i], self.poses[i]));
        if swapped { [b, a] } else { [a, b] }
    }
}

/// The certified ways to an answer, with their names.
pub(crate) fn certified_methods() -> Vec<(&'static str, Method)> {
    Method::ALL.into_iter().map(|method| (method.name(), method)).collect()
}

/// What EPA and MPR say on their own, in plain doubles; none if undecided.
pub(crate) fn opinions(pair: &Pair) -> [Option<Verdict>; 2] {
    let [a, b] = pair.placed(false);
    let between = kontakt::math::Between::new(a.pose, b.pose);
    let Some(bodies) = Posed::new(a.shape, b.shape, &between, 0.0) else { return [None; 2] };
    [Epa::default().run(&bodies).verdict, Mpr::default().intersect(&bodies).0]
        .map(|verdict| (verdict != Verdict::Undecided).then_some(verdict))
}
