//! Faces that close on themselves: cones whose border passes the apex, B-splines that close both ways or end in poles, with seams and
//! without any edge, with knots that are clamped and such as are not.
#![allow(clippy::unwrap_used, reason = "a test")]

mod bodies;

use bodies::{Solid, at, circle, face, line};
use kontakt_curved::{
    Body, Brep, Curve, Edge, Face, Loop, NurbsCurve, NurbsSurface, Surface, TessellateError,
    TessellationOptions, tessellate, tessellate_until,
};
use kontakt_math::DVec3;
use kontakt_schedule::{Deadline, Expired};
use std::f64::consts::{PI, TAU};
use std::time::{Duration, Instant};

/// A circle of three arcs as homogeneous points, with its knots over [0, 2π] clamped or not.
fn round(clamped: bool) -> (Vec<[f64; 3]>, Vec<f64>) {
    let points = (0..7).map(|k| {
        let angle = f64::from(k) * TAU / 6.0;
        let (reach, weight) = if k % 2 == 0 { (1.0, 1.0) } else { (2.0, 0.5) };
        [reach * angle.cos(), reach * angle.sin(), weight]
    });
    let third = TAU / 3.0;
    let ends = if clamped { [0.0, TAU] } else { [-third, TAU + third] };
    (points.collect(), vec![ends[0], 0.0, 0.0, third, third, 2.0 * third, 2.0 * third, TAU, TAU, ends[1]])
}

/// Half a circle of two arcs from the lowest point, as (out, up, weight), with its knots over [−π/2, π/2].
fn meridian() -> (Vec<[f64; 3]>, Vec<f64>) {
    let half = 0.5_f64.sqrt();
    let points =
        vec![[0.0, -1.0, 1.0], [1.0, -1.0, half], [1.0, 0.0, 1.0], [1.0, 1.0, half], [0.0, 1.0, 1.0]];
    (points, [-PI / 2.0, 0.0, PI / 2.0].into_iter().zip([3, 2, 3]).flat_map(|(t, n)| vec![t; n]).collect())
}

/// A profile of (out, up, weight) turned about z and stretched.
fn turned(
    (profile, knots): &(Vec<[f64; 3]>, Vec<f64>),
    degree: usize,
    stretch: DVec3,
    clamped: bool,
) -> NurbsSurface {
    let (circle, around) = round(clamped);
    let point = |c: &[f64; 3], p: &[f64; 3]| DVec3::new(c[0] * p[0], c[1] * p[0], p[1]) * stretch;
    let rows: Vec<Vec<DVec3>> =
        circle.iter().map(|c| profile.iter().map(|p| point(c, p)).collect()).collect();
    let weights: Vec<Vec<f64>> =
        circle.iter().map(|c| profile.iter().map(|p| c[2] * p[2]).collect()).collect();
    NurbsSurface::new([2, degree], [around, knots.clone()], &rows, Some(&weights)).unwrap()
}

/// The circle of a torus' tube.
fn tube(major: f64, minor: f64, clamped: bool) -> (Vec<[f64; 3]>, Vec<f64>) {
    let (circle, knots) = round(clamped);
    (circle.into_iter().map(|[x, y, w]| [major + minor * x, minor * y, w]).collect(), knots)
}

/// The curve of a surface at the begin of its first parameter.
fn seam((profile, knots): &(Vec<[f64; 3]>, Vec<f64>), degree: usize, stretch: DVec3) -> Curve {
    let points = profile.iter().map(|p| DVec3::new(p[0], 0.0, p[1]) * stretch).collect();
    let weights = profile.iter().map(|p| p[2]).collect();
    Curve::Nurbs(NurbsCurve::new(degree, knots.clone(), points, Some(weights)).unwrap())
}

