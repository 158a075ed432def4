//! Volumes, interferences and regions of overlaps, against counting cells, clipping and closed forms.

mod bodies;

use bodies::{Shape, exact_turns, pose, turned_back};
use kontakt_answers::Range;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Mesh, MeshQuery, NotMeasured, Overlap, PlacedMesh, Sinking, Sunk};
use kontakt_shapes::make;
use std::collections::BTreeSet;
use testkit::Generator;
use testkit::polycube::{Cell, Polycube};

fn cases(usual: u64) -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn holds(range: Range, truth: f64, slack: f64) -> bool {
    range.lo() <= truth + slack && truth - slack <= range.hi()
}

/// The squares of a polycube's surface: axis, and the lowest corner.
fn squares(body: &Polycube) -> Vec<(usize, Cell)> {
    let mut found = Vec::new();
    for &cell in &body.cells {
        for axis in 0..3 {
            for step in [-1, 1] {
                let mut next = cell;
                next[axis] += step;
                if !body.cells.contains(&next) {
                    let mut at = cell;
                    at[axis] += i32::from(step > 0);
                    found.push((axis, at));
                }
            }
        }
    }
    found
}

/// How deep a point is in a polycube: 0 outside, else its distance from the surface.
fn depth_in(body: &Polycube, squares: &[(usize, Cell)], x: DVec3) -> f64 {
    // Points on the surface are told by their distance.
    let near = squares.iter().map(|&(axis, at)| {
        let low = DVec3::from_array(at.map(f64::from));
        let mut high = low + DVec3::ONE;
        high[axis] = low[axis];
        x.distance(x.clamp(low, high))
    });
    let distance = near.fold(f64::INFINITY, f64::min);
    let cell = x.to_array().map(|c| c.floor() as i32);
    if body.cells.contains(&cell) { distance } else { 0.0 }
}

/// The depth of A's surface in B, sampled: at most this much too small.
const COARSE: f64 = 0.18;

fn sampled_interference(a: &Polycube, b: &Polycube) -> f64 {
    let walls = squares(b);
    let mut deepest: f64 = 0.0;
    for (axis, at) in squares(a) {
        for (i, j) in (0..=4).flat_map(|i| (0..=4).map(move |j| (i, j))) {
            let mut x = DVec3::from_array(at.map(f64::from));
            x[(axis + 1) % 3] += f64::from(i) * 0.25;
            x[(axis + 2) % 3] += f64::from(j) * 0.25;
            deepest = deepest.max(depth_in(b, &walls, x));
        }
    }
    deepest
}

fn pair(random: &mut Generator) -> (Polycube, Polycube) {
    let size = random.integer(2..=4);
    let (a, b) = (Polycube::random(random, size), Polycube::random(random, size));
    let shift = std::array::from_fn(|_| random.integer(-2..=2));
    let large = Polycube::block([-2, -2, -2], [6, 6, 6]);
    match random.index(8) {
        0 => (a.clone(), a),
        1 => (a.clone(), a.with(&b)),
        2 => (a.moved(shift).with(&b), b),
        3 => (a, large.without(&b)),
        4 => (large.clone().without(&a), large.without(&b.moved(shift))),
        _ => (a, b.moved(shift)),
    }
}

