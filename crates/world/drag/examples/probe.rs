use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Mesh, RelationOptions};
use kontakt_pair::{Body, Placed, Query};
use kontakt_shapes::make;
fn main() {
    let m = |f| Body::mesh(Mesh::new(f).unwrap());
    for (d, c) in [(8, 0.02), (8, 0.05), (16, 0.02), (16, 0.01), (12, 0.05)] {
        let (bulb, refl) = (m(make::bulb(d).unwrap()), m(make::reflector(d, c).unwrap()));
        for z in [-0.01, 0.0, 0.01, 0.03] {
            let p = Pose::new(DQuat::IDENTITY, DVec3::Z * z).unwrap();
            let mut q = Query::new();
            let r = q.relation(Placed::new(&bulb, p), Placed::at_rest(&refl), &RelationOptions::default());
            println!("{d} {c} {z} {:?}", r.exact);
        }
    }
    let (rod, nut) =
        (m(make::threaded_rod(8, 0.2, 24).unwrap()), m(make::threaded_nut(3, 0.2, 0.02, 24).unwrap()));
    for z in [0.6, 0.58, 0.62] {
        let p = Pose::new(DQuat::IDENTITY, DVec3::Z * z).unwrap();
        println!(
            "{:?}",
            Query::new()
                .relation(Placed::new(&nut, p), Placed::at_rest(&rod), &RelationOptions::default())
                .exact
        );
    }
}