/// An ellipsoid, its border a seam from pole to pole, begun at either, or a vertex.
fn ellipsoid(stretch: DVec3, border: Vec<Loop>, outward: bool, clamped: bool) -> Solid {
    let surface = Surface::Nurbs(turned(&meridian(), 2, stretch, clamped));
    let curve = seam(&meridian(), 2, stretch);
    let edge = Edge { curve, range: [-PI / 2.0, PI / 2.0], ends: [0, 1] };
    let edges = if matches!(border[0], Loop::Edges(_)) { vec![edge] } else { Vec::new() };
    let vertices = vec![DVec3::Z * -stretch.z, DVec3::Z * stretch.z];
    let faces = vec![Face { surface, outward, loops: border }];
    let sign = if outward { 1.0 } else { -1.0 };
    let volume = sign * 4.0 / 3.0 * PI * stretch.x * stretch.y * stretch.z;
    Solid { name: "ellipsoid", brep: Brep::new(vertices, edges, faces).unwrap(), volume }
}

/// A torus with both of its seams, whose loop begins at the edge given, or with none.
fn spline_torus(stretch: DVec3, begin: Option<usize>, clamped: bool) -> Solid {
    let (major, minor) = (10.0, 3.0);
    let profile = tube(major, minor, clamped);
    let surface = turned(&profile, 2, stretch, clamped);
    let vertex = DVec3::X * (major + minor) * stretch;
    let outer: Vec<DVec3> =
        round(clamped).0.iter().map(|c| DVec3::new(c[0], c[1], 0.0) * (major + minor) * stretch).collect();
    let weights = round(clamped).0.iter().map(|c| c[2]).collect();
    let along = Curve::Nurbs(NurbsCurve::new(2, round(clamped).1, outer, Some(weights)).unwrap());
    let edge = |curve| Edge { curve, range: [0.0, TAU], ends: [0, 0] };
    let (edges, loops) = match begin {
        Some(begin) => {
            let mut uses = vec![(0, true), (1, true), (0, false), (1, false)];
            uses.rotate_left(begin);
            (vec![edge(along), edge(seam(&profile, 2, stretch))], vec![Loop::Edges(uses)])
        }
        None => (Vec::new(), vec![Loop::Vertex(0)]),
    };
    let faces = vec![Face { surface: Surface::Nurbs(surface), outward: true, loops }];
    let volume = 2.0 * PI * PI * major * minor * minor * stretch.x * stretch.y * stretch.z;
    Solid { name: "torus", brep: Brep::new(vec![vertex], edges, faces).unwrap(), volume }
}

/// A cone with a seam whose loop begins at the edge given; its tip above or below.
fn cone(begin: usize, above: bool, spline: bool) -> Solid {
    let (radius, height) = (2.0, 3.0);
    let (base, tip) = if above { (0.0, height) } else { (height, 0.0) };
    let vertices = vec![DVec3::new(radius, 0.0, base), DVec3::Z * tip];
    let edges = vec![circle(at(base), radius, 0), line(&vertices, 0, 1)];
    let mut uses =
        if above { vec![(0, true), (1, true), (1, false)] } else { vec![(0, false), (1, true), (1, false)] };
    uses.rotate_left(begin);
    let slope = if above { -radius / height } else { radius / height };
    let surface = if spline {
        let (low, high) = if above { (radius, 0.0) } else { (0.0, radius) };
        let profile = (vec![[low, 0.0, 1.0], [high, height, 1.0]], vec![0.0, 0.0, 1.0, 1.0]);
        Surface::Nurbs(turned(&profile, 1, DVec3::ONE, false))
    } else {
        Surface::Cone { frame: at(base), radii: [radius; 2], slope }
    };
    let faces = vec![
        Face { surface, outward: true, loops: vec![Loop::Edges(uses)] },
        face(Surface::Plane(at(base)), !above, vec![vec![(0, !above)]]),
    ];
    let volume = PI * radius * radius * height / 3.0;
    Solid { name: "cone", brep: Brep::new(vertices, edges, faces).unwrap(), volume }
}

