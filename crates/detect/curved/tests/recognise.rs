//! Edges that are written as B-splines: arcs of circles and lines are seen as such, what only looks like them is not.

mod bodies;

use kontakt_curved::{Body, Brep, Curve, Edge, NurbsCurve, TessellationOptions, size};
use kontakt_math::DVec3;
use std::f64::consts::TAU;

/// An arc of at most a turn as rational pieces of the second degree.
fn arc(edge: &Edge) -> Edge {
    let Curve::Ellipse { frame, radii: [a, b] } = &edge.curve else { unreachable!("an arc") };
    let [from, to] = edge.range;
    let pieces = ((to - from) / (TAU / 4.0) - 1e-9).ceil().max(1.0) as usize;
    let step = (to - from) / pieces as f64;
    let (mut points, mut weights, mut knots) = (Vec::new(), Vec::new(), vec![0.0]);
    let at = |t: f64, stretch: f64| {
        frame.origin + frame.x * (a * stretch * t.cos()) + frame.y * (b * stretch * t.sin())
    };
    for k in 0..pieces {
        let t = from + step * k as f64;
        let half = (step / 2.0).cos();
        points.extend([at(t, 1.0), at(t + step / 2.0, 1.0 / half)]);
        weights.extend([1.0, half]);
        knots.extend([k as f64; 2]);
    }
    points.push(at(to, 1.0));
    weights.push(1.0);
    knots.extend([pieces as f64; 3]);
    let nurbs = NurbsCurve::new(2, knots, points, Some(weights)).expect("a circle");
    Edge { curve: Curve::Nurbs(nurbs), range: [0.0, pieces as f64], ends: edge.ends }
}

fn stretch(edge: &Edge) -> Edge {
    let [from, to] = edge.range.map(|t| edge.curve.point(t));
    let points = vec![from, from.lerp(to, 0.2), from.lerp(to, 0.7), to];
    let nurbs =
        NurbsCurve::new(3, vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], points, None).expect("a line");
    Edge { curve: Curve::Nurbs(nurbs), range: [0.0, 1.0], ends: edge.ends }
}

fn with_splines(brep: &Brep) -> Brep {
    let edges = brep.edges().iter().map(|edge| match edge.curve {
        Curve::Line { .. } => stretch(edge),
        Curve::Ellipse { .. } => arc(edge),
        Curve::Nurbs(_) => edge.clone(),
    });
    Brep::new(brep.vertices().to_vec(), edges.collect(), brep.faces().to_vec()).expect("the same body")
}

fn body(brep: &Brep) -> Body {
    let options = TessellationOptions { deviation: 0.02 * size(brep), most_triangles: 100_000 };
    Body::new(brep, &options).expect("a body")
}

/// The greatest distance of samples of one edge from samples of the other, which are dense.
fn off(one: &Edge, other: &Edge) -> f64 {
    let samples = |edge: &Edge, count: usize| -> Vec<DVec3> {
        let [from, to] = edge.range;
        (0..=count).map(|k| edge.curve.point(from + (to - from) * k as f64 / count as f64)).collect()
    };
    let dense = samples(other, 20_000);
    let nearest = |x: &DVec3| dense.iter().map(|y| x.distance(*y)).fold(f64::INFINITY, f64::min);
    samples(one, 60).iter().map(nearest).fold(0.0, f64::max)
}

#[test]
fn arcs_and_lines_are_seen() {
    for solid in bodies::all() {
        let given = with_splines(&solid.brep);
        let made = body(&given);
        for (index, (seen, edge)) in made.brep().edges().iter().zip(given.edges()).enumerate() {
            let name = solid.name;
            assert!(!matches!(seen.curve, Curve::Nurbs(_)), "{name}: edge {index} is {:?}", seen.curve);
            // Dense samples are half of their step apart from any point.
            let [from, to] = edge.range;
            let speed = edge.curve.jet(0.5 * (from + to)).d1.length();
            let step = 2.0 * speed * (to - from) / 20_000.0;
            assert!(off(seen, edge) <= step, "{name}: edge {index}, {}", off(seen, edge));
            assert!(off(edge, seen) <= step, "{name}: edge {index}, {}", off(edge, seen));
        }
        let gap = made.tessellation().gap;
        assert!(gap <= 1e-12 * size(&solid.brep), "{}: a gap of {gap}", solid.name);
    }
}

/// A cylinder with a seam, its circles as splines with control points changed.
fn bent(by: impl Fn(&mut Vec<DVec3>)) -> Brep {
    let solid = bodies::cylinder(2.0, 3.0, true);
    let circle = |edge: &Edge| {
        let Edge { curve: Curve::Nurbs(nurbs), range, ends } = arc(edge) else { unreachable!() };
        let mut points = nurbs.points().to_vec();
        by(&mut points);
        let knots = nurbs.knots().to_vec();
        let nurbs = NurbsCurve::new(2, knots, points, Some(nurbs.weights().to_vec())).expect("a curve");
        Edge { curve: Curve::Nurbs(nurbs), range, ends }
    };
    let edges = solid.brep.edges().iter().map(|edge| match edge.curve {
        Curve::Ellipse { .. } => circle(edge),
        _ => edge.clone(),
    });
    Brep::new(solid.brep.vertices().to_vec(), edges.collect(), solid.brep.faces().to_vec()).expect("a body")
}

/// Farther out at one control point.
#[test]
fn what_looks_like_an_arc_is_kept() {
    let kept = |by: fn(&mut Vec<DVec3>)| {
        let kept = body(&bent(by));
        kept.brep().edges().iter().filter(|edge| matches!(edge.curve, Curve::Nurbs(_))).count()
    };
    assert_eq!(kept(|_| {}), 0);
    assert_eq!(kept(|points| points[3] *= 1.0 + 1e-3), 2);
}

/// Going back on itself: no cutting of edges tells its borders apart, and that is found out soon.
#[test]
fn a_border_that_lies_on_itself_is_refused() {
    let brep = bent(|points| points.swap(2, 3));
    let options = TessellationOptions { deviation: 0.02 * size(&brep), most_triangles: 1_000_000 };
    let found = Body::new(&brep, &options).map(|_| ());
    assert!(found.is_err(), "{found:?}");
}