/// Bodies of cells have flush faces, common edges and common corners everywhere: all signs that can be zero are.
#[test]
fn volumes_of_cells_are_their_number() {
    let mut random = Generator::grid(11);
    let mut query = MeshQuery::new();
    let (mut measured, mut left_out) = (0, 0);
    for round in 0..cases(700) {
        let (a, b) = pair(&mut random);
        if a.cells.is_empty() || b.cells.is_empty() {
            continue;
        }
        let common = Polycube { cells: a.cells.intersection(&b.cells).copied().collect::<BTreeSet<_>>() };
        let mut shapes = [(&a, round), (&b, round + 7)].map(|(body, seed)| {
            Shape::new(body.surface(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))).shuffled(seed)
        });
        let turns = exact_turns();
        let mut poses = [Pose::IDENTITY; 2];
        let (mut scale, mut slack) = (1.0, 1e-9);
        match round % 4 {
            1 => {
                scale = 2f64.powi(-20);
                // Doubles are coarse there: a cell is 512 steps of them wide.
                slack = f64::INFINITY;
                shapes = shapes.map(|s| s.map(|v| v * scale + DVec3::splat(8_388_608.0)));
            }
            2 => {
                for k in 0..2 {
                    let q = turns[random.index(turns.len())];
                    shapes[k] = shapes[k].map(|v| turned_back(q, v));
                    poses[k] = pose(q, DVec3::ZERO);
                }
            }
            3 => poses = [pose(DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64), DVec3::new(0.1, 1e6, 0.0)); 2],
            _ => {}
        }
        let [x, y] = shapes.map(|s| s.mesh());
        let found = match query.overlap(PlacedMesh::new(&x, poses[0]), PlacedMesh::new(&y, poses[1])) {
            Ok(found) => found,
            // Cells that meet at an edge alone may leave no way round for faces.
            Err(NotMeasured::NoBorder(_)) => {
                left_out += 1;
                continue;
            }
            Err(error) => panic!("round {round}: {error}"),
        };
        measured += 1;
        let cube = scale * scale * scale;
        let volume = common.cells.len() as f64 * cube;
        assert!(
            holds(found.volume, volume, 0.0) && found.volume.width() <= slack * cube * 1e3,
            "round {round}: {:?}, truth {volume}",
            found.volume
        );
        let truth = [sampled_interference(&a, &b), sampled_interference(&b, &a)].map(|x| x * scale);
        for (range, truth) in found.interference.into_iter().zip(truth) {
            assert!(
                truth <= range.hi() && range.lo() <= truth + COARSE * scale,
                "round {round}: {range:?}, sampled {truth}"
            );
            assert!(range.width() <= 0.01 * range.hi() + slack * scale, "round {round}: {range:?}");
        }
        let pieces = common.pieces().len();
        assert!(found.regions.len() <= pieces && (pieces == 0) == found.regions.is_empty(), "round {round}");
        let sum: f64 = found.regions.iter().map(|region| region.volume.hi()).sum();
        assert!(sum >= volume * (1.0 - 1e-9), "round {round}: {sum} of {volume}");
    }
    println!("{measured} measured, {left_out} left out");
    assert!(measured > 5 * left_out);
}

/// A convex polyhedron by its corners, cut by planes.
#[derive(Clone)]
struct Polytope {
    faces: Vec<Vec<DVec3>>,
}

impl Polytope {
    fn block(half: DVec3, pose: &Pose) -> Polytope {
        let mut faces = Vec::new();
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let corner = |i: f64, j: f64| {
                    let mut x = DVec3::ZERO;
                    x[axis] = side * half[axis];
                    x[(axis + 1) % 3] = i * half[(axis + 1) % 3];
                    x[(axis + 2) % 3] = j * half[(axis + 2) % 3];
                    pose.apply(x)
                };
                let mut face = vec![corner(-1., -1.), corner(1., -1.), corner(1., 1.), corner(-1., 1.)];
                if side < 0.0 {
                    face.reverse();
                }
                faces.push(face);
            }
        }
        Polytope { faces }
    }

    fn plane(face: &[DVec3]) -> (DVec3, f64) {
        let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize();
        (normal, normal.dot(face[0]))
    }

    /// What is behind a plane.
    fn behind(&self, (normal, offset): (DVec3, f64)) -> Polytope {
        let mut faces = Vec::new();
        let mut rim: Vec<DVec3> = Vec::new();
        for face in &self.faces {
            let mut kept = Vec::new();
            for k in 0..face.len() {
                let (p, q) = (face[k], face[(k + 1) % face.len()]);
                let (h, j) = (normal.dot(p) - offset, normal.dot(q) - offset);
                if h <= 0.0 {
                    kept.push(p);
                }
                if (h <= 0.0) != (j <= 0.0) {
                    let at = p + (q - p) * (h / (h - j));
                    kept.push(at);
                    rim.push(at);
                }
            }
            if kept.len() > 2 {
                faces.push(kept);
            }
        }
        if rim.len() > 2 {
            let middle = rim.iter().sum::<DVec3>() / rim.len() as f64;
            let (u, v) = normal.any_orthonormal_pair();
            rim.sort_by(|p, q| {
                let angle = |x: &DVec3| (*x - middle).dot(v).atan2((*x - middle).dot(u));
                angle(p).total_cmp(&angle(q))
            });
            faces.push(rim);
        }
        Polytope { faces }
    }

    fn volume(&self) -> f64 {
        let Some(origin) = self.faces.first().map(|face| face[0]) else { return 0.0 };
        let cone = |face: &Vec<DVec3>| {
            let fan = (2..face.len())
                .map(|k| (face[0] - origin).dot((face[k - 1] - origin).cross(face[k] - origin)));
            fan.sum::<f64>().abs() / 6.0
        };
        self.faces.iter().map(cone).sum()
    }
}

