//! Convex bodies at many poses, the same for everybody: twenty shapes of one class in two thousand queries apart or in contact, or
//! as many shapes as queries.

use crate::data::scenes::{PlainMesh, PlainPose};
use crate::data::writers::raw_bodies;
use crate::parry_convex;
use crate::product;
use kontakt::bounds::hull::convex_hull;
use std::path::Path;
use testkit::Generator;

/// Queries of a scene.
pub(crate) const QUERIES: usize = 2000;
/// Shapes of a scene.
const SHAPES: usize = 20;
/// Bodies count as apart or in contact only from this gap or depth on, so that nobody stumbles over rounding.
const CLEAR: f64 = 1e-3;

/// What kind all shapes of a scene are; the number is the one in the file for other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One "vertex": the half extents.
    Box = 0,
    /// One "vertex": the radii.
    Ellipsoid = 1,
    /// Vertices and triangles.
    Hull = 2,
}

/// Two shapes at two poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// Numbers of the shapes.
    pub(crate) shapes: [usize; 2],
    /// Their poses in the world.
    pub(crate) poses: [PlainPose; 2],
}

/// Shapes of one class and the queries about them.
pub(crate) struct Bodies {
    /// Name of the case.
    pub(crate) name: &'static str,
    /// What all shapes are.
    pub(crate) kind: Kind,
    /// The shapes.
    pub(crate) shapes: Vec<PlainMesh>,
    /// What is asked.
    pub(crate) queries: Vec<Query>,
}

/// A class of shapes: its name, kind, and for hulls the number of vertices.
pub(crate) type Class = (&'static str, Kind, usize);

/// All classes.
pub(crate) const CLASSES: [Class; 6] = [
    ("box", Kind::Box, 0),
    ("hull8", Kind::Hull, 8),
    ("hull32", Kind::Hull, 32),
    ("hull128", Kind::Hull, 128),
    ("hull1000", Kind::Hull, 1000),
    ("ellipsoid", Kind::Ellipsoid, 0),
];

impl Bodies {
    /// Shapes of radii 0.4 to 1 along their axes (hulls: points on such ellipsoids), with all pairs apart or all in
    /// contact.
    pub(crate) fn of((name, kind, vertices): Class, apart: bool) -> Result<Bodies, String> {
        let mut generator = Generator::free(17 + vertices as u64 + 5000 * kind as u64);
        let shapes: Result<Vec<PlainMesh>, String> =
            (0..SHAPES).map(|_| shape(&mut generator, kind, vertices)).collect();
        let mut bodies = Bodies { name, kind, shapes: shapes?, queries: Vec::new() };
        let sorter = parry_convex::double::Bodies::of(&bodies)?;
        while bodies.queries.len() < QUERIES {
            let shapes = [generator.index(SHAPES), generator.index(SHAPES)];
            bodies.queries.extend(query(&mut generator, shapes, apart, &sorter));
        }
        Ok(bodies)
    }

    /// The same with as many shapes as queries, each in two of them, in no order that memory knows of: nothing is in the caches
    /// when it is asked for.
    pub(crate) fn distinct(
        (name, kind, vertices): Class,
        apart: bool,
        count: usize,
    ) -> Result<Bodies, String> {
        let mut generator = Generator::free(29 + vertices as u64 + 5000 * kind as u64);
        let shapes: Result<Vec<PlainMesh>, String> =
            (0..count).map(|_| shape(&mut generator, kind, vertices)).collect();
        let mut bodies = Bodies { name, kind, shapes: shapes?, queries: Vec::with_capacity(count) };
        let sorter = parry_convex::double::Bodies::of(&bodies)?;
        let mut partners: Vec<usize> = (0..count).collect();
        for k in (1..count).rev() {
            partners.swap(k, generator.index(k + 1));
        }
        for pair in partners.into_iter().enumerate() {
            let found = std::iter::repeat_with(|| query(&mut generator, pair.into(), apart, &sorter));
            bodies.queries.extend(found.take(1000).flatten().next());
        }
        Ok(bodies)
    }

    /// Writes everything for drivers in other processes (format: `peers/convex_server.hpp`).
    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        raw_bodies(path, self).map_err(|problem| format!("{}: {problem}", path.display()))
    }
}

/// Two shapes at random poses, if they are apart, or in contact, as wanted.
fn query(
    generator: &mut Generator,
    shapes: [usize; 2],
    apart: bool,
    sorter: &parry_convex::double::Bodies,
) -> Option<Query> {
    let reach = if apart { 0.8..3.0 } else { 0.1..1.6 };
    let query = Query { shapes, poses: poses(generator, &reach) };
    let gap = sorter.gap(&query);
    (if apart { gap > CLEAR } else { gap < -CLEAR }).then_some(query)
}

fn shape(generator: &mut Generator, kind: Kind, vertices: usize) -> Result<PlainMesh, String> {
    let radii: [f64; 3] = std::array::from_fn(|_| 0.4 + 0.6 * generator.unit());
    if kind != Kind::Hull {
        return Ok(PlainMesh { vertices: vec![radii], triangles: Vec::new() });
    }
    let points: Vec<[f64; 3]> = (0..vertices)
        .map(|_| {
            let on_sphere = direction(generator);
            std::array::from_fn(|k| radii[k] * on_sphere[k])
        })
        .collect();
    let hull = convex_hull(&product::vectors(&points)).map_err(|error| error.to_string())?;
    let hull = hull.renumbered();
    let fan = |face: &[u32]| -> Vec<[u32; 3]> {
        face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]).collect()
    };
    Ok(PlainMesh { triangles: hull.faces().flat_map(fan).collect(), vertices: points })
}

/// A uniform direction: the image of an axis under a uniform rotation.
fn direction(generator: &mut Generator) -> [f64; 3] {
    crate::data::scenes::turn(generator.quaternion(), [0.0, 0.0, 1.0])
}

fn poses(generator: &mut Generator, reach: &std::ops::Range<f64>) -> [PlainPose; 2] {
    let first = PlainPose { translation: generator.point(), rotation: generator.quaternion() };
    let (way, length) = (direction(generator), reach.start + (reach.end - reach.start) * generator.unit());
    let translation = std::array::from_fn(|k| first.translation[k] + length * way[k]);
    [first, PlainPose { translation, rotation: generator.quaternion() }]
}
