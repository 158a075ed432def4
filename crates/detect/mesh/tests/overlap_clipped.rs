//! Volumes of overlaps of bodies that are not convex, against clipping in rationals.

mod bodies;

use bodies::Shape;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{MeshQuery, NotMeasured, PlacedMesh};
use testkit::Generator;
use testkit::clipping::{Face, common_volume};
use testkit::polycube::Polycube;
use testkit::rational::exact;

/// What rounding may leave open where two bodies hardly overlap: a thousand roundings of the volume of their box, four across.
const ROUNDING: f64 = 1000.0 * f64::EPSILON * 64.0;

fn cases(usual: u64) -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Two points on an axis and a ring around it, each as far out as chance will have it: a star around its centre, not convex.
fn star(random: &mut Generator, grid: bool) -> Shape {
    let ring = random.integer(3..=6) as u32;
    let mut far = |low: f64| {
        let r = low + (2.0 - low) * random.unit();
        if grid { (r * 4.0).ceil() / 4.0 } else { r }
    };
    let mut vertices = vec![[0.0, 0.0, -far(0.25)], [0.0, 0.0, far(0.25)]];
    for k in 0..ring {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(ring);
        let (r, z) = (far(0.5), 0.0);
        let place = [r * angle.cos(), r * angle.sin(), z];
        // The ring stays around the axis: no corner moves farther than to the next multiple of an eighth.
        vertices.push(if grid { place.map(|c| (c * 8.0).round() / 8.0) } else { place });
    }
    let mut triangles = Vec::new();
    for k in 0..ring {
        let (p, q) = (2 + k, 2 + (k + 1) % ring);
        triangles.extend([[0, q, p], [1, p, q]]);
    }
    Shape { vertices: vertices.into_iter().map(DVec3::from_array).collect(), triangles }
}

/// A few cells, sheared by halves: edges that are not convex, and faces in common planes where two of them meet.
fn sheared(random: &mut Generator) -> Shape {
    let cells = Polycube::random(random, 2);
    let cells = if cells.cells.is_empty() { Polycube::block([0, 0, 0], [1, 1, 1]) } else { cells };
    let mut half = || f64::from(random.integer(-1..=1)) / 2.0;
    let (p, q) = (half(), half());
    Shape::new(cells.surface(1)).map(|v| DVec3::new(v.x + p * v.y, v.y, v.z + q * v.x))
}

/// The faces in the world, exactly.
fn placed(shape: &Shape, pose: &Pose) -> Vec<Face> {
    let (q, t) = (pose.rotation().to_array(), pose.translation().to_array());
    let corner = |&v: &u32| testkit::rigid::apply(q, t, shape.vertices[v as usize].to_array());
    shape.triangles.iter().map(|[a, b, c]| [corner(a), corner(b), corner(c)]).collect()
}

fn quotient(value: &testkit::Rational) -> f64 {
    use num_traits::ToPrimitive;
    value.to_f64().unwrap()
}

#[test]
fn volumes_are_those_of_clipped_tetrahedra() {
    let mut random = Generator::free(23);
    let mut query = MeshQuery::new();
    let (mut overlapping, mut left_out) = (0_u64, 0);
    for round in 0..cases(40) {
        let grid = round % 3 != 0;
        let shape =
            |random: &mut Generator| if random.index(3) == 0 { sheared(random) } else { star(random, grid) };
        let shapes = [shape(&mut random), shape(&mut random)];
        let mut poses = [Pose::IDENTITY; 2];
        poses[1] = match round % 4 {
            0 => Pose::IDENTITY,
            1 => bodies::pose(DQuat::IDENTITY, DVec3::new(f64::from(random.integer(-4..=4)) / 4.0, 0.5, 0.0)),
            2 => bodies::pose(bodies::exact_turns()[random.index(5)], DVec3::new(0.25, 0.0, 0.5)),
            _ => bodies::pose(
                DQuat::from_array(Generator::quaternion(&mut random)),
                DVec3::new(0.3, -0.2, 0.1),
            ),
        };
        let truth = common_volume(&placed(&shapes[0], &poses[0]), &placed(&shapes[1], &poses[1]));
        let [x, y] = [0, 1].map(|k: usize| shapes[k].shuffled(round + k as u64).mesh());
        let found = match query.overlap(PlacedMesh::new(&x, poses[0]), PlacedMesh::new(&y, poses[1])) {
            Ok(found) => found,
            // Cells that meet at an edge alone leave no way round for faces.
            Err(NotMeasured::NoBorder(_)) => {
                left_out += 1;
                continue;
            }
            Err(error) => panic!("round {round}: {error}"),
        };
        let range = found.volume;
        assert!(
            exact(range.lo()) <= truth && truth <= exact(range.hi()),
            "round {round}: {range:?}, truth {}",
            quotient(&truth)
        );
        assert!(range.width() <= 0.01 * quotient(&truth) + ROUNDING, "round {round}: {range:?}");
        let sum: f64 = found.regions.iter().map(|region| region.volume.hi()).sum();
        assert!(
            quotient(&truth) <= sum + ROUNDING,
            "round {round}: the regions have {sum}, truth {}",
            quotient(&truth)
        );
        overlapping += u64::from(range.lo() > 0.0);
    }
    assert!(
        overlapping > 10 * left_out && 2 * overlapping > cases(40),
        "{overlapping} overlap, {left_out} left out"
    );
}