fn random_pose(random: &mut Generator, reach: f64) -> Pose {
    let mut unit = || 2.0 * random.unit() - 1.0;
    let q = DQuat::from_xyzw(unit(), unit(), unit(), unit()).normalize();
    Pose::new(q, DVec3::new(unit(), unit(), unit()) * reach).unwrap()
}

fn block(half: DVec3) -> Mesh {
    Shape::block((-half).to_array(), half.to_array()).mesh()
}

/// How deep a point of the world is in a turned block.
fn depth_in_block(half: DVec3, pose: &Pose, x: DVec3) -> f64 {
    let inside = half - (pose.rotation().conjugate() * (x - pose.translation())).abs();
    inside.min_element().max(0.0)
}

#[test]
fn turned_blocks_have_the_volume_of_the_cut_and_the_depth_of_samples() {
    let mut random = Generator::free(5);
    let mut query = MeshQuery::new();
    let mut overlapping = 0;
    for round in 0..cases(3_000) {
        let mut half = || DVec3::new(random.unit(), random.unit(), random.unit()) + 0.05;
        let halves = [half(), half()];
        let poses = [random_pose(&mut random, 0.7), random_pose(&mut random, 0.7)];
        let meshes = halves.map(block);
        let [x, y] = [0, 1].map(|k: usize| PlacedMesh::new(&meshes[k], poses[k]));
        let found = query.overlap(x, y).unwrap();
        let solids = [0, 1].map(|k: usize| Polytope::block(halves[k], &poses[k]));
        let cut = |a: &Polytope, b: &Polytope| {
            b.faces.iter().fold(a.clone(), |body, face| body.behind(Polytope::plane(face)))
        };
        let volume = cut(&solids[0], &solids[1]).volume();
        assert!(holds(found.volume, volume, 1e-12), "round {round}: {:?}, truth {volume}", found.volume);
        assert!(found.volume.width() <= 1e-2 * volume + 1e-12, "round {round}: {:?}", found.volume);
        let regions = found.regions.len();
        assert!(regions <= 1 && (regions == 1 || volume <= 1e-12), "round {round}: {volume}");
        overlapping += usize::from(volume > 1e-12);
        // The depth in a convex body is largest at a corner of what lies in it, or where walls are equally far.
        for k in 0..2 {
            let common = cut(&solids[k], &solids[1 - k]);
            let own: Vec<(DVec3, f64)> = solids[k].faces.iter().map(|f| Polytope::plane(f)).collect();
            let mut deepest: f64 = 0.0;
            for face in &common.faces {
                let middle = face.iter().sum::<DVec3>() / face.len() as f64;
                if !own.iter().any(|(n, o)| (n.dot(middle) - o).abs() < 1e-9) {
                    continue;
                }
                for corner in face {
                    for step in 0..=20 {
                        let x = corner.lerp(middle, f64::from(step) / 20.0);
                        deepest = deepest.max(depth_in_block(halves[1 - k], &poses[1 - k], x));
                    }
                }
            }
            let range = found.interference[k];
            assert!(deepest <= range.hi() + 1e-12, "round {round}: {range:?}, sampled {deepest}");
            assert!(range.width() <= 0.01 * range.hi() + 1e-11, "round {round}: {range:?}");
            let most = (0.98 * range.lo()).max(0.0);
            assert!(deepest >= 0.5 * most, "round {round}: {range:?}, sampled {deepest}");
        }
    }
    assert!(overlapping > 500, "{overlapping}");
}

