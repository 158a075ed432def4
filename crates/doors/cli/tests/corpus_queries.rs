//! Queries on real meshes, where the corpus is present (`KONTAKT_DATA`; `cargo xtask test` sets it): all ways of asking agree.

use kontakt::answers::{OverlapKind, Range, Relation, Side};
use kontakt::io::{ReadOptions, Split, read};
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::mesh::{FacePair, Location, Mesh, MeshQuery, PlacedMesh, Ray, RelationOptions};
use std::path::{Path, PathBuf};
use testkit::generate::Generator;

/// The folder of meshes, or `None` with a word about it.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("KONTAKT_DATA").map(|folder| Path::new(&folder).join("mesh"));
    if folder.is_none() {
        println!("skipped: corpus not present (KONTAKT_DATA is not set)");
    }
    folder
}

fn bodies(path: &Path, split: Split) -> Vec<Mesh> {
    let loaded = read(path, &ReadOptions { split, ..ReadOptions::default() }).unwrap();
    loaded.bodies.into_iter().map(|body| Mesh::with_threads(body.faces, 1).unwrap()).collect()
}

fn body(folder: &Path, name: &str) -> Mesh {
    bodies(&folder.join(name), Split::Objects).remove(0)
}

/// A place within `low` and `high`.
fn random_place(random: &mut Generator, low: DVec3, high: DVec3) -> DVec3 {
    low + (high - low) * DVec3::new(random.unit(), random.unit(), random.unit())
}

/// FCL's environment and robot at random poses: contact, pairs, distance and clearance agree with each other, in both orders.
#[test]
fn all_queries_agree_on_the_environment_and_the_robot() {
    let Some(folder) = folder() else { return };
    let (env, rob) = (body(&folder, "env.obj"), body(&folder, "rob.obj"));
    let mut random = Generator::free(7);
    let mut asker = MeshQuery::new();
    let mut contacts = 0;
    for _ in 0..200 {
        let place = random_place(&mut random, DVec3::splat(-3000.0), DVec3::splat(3000.0));
        let pose = Pose::new(DQuat::from_array(random.quaternion()), place).unwrap();
        let (a, b) = (PlacedMesh::at_rest(&env), PlacedMesh::new(&rob, pose));
        let pairs = asker.all_pairs(a, b).to_vec();
        let contact = asker.any_contact(a, b);
        assert_eq!(contact.is_some(), !pairs.is_empty());
        assert!(contact.is_none_or(|pair| pairs.contains(&pair)));
        let mut swapped: Vec<FacePair> = asker.all_pairs(b, a).iter().map(|pair| pair.swapped()).collect();
        swapped.sort_unstable();
        assert_eq!(pairs, swapped);
        let distance = asker.distance(a, b);
        let back = asker.distance(b, a);
        assert_eq!(distance.range == Range::ZERO, contact.is_some(), "{distance:?}");
        assert!(distance.range.lo() <= back.range.hi() && back.range.lo() <= distance.range.hi());
        assert!(distance.range.width() <= 1e-11 * (6000.0 + distance.range.hi()), "{distance:?}");
        let apart = distance.point_a.distance(distance.point_b);
        assert!((apart - distance.range.hi()).abs() <= 1e-9 * (6000.0 + apart), "{distance:?}");
        for clearance in [distance.range.lo() * 0.99, distance.range.hi() * 1.01 + 1.0] {
            let within = asker.within(a, b, clearance);
            let expected = contact.is_some() || clearance > distance.range.hi();
            assert_eq!(within.closer, Some(expected), "{within:?} {clearance}");
        }
        contacts += usize::from(contact.is_some());
    }
    assert!((40..190).contains(&contacts), "poses drifted: {contacts} contacts");
}

/// Relations that are known of the corpus, and the same with the bodies in the other order.
#[test]
fn relations_of_known_pairs() {
    let Some(folder) = folder() else { return };
    let mut asker = MeshQuery::new();
    let mut relation = |a: &Mesh, b: &Mesh| {
        let (a, b) = (PlacedMesh::at_rest(a), PlacedMesh::at_rest(b));
        let options = RelationOptions::default();
        let there = asker.relation(a, b, &options).exact;
        let back = asker.relation(b, a, &options).exact;
        assert_eq!(std::mem::discriminant(&there), std::mem::discriminant(&back));
        if let (Relation::Contained { inner }, Relation::Contained { inner: other }) = (there, back) {
            assert_eq!(inner, other.other());
        }
        there
    };
    let [screw, nut] = ["screw-big.obj", "nut-big.obj"].map(|name| body(&folder, name));
    let apart = relation(&screw, &nut);
    assert!(
        matches!(apart, Relation::Separate { distance } if distance.lo() > 0.016 && distance.hi() < 0.017)
    );
    assert_eq!(relation(&nut, &nut), Relation::Duplicate);

    let spheres = bodies(&folder.join("spheres_intersecting.off"), Split::Components);
    assert_eq!(spheres.len(), 2);
    let overlap = relation(&spheres[0], &spheres[1]);
    let protruding = |relation: &Relation| {
        matches!(relation, Relation::Overlapping { kind: Some(OverlapKind::Protruding), depth: Some(_) })
    };
    assert!(protruding(&overlap), "{overlap:?}");

    let [torus, oloid] = ["torus.obj", "oloid.obj"].map(|name| body(&folder, name));
    assert_eq!(relation(&torus, &oloid), Relation::Contained { inner: Side::A });
}

/// Every closed body of the corpus: the nearest point of a random point is as far as the distance says, and the parity of
/// all ray hits agrees with inside, unless the ray meets an edge.
#[test]
fn rays_nearest_points_and_insides_agree() {
    let Some(folder) = folder() else { return };
    let mut random = Generator::free(11);
    let (mut inside, mut asked) = (0, 0);
    for name in ["nut-big.obj", "fandisk.obj", "torus.STL", "knot2.off", "cheese.off"] {
        let mesh = body(&folder, name);
        assert!(mesh.is_closed(), "{name}");
        let points = mesh.faces().vertices();
        let (low, high) =
            points.iter().fold((points[0], points[0]), |(low, high), &p| (low.min(p), high.max(p)));
        for _ in 0..60 {
            let point = random_place(&mut random, low, high);
            let nearest = mesh.nearest(point).unwrap();
            let apart = nearest.point.distance(point);
            assert!(
                (nearest.distance.hi() - apart).abs() <= 1e-12 * (1.0 + high.length() + low.length()),
                "{name}"
            );
            let verdict = mesh.inside(point).verdict;
            let direction = DVec3::from_array(random.point());
            if direction == DVec3::ZERO || verdict == Location::OnBoundary {
                continue;
            }
            let ray = Ray::new(point, direction).unwrap();
            let hits = mesh.ray_hits(ray, f64::INFINITY);
            assert_eq!(mesh.ray(ray, f64::INFINITY).as_ref(), hits.first());
            assert_eq!(verdict == Location::Inside, hits.len() % 2 == 1, "{name} {point}");
            inside += usize::from(verdict == Location::Inside);
            asked += 1;
        }
    }
    assert!(asked > 250 && (30..200).contains(&inside), "points drifted: {inside} of {asked} inside");
}
