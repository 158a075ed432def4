//! Distances of true surfaces against points all over them: the lower end is below every pair of these, whatever the shapes, and both ends meet.

mod bodies;
mod random;

use kontakt_curved::{
    Body, Brep, Curve, DistanceOptions, Edge, Face, Faces, Loop, NurbsCurve, NurbsSurface, Surface,
    TessellationOptions, surface_distance,
};
use kontakt_math::{Between, DVec3, Pose};
use kontakt_mesh::{MeshQuery, PlacedMesh};
use random::vector;

/// A sheet on a Bézier patch that bends a little any way, within four of its own edges.
fn sheet(random: &mut fastrand::Rng) -> Brep {
    let degree = random.usize(2..=3);
    let points: Vec<Vec<DVec3>> = (0..=degree)
        .map(|i| {
            let row = (0..=degree).map(|j| DVec3::new(i as f64, j as f64, 0.0) + vector(random) * 0.25);
            row.collect()
        })
        .collect();
    let weights: Vec<Vec<f64>> =
        points.iter().map(|row| row.iter().map(|_| 0.5 + random.f64()).collect()).collect();
    let knots = [vec![0.0; degree + 1], vec![1.0; degree + 1]].concat();
    let surface =
        NurbsSurface::new([degree; 2], [knots.clone(), knots.clone()], &points, Some(&weights)).unwrap();
    let border = |at: &dyn Fn(usize) -> [usize; 2], ends: [u32; 2]| {
        let places: Vec<[usize; 2]> = (0..=degree).map(at).collect();
        let curve = NurbsCurve::new(
            degree,
            knots.clone(),
            places.iter().map(|[i, j]| points[*i][*j]).collect(),
            Some(places.iter().map(|[i, j]| weights[*i][*j]).collect()),
        );
        Edge { curve: Curve::Nurbs(curve.unwrap()), range: [0.0, 1.0], ends }
    };
    let edges = vec![
        border(&|k| [k, 0], [0, 1]),
        border(&|k| [degree, k], [1, 2]),
        border(&|k| [k, degree], [3, 2]),
        border(&|k| [0, k], [0, 3]),
    ];
    let vertices = [[0, 0], [degree, 0], [degree, degree], [0, degree]].map(|[i, j]| points[i][j]);
    let loops = vec![Loop::Edges(vec![(0, true), (1, true), (2, false), (3, false)])];
    let face = Face { surface: Surface::Nurbs(surface), outward: true, loops };
    Brep::new(vertices.to_vec(), edges, vec![face]).unwrap()
}

fn body(brep: &Brep) -> Body {
    let options = TessellationOptions { deviation: 0.03, most_triangles: 200_000 };
    Body::new(brep, &options).expect("a body")
}

/// Points of a body's faces: those that its triangles have.
fn points(body: &Body) -> Vec<DVec3> {
    let made = body.tessellation();
    made.faces
        .iter()
        .zip(&made.parameters)
        .flat_map(|(face, at)| at.map(|at| made.domains[*face as usize].point(at)))
        .collect()
}

/// Asks about two bodies at a random place, and holds the answer against all pairs of points.
fn trial(a: &Body, b: &Body, random: &mut fastrand::Rng, reach: f64, names: &str) -> bool {
    let way = vector(random).normalize_or(DVec3::X) * reach;
    let pose = Pose::from_axis_angle(vector(random), random.f64() * 3.0, way).unwrap();
    let between = Between::new(Pose::IDENTITY, pose);
    let options = DistanceOptions { tolerance: 1e-5, most_pairs: 200_000, only_sign: false };
    let found = surface_distance(Faces::Curved(a), Faces::Curved(b), &between, &options).unwrap();
    let other: Vec<DVec3> = points(b).iter().map(|x| between.b_in_a(*x)).collect();
    let apart = |x: &DVec3| other.iter().map(|y| (*x - *y).length_squared()).fold(f64::INFINITY, f64::min);
    let sampled = points(a).iter().map(apart).fold(f64::INFINITY, f64::min).sqrt();
    let (lo, hi) = (found.range.lo(), found.range.hi());
    assert!(lo <= sampled + 1e-12, "{names}: {sampled} is below [{lo}, {hi}]");
    // Triangles and surfaces are within their deviations of each other.
    let off = a.deviation() + b.deviation();
    let (x, y) = (PlacedMesh::new(a.mesh(), Pose::IDENTITY), PlacedMesh::new(b.mesh(), pose));
    let flat = MeshQuery::new().distance(x, y).range;
    assert!(hi >= flat.lo() - off && lo <= flat.hi() + off, "{names}: {flat:?} and [{lo}, {hi}]");
    // The upper end is that of two points, and these are where they are said to be.
    assert!((found.point_a - found.point_b).length() <= hi + 1e-12, "{names}: {found:?}");
    hi - lo <= 2e-5 + 3.0 * (a.tessellation().gap + b.tessellation().gap)
}

#[test]
fn sheets_that_bend_any_way() {
    let mut random = fastrand::Rng::with_seed(3);
    let (mut close, mut all) = (0, 0);
    for _ in 0..40 {
        let (a, b) = (body(&sheet(&mut random)), body(&sheet(&mut random)));
        for _ in 0..4 {
            let reach = 2.0 + 3.0 * random.f64();
            close += usize::from(trial(&a, &b, &mut random, reach, "sheets"));
            all += 1;
        }
    }
    assert!(close * 100 >= all * 95, "{close} of {all}");
}

/// Round bodies beside, about and through each other, and beside sheets.
#[test]
fn round_bodies_and_sheets() {
    let mut random = fastrand::Rng::with_seed(4);
    let solids = [
        bodies::ball(1.0, true),
        bodies::cylinder(0.7, 2.0, false),
        bodies::cone(1.0, 0.0, 1.5, true),
        bodies::cone(1.0, 0.4, 1.0, false),
        bodies::torus(1.5, 0.4),
        bodies::half_torus(1.5, 0.5),
        bodies::elbow(1.5, 0.5),
        bodies::bowl(1.5, 1.0, 0.8),
        bodies::bead(1.2, 0.5),
        bodies::octant(1.2),
    ];
    let made: Vec<(Body, &str)> = solids.iter().map(|solid| (body(&solid.brep), solid.name)).collect();
    let sheets: Vec<Body> = (0..3).map(|_| body(&sheet(&mut random))).collect();
    let (mut close, mut all) = (0, 0);
    for (a, name) in &made {
        let others = made.iter().map(|(b, other)| (b, *other)).chain(sheets.iter().map(|b| (b, "sheet")));
        for (b, other) in others {
            let reach = 3.5 * random.f64();
            close += usize::from(trial(a, b, &mut random, reach, &format!("{name} and {other}")));
            all += 1;
        }
    }
    assert!(close * 100 >= all * 90, "{close} of {all}");
}