/// A ring of points extruded along z, its normals outward.
fn prism(count: u32, radius: f64, low: f64, high: f64, phase: f64) -> Shape {
    let at = |k: u32, z: f64| {
        let angle = (f64::from(k % count) + phase) / f64::from(count) * std::f64::consts::TAU;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let mut vertices: Vec<DVec3> = (0..count).map(|k| at(k, low)).collect();
    vertices.extend((0..count).map(|k| at(k, high)));
    vertices.extend([DVec3::Z * low, DVec3::Z * high]);
    let n = count;
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
        triangles.extend([[2 * n, next, k], [2 * n + 1, n + k, n + next]]);
    }
    Shape { vertices, triangles }
}

/// A plate with a round hole through it, of as many corners.
fn plate(count: u32, hole: f64, half: f64, thickness: f64) -> Shape {
    let at = |k: u32, outer: bool, z: f64| {
        let angle = f64::from(k % count) / f64::from(count) * std::f64::consts::TAU;
        let way = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let reach = if outer { half / way.abs().max_element() } else { hole };
        way * reach + DVec3::Z * z
    };
    let mut vertices = Vec::new();
    for (outer, z) in [(true, 0.0), (true, thickness), (false, thickness), (false, 0.0)] {
        vertices.extend((0..count).map(|k| at(k, outer, z)));
    }
    let n = count;
    let mut triangles = Vec::new();
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        for k in 0..n {
            let next = (k + 1) % n;
            triangles.extend([[a * n + k, a * n + next, b * n + next], [a * n + k, b * n + next, b * n + k]]);
        }
    }
    Shape { vertices, triangles }
}

fn overlap(a: &Shape, b: &Shape) -> Overlap {
    MeshQuery::new().overlap(PlacedMesh::at_rest(&a.mesh()), PlacedMesh::at_rest(&b.mesh())).unwrap()
}

/// The bolt that sits deep in a hole a little too narrow for it interferes by the difference of the radii, however long it is.
#[test]
fn a_bolt_too_wide_for_its_hole_interferes_by_the_difference_of_radii() {
    for (count, phase) in [(48, 0.0), (48, 0.5), (64, 0.3)] {
        let bolt = prism(count, 5.05, -10.0, 20.0, phase);
        let found = overlap(&plate(48, 5.0, 20.0, 8.0), &bolt);
        let [in_plate, in_bolt] = [found.interference[1], found.interference[0]];
        assert_eq!(found.regions.len(), 1, "{:?}", found.regions);
        for range in [in_plate, in_bolt] {
            // A corner of the bolt over the middle of a facet of the hole is deepest: no depth is more, none is proven to be.
            let most = 5.05 - 5.0 * (std::f64::consts::PI / 48.0).cos();
            assert!(range.lo() <= most && range.lo() > 0.04, "{count} {phase}: {range:?}");
            assert!(range.width() <= 0.01 * range.hi(), "{count} {phase}: {range:?}");
        }
        let section = |n: f64, r: f64| 0.5 * n * (std::f64::consts::TAU / n).sin() * r * r;
        if phase == 0.0 {
            let truth = (section(48.0, 5.05) - section(48.0, 5.0)) * 8.0;
            assert!(holds(found.volume, truth, 1e-9), "{:?}, truth {truth}", found.volume);
        }
        assert!(found.volume.width() < 0.01 * found.volume.hi(), "{:?}", found.volume);
    }
}

