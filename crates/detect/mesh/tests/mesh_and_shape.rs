//! A mesh against a convex shape at rest equals the exact class of two meshes, the shape taken as one; distances too.

use kontakt_answers::{Relation, Side};
use kontakt_convex::{self as convex, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Mesh, MeshQuery, MeshShapeQuery, PlacedMesh, RelationOptions};
use kontakt_shapes::FaceSet;

struct Generator(fastrand::Rng);

impl Generator {
    /// A coordinate: a small integer or any number of that size.
    fn number(&mut self, grid: bool, size: i32) -> f64 {
        if grid { f64::from(self.0.i32(-size..=size)) } else { (self.0.f64() * 2.0 - 1.0) * f64::from(size) }
    }

    fn point(&mut self, grid: bool, size: i32) -> DVec3 {
        DVec3::new(self.number(grid, size), self.number(grid, size), self.number(grid, size))
    }

    /// A sharp polytope: box, hull, triangle, segment or point; also without an inside.
    fn polytope(&mut self, grid: bool) -> Shape {
        match self.0.u32(0..8) {
            0 => Shape::point(),
            1 => Shape::segment([self.point(grid, 2), self.point(grid, 2)]).unwrap(),
            2 => Shape::triangle([0; 3].map(|_| self.point(grid, 2))).unwrap(),
            3..=5 => Shape::cuboid(self.point(grid, 2).abs()).unwrap(),
            _ => {
                let points: Vec<DVec3> = (0..self.0.usize(4..9)).map(|_| self.point(grid, 2)).collect();
                Shape::hull(&points).unwrap()
            }
        }
    }

    /// Surfaces of one to three polytopes (disjoint, nested, crossing), or open triangles.
    fn faces(&mut self, grid: bool) -> FaceSet {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let mut add = |corners: Vec<DVec3>, faces: Vec<[u32; 3]>| {
            let first = vertices.len() as u32;
            vertices.extend(corners);
            triangles.extend(faces.into_iter().map(|t| t.map(|v| v + first)));
        };
        if self.0.u32(0..5) == 0 {
            for _ in 0..self.0.u32(1..4) {
                add([0; 3].map(|_| self.point(grid, 2)).to_vec(), vec![[0, 1, 2]]);
            }
        } else {
            for _ in 0..self.0.u32(1..4) {
                let surface = self.polytope(grid).surface().unwrap();
                let offset = self.point(grid, 2);
                add(surface.vertices.into_iter().map(|x| x + offset).collect(), surface.triangles);
            }
        }
        FaceSet::from_triangles(vertices, triangles).unwrap()
    }

    /// A mesh, a shape and their poses: nearly always close to each other; now and then the mesh is the shape's own boundary.
    fn scene(&mut self, grid: bool) -> (Mesh, Shape, [Pose; 2]) {
        let shape = self.polytope(grid);
        let poses = [self.pose(grid), self.pose(grid)];
        if self.0.u32(0..20) == 0 {
            return (as_mesh(&shape), shape, [poses[0]; 2]);
        }
        (Mesh::with_threads(self.faces(grid), 1).unwrap(), shape, poses)
    }

    fn pose(&mut self, grid: bool) -> Pose {
        let turns = [
            DQuat::IDENTITY,
            DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0),
            DQuat::from_xyzw(1.0, 2.0, 2.0, 4.0),
        ];
        let turn = if grid {
            turns[self.0.usize(0..turns.len())]
        } else {
            let [x, y, z, w] = [0; 4].map(|_| self.number(false, 1));
            DQuat::from_xyzw(x, y, z, w + 1.5)
        };
        Pose::new(turn.normalize(), self.point(grid, 1)).unwrap()
    }
}

fn as_mesh(shape: &Shape) -> Mesh {
    let surface = shape.surface().unwrap();
    Mesh::with_threads(FaceSet::from_triangles(surface.vertices, surface.triangles).unwrap(), 1).unwrap()
}

fn cases() -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000)
}

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

fn has_volume(shape: &Shape) -> bool {
    match shape.core() {
        convex::Core::Hull(hull) => hull.dimension() == 3,
        convex::Core::Box(half) => half.min_element() > 0.0,
        _ => false,
    }
}