/// Triangles close, keep to the deviation and enclose the volume.
fn check(solid: &Solid, deviation: f64, most: usize) {
    let options = TessellationOptions { deviation, most_triangles: 1_000_000 };
    let body = match Body::new(&solid.brep, &options) {
        Ok(body) => body,
        Err(error) => panic!("{} at {deviation}: {error}", solid.name),
    };
    let made = body.tessellation();
    assert!(body.mesh().is_closed(), "{}", solid.name);
    assert!(made.deviation <= deviation + 1e-9, "{}: {}", solid.name, made.deviation);
    assert!(made.triangles.len() <= most, "{}: {} triangles", solid.name, made.triangles.len());
    let at = |id: u32| made.points[id as usize];
    let twice = |[a, b, c]: &[u32; 3]| (at(*b) - at(*a)).cross(at(*c) - at(*a)).length();
    let area = made.triangles.iter().map(twice).sum::<f64>() / 2.0;
    let volume = made.triangles.iter().map(|[a, b, c]| at(*a).dot(at(*b).cross(at(*c)))).sum::<f64>() / 6.0;
    let off = (volume - solid.volume).abs();
    assert!(off <= 1.2 * area * made.deviation + 1e-9, "{}: {volume}, not {}", solid.name, solid.volume);
}

/// A loop may begin at the base, on the way to the apex or in it; the apex may be at either end.
#[test]
fn cones_close_wherever_their_loop_begins() {
    for begin in 0..3 {
        for above in [true, false] {
            for deviation in [0.1, 0.01] {
                check(&cone(begin, above, false), deviation, 4000);
            }
            check(&cone(begin, above, true), 0.01, 20_000);
        }
    }
}

#[test]
fn ellipsoids_close_with_a_seam_and_without() {
    let stretch = DVec3::new(5.0, 3.0, 10.0);
    let seams = |back: bool| vec![Loop::Edges(vec![(0, !back), (0, back)])];
    for clamped in [true, false] {
        for outward in [true, false] {
            for border in [seams(false), seams(true), vec![Loop::Vertex(0)]] {
                for deviation in [0.3, 0.05] {
                    check(&ellipsoid(stretch, border.clone(), outward, clamped), deviation, 12_000);
                }
            }
        }
    }
}

#[test]
fn spline_tori_close_both_ways() {
    for clamped in [true, false] {
        for stretch in [DVec3::ONE, DVec3::new(1.0, 0.5, 1.5)] {
            for begin in [Some(0), Some(1), Some(2), Some(3), None] {
                check(&spline_torus(stretch, begin, clamped), 0.3, 5000);
            }
        }
    }
}

/// The time limit is looked at within one face.
#[test]
fn a_deadline_ends_it() {
    let solid = spline_torus(DVec3::new(1.0, 0.5, 1.5), Some(0), false);
    let options = TessellationOptions { deviation: 1e-4, most_triangles: 10_000_000 };
    let begun = Instant::now();
    let limit = Duration::from_millis(50);
    let found = tessellate_until(&solid.brep, &options, Deadline::after(limit));
    assert_eq!(found.map(|_| ()), Err(TessellateError::Expired(Expired)));
    assert!(begun.elapsed() < 20 * limit, "{:?}", begun.elapsed());
}

/// An open surface that nothing borders has no inside.
#[test]
fn an_open_spline_without_a_border_is_refused() {
    let profile = (vec![[2.0, 0.0, 1.0], [1.0, 3.0, 1.0]], vec![0.0, 0.0, 1.0, 1.0]);
    let surface = Surface::Nurbs(turned(&profile, 1, DVec3::ONE, true));
    let faces = vec![Face { surface, outward: true, loops: vec![Loop::Vertex(0)] }];
    let brep = Brep::new(vec![DVec3::X * 2.0], Vec::new(), faces).unwrap();
    let options = TessellationOptions { deviation: 0.01, most_triangles: 100_000 };
    assert!(tessellate(&brep, &options).is_err());
}

/// Edges that need more points than are allowed end at the deadline too, before any face is looked at.
#[test]
fn a_deadline_ends_the_cutting_of_edges() {
    let solid = bodies::cylinder(1e9, 1e9, true);
    let options = TessellationOptions { deviation: 1e-9, most_triangles: 100_000_000 };
    let found = tessellate_until(&solid.brep, &options, Deadline::after(Duration::ZERO));
    assert_eq!(found.unwrap_err(), TessellateError::Expired(Expired));
}
