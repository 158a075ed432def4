//! A mesh against a convex shape at rest equals the exact class of two meshes, the shape taken as one; distances too.

mod help;

use help::{Generator, as_mesh, cases, has_volume};
use kontakt_answers::{Relation, Side};
use kontakt_convex::{self as convex, Verdict};
use kontakt_mesh::{MeshQuery, MeshShapeQuery, PlacedMesh, RelationOptions};

fn class(relation: &Relation) -> &'static str {
    match relation {
        Relation::Separate { .. } => "separate",
        Relation::Touching => "touching",
        Relation::Overlapping { .. } => "overlapping",
        Relation::Contained { inner: Side::A } => "mesh inside",
        Relation::Contained { inner: Side::B } => "shape inside",
        Relation::Duplicate => "duplicate",
        Relation::Undecided { .. } => "undecided",
    }
}

#[test]
fn verdict_and_distance_are_those_of_the_shape_as_a_mesh() {
    let (mut faces, mut asker) = (MeshQuery::new(), MeshShapeQuery::new());
    let mut seen = std::collections::BTreeMap::<&str, u64>::new();
    for seed in 0..cases() {
        let mut random = Generator(fastrand::Rng::with_seed(seed));
        let grid = seed % 2 == 0;
        let (body, shape, [at, there]) = random.scene(grid);
        let as_mesh = as_mesh(&shape);
        let (a, b) = (PlacedMesh::new(&body, at), convex::PlacedShape::new(&shape, there));
        let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
        let exact = faces.relation(a, PlacedMesh::new(&as_mesh, there), &options).exact;
        let expected = match exact {
            Relation::Separate { .. } => Verdict::Separate,
            Relation::Touching => Verdict::Touching,
            _ => Verdict::Overlapping,
        };
        *seen.entry(class(&exact)).or_default() += 1;
        let verdict = asker.intersect(a, b);
        // Two bodies without volume meet as sheets do: what crosses there is a matter of faces, not of the difference of sets.
        let flat = !has_volume(&shape) && !body.is_closed();
        if !flat {
            assert_eq!(verdict == Verdict::Separate, expected == Verdict::Separate, "seed {seed}: {exact:?}");
        }
        let right = verdict == expected || !has_volume(&shape);
        assert!(right, "seed {seed}: {verdict:?} where two meshes are {exact:?}");
        let distance = asker.distance(a, b).range;
        if let Relation::Separate { distance: truth } = exact {
            assert!(
                distance.lo() <= truth.hi() && truth.lo() <= distance.hi(),
                "seed {seed}: {distance:?} {truth:?}"
            );
            assert!(distance.width() <= 1e-9 * (1.0 + distance.hi()), "seed {seed}: {distance:?}");
        } else {
            assert_eq!(distance.lo(), 0.0, "seed {seed}: {distance:?} where {exact:?}");
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
    println!("{seen:?}");
}