/// Balls of many faces: between the lens of the balls inscribed in them and that of the balls around them.
#[test]
fn balls_of_many_faces_have_the_lens_of_balls() {
    let ball = make::bumpy_ball(24, 0.0).unwrap();
    let inner = ball.triangles().iter().fold(f64::INFINITY, |least, triangle| {
        let [a, b, c] = triangle.map(|v| ball.vertices()[v as usize]);
        least.min((b - a).cross(c - a).normalize().dot(a).abs())
    });
    let mesh = Mesh::with_threads(ball, 1).unwrap();
    let lens = |r: f64, d: f64| std::f64::consts::PI / 12.0 * (4.0 * r + d) * (2.0 * r - d).powi(2);
    let mut random = Generator::free(9);
    for _ in 0..cases(40).min(400) {
        let far = 0.5 + 1.4 * random.unit();
        let turn = random_pose(&mut random, 0.0);
        let there = Pose::new(turn.given_rotation(), turn.rotation() * DVec3::X * far).unwrap();
        let found =
            MeshQuery::new().overlap(PlacedMesh::at_rest(&mesh), PlacedMesh::new(&mesh, there)).unwrap();
        let (low, high) = (lens(inner, far), lens(1.0, far));
        assert!(found.volume.hi() >= low && found.volume.lo() <= high, "{far}: {:?}", found.volume);
        assert!(found.volume.width() <= 1e-6, "{far}: {:?}", found.volume);
        for range in found.interference {
            // The surface point nearest to the other's middle is as far from the own one as the radii say.
            let nearest = (1.0 - far).abs().max((inner - far).abs());
            assert!(range.hi() >= inner - nearest, "{far}: {range:?}");
            let farthest =
                if (inner..=1.0).contains(&far) { 0.0 } else { (1.0 - far).abs().min((inner - far).abs()) };
            assert!(range.lo() <= 1.0 - farthest + 1e-12, "{far}: {range:?}");
            assert!(range.width() <= 0.01 * range.hi() + 1e-12, "{far}: {range:?}");
        }
    }
}

/// A pin through a sheet and back again: two regions; a tube: one, with a hole.
#[test]
fn regions_are_told_apart() {
    let sheet = Shape::block([-10., -10., -0.5], [10., 10., 0.5]);
    let legs = prism(12, 1.0, -2.0, 2.0, 0.2);
    let two = legs.moved(3.0, 0.0, 0.0).with(&legs.moved(-3.0, 0.0, 0.0));
    let found = overlap(&sheet, &two);
    assert_eq!(found.regions.len(), 2, "{:?}", found.regions);
    let tube = plate(24, 2.0, 3.0, 4.0).moved(0.0, 0.0, -2.0);
    let found = overlap(&sheet, &tube);
    assert_eq!(found.regions.len(), 1, "{:?}", found.regions);
    let region = &found.regions[0];
    assert!((region.extent[1] - region.extent[0]).abs_diff_eq(DVec3::new(6.0, 6.0, 1.0), 1e-9));
    // A hollow: a thick shell in a block with a room in its middle.
    let room = |half: f64| Shape::block([-half; 3], [half; 3]);
    let mut hollow = room(3.0);
    let inner = room(2.0);
    let start = hollow.vertices.len() as u32;
    hollow.vertices.extend(&inner.vertices);
    hollow.triangles.extend(inner.triangles.iter().map(|t| [t[0] + start, t[2] + start, t[1] + start]));
    let found = overlap(&hollow, &room(5.0));
    assert_eq!(found.regions.len(), 1, "{:?}", found.regions);
    assert!(holds(found.volume, 216.0 - 64.0, 0.0), "{:?}", found.volume);
}

#[test]
fn the_same_body_twice_is_coincident() {
    let body = prism(16, 2.0, 0.0, 3.0, 0.0);
    let found = overlap(&body, &body);
    assert!(found.regions[0].is_coincident(), "{found:?}");
    assert!(found.depth().hi() < 1e-11);
    let near = overlap(&body, &body.moved(1e-10, 2e-10, 0.0));
    assert!(near.regions[0].is_coincident(), "{near:?}");
    let apart = overlap(&body, &body.moved(1.0, 0.0, 0.0));
    assert!(!apart.regions[0].is_coincident(), "{apart:?}");
}

/// The gravest answer for the faces of A, seen from B. None of them lies deeper in B than the interference, and one as deep.
fn sunk(a: &Mesh, pose: &Pose, b: &Mesh, depth: f64) -> Sunk {
    let mut worst = Sunk::Within;
    for face in 0..a.faces().triangles().len() {
        let points = a.faces().triangle_points(face).map(|x| pose.apply(x));
        let sinking = Sinking { points: &points, blur: 1e-14, depth };
        match b.sunk(&sinking, &mut 20_000) {
            Sunk::Within => {}
            Sunk::Open => worst = if worst == Sunk::Within { Sunk::Open } else { worst },
            deeper @ Sunk::Deeper(_) => worst = deeper,
        }
    }
    worst
}

#[test]
fn faces_are_sunk_by_their_interference() {
    let mut random = Generator::free(17);
    let mut query = MeshQuery::new();
    let mut deep = 0;
    for round in 0..cases(300) {
        let mut half = || DVec3::new(random.unit(), random.unit(), random.unit()) + 0.1;
        let (first, second) = (half(), half());
        let pose = random_pose(&mut random, 1.0);
        let (a, b) = match round % 3 {
            0 => (block(first), block(second)),
            1 => (prism(5, first.x, -first.y, first.z, 0.2).mesh(), block(second)),
            _ => (block(first), plate(9, 0.7, 1.5, second.z).mesh()),
        };
        let found = query.overlap(PlacedMesh::new(&a, pose), PlacedMesh::at_rest(&b)).unwrap();
        let range = found.interference[0];
        let enough = 1.001 * range.hi() + 1e-6;
        assert_eq!(sunk(&a, &pose, &b, enough), Sunk::Within, "round {round}: {range:?}");
        if range.lo() > 1e-6 {
            deep += 1;
            let found = sunk(&a, &pose, &b, 0.999 * range.lo());
            let Sunk::Deeper(point) = found else { panic!("round {round}: {range:?}, {found:?}") };
            let near = b.nearest(point).unwrap().distance;
            assert!(
                near.hi() >= 0.999 * range.lo() && near.lo() <= range.hi() + 1e-9,
                "round {round}: {near:?}"
            );
        }
    }
    assert!(deep > 60, "the generator drifted: {deep}");
}

/// A block of space: all of its points are meant, not its corners alone.
#[test]
fn pieces_of_space_are_sunk_by_their_deepest_point() {
    let body = plate(32, 2.0, 6.0, 1.0).mesh();
    let piece = |low: DVec3, high: DVec3| {
        [low, high, low.with_x(high.x), low.with_y(high.y), low.with_z(high.z)]
            .into_iter()
            .chain([high.with_x(low.x), high.with_y(low.y), high.with_z(low.z)])
            .collect::<Vec<DVec3>>()
    };
    let ask =
        |points: &[DVec3], blur: f64, depth: f64| body.sunk(&Sinking { points, blur, depth }, &mut 20_000);
    // Across the whole plate and the hole: the middle of the plate is ½ deep.
    let across = piece(DVec3::new(-20.0, -0.1, -3.0), DVec3::new(20.0, 0.1, 3.0));
    assert_eq!(ask(&across, 0.0, 0.501), Sunk::Within);
    assert!(matches!(ask(&across, 0.0, 0.499), Sunk::Deeper(_)));
    // In the hole, and with a blur that reaches into the wall.
    let within = piece(DVec3::new(-1.2, -1.2, -3.0), DVec3::new(1.2, 1.2, 3.0));
    assert_eq!(ask(&within, 0.0, 1e-3), Sunk::Within);
    assert_eq!(ask(&within, 0.01, 0.1), Sunk::Within);
    assert_eq!(ask(&within, 0.5, 0.6), Sunk::Open, "too much blur beside the depth");
    assert_eq!(ask(&within, 0.0, 0.0), Sunk::Open);
    assert_eq!(body.sunk(&Sinking { points: &across, blur: 0.0, depth: 0.501 }, &mut 3), Sunk::Open);
}

#[test]
fn what_has_no_border_is_not_measured() {
    let solid = Shape::block([0.; 3], [2.; 3]);
    let crossing = solid.clone().with(&solid.moved(1.0, 1.0, 1.0)).mesh();
    let open = Shape::square([0., 0.], [1., 1.], 0.5).mesh();
    let plain = solid.mesh();
    let ask = |a: &Mesh, b: &Mesh| MeshQuery::new().overlap(PlacedMesh::at_rest(a), PlacedMesh::at_rest(b));
    assert_eq!(ask(&crossing, &plain), Err(NotMeasured::NoBorder(kontakt_answers::Side::A)));
    assert_eq!(ask(&plain, &open), Err(NotMeasured::Open(kontakt_answers::Side::B)));
}
