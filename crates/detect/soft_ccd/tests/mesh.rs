//! Contacts of deforming meshes: every method, number of threads and budget finds what comparing all pairs finds.

use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::{
    Among, FaceCells, Found, MeshContact, Method, Options, Search, Step, StepError, Surface,
};
use kontakt_soft_ccd::{Kind, first_contact, touches};
use std::ops::ControlFlow;
use testkit::Generator;

/// A mesh in a step.
struct Scene {
    surface: Surface,
    start: Vec<DVec3>,
    end: Vec<DVec3>,
}

impl Scene {
    fn step(&self) -> Step<'_> {
        Step::new(&self.surface, &self.start, &self.end).expect("finite")
    }

    fn found(&self, options: &Options) -> Found {
        Search::new(&self.step(), options).contacts()
    }
}

/// Random triangles over few vertices, some of them degenerate or double, in a step of size `motion`.
fn tangle(g: &mut Generator, vertices: usize, faces: usize, motion: f64) -> Scene {
    let start: Vec<DVec3> = (0..vertices).map(|_| DVec3::from_array(g.point())).collect();
    let end = start.iter().map(|p| *p + DVec3::from_array(g.point()) * motion).collect();
    let mut corner = || ((g.unit() * vertices as f64) as u32).min(vertices as u32 - 1);
    let mut triangles: Vec<[u32; 3]> = (0..faces).map(|_| [corner(), corner(), corner()]).collect();
    triangles.push(triangles[0]);
    triangles.push([triangles[0][0], triangles[0][0], triangles[0][1]]);
    Scene { surface: Surface::new(vertices, triangles).expect("valid"), start, end }
}

/// A wrinkled sheet of n × n vertices and another below, that move towards each other.
fn sheets(g: &mut Generator, n: usize, motion: f64) -> Scene {
    let (mut start, mut end, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for side in [1.0, -1.0] {
        let first = start.len() as u32;
        for i in 0..n * n {
            let flat = DVec3::new((i % n) as f64, (i / n) as f64, side);
            start.push(flat + DVec3::from_array(g.point()) * 0.3);
            end.push(start[start.len() - 1] + DVec3::from_array(g.point()) * 0.3 - DVec3::Z * side * motion);
        }
        let n = n as u32;
        for i in 0..n * n {
            if i % n + 1 < n && i / n + 1 < n {
                let at = first + i;
                triangles.push([at, at + 1, at + n]);
                triangles.push([at + 1, at + n + 1, at + n]);
            }
        }
    }
    Scene { surface: Surface::new(start.len(), triangles).expect("valid"), start, end }
}

/// The contacts by asking about every pair that shares no vertex, without any of the module's code.
fn brute_force(scene: &Scene) -> Vec<(Kind, u32, u32)> {
    let (surface, step) = (&scene.surface, scene.step());
    let mut contacts = Vec::new();
    for &v in surface.used_vertices() {
        for (f, corners) in surface.triangles().iter().enumerate() {
            if !corners.contains(&v) && touches(&step.query(Kind::VertexFace, v, f as u32).expect("exists")) {
                contacts.push((Kind::VertexFace, v, f as u32));
            }
        }
    }
    for (i, a) in surface.edges().iter().enumerate() {
        for (j, b) in surface.edges().iter().enumerate().skip(i + 1) {
            let apart = !b.contains(&a[0]) && !b.contains(&a[1]);
            if apart && touches(&step.query(Kind::EdgeEdge, i as u32, j as u32).expect("exists")) {
                contacts.push((Kind::EdgeEdge, i as u32, j as u32));
            }
        }
    }
    contacts
}

fn methods() -> Vec<Method> {
    let hash = |cell, table, faces| Method::Hash { cell, table, faces };
    vec![
        Method::Cells,
        Method::Sweep,
        Method::AllPairs,
        hash(None, None, FaceCells::Box),
        hash(None, Some(17), FaceCells::Tube),
        hash(Some(0.11), None, FaceCells::Tube),
        hash(Some(0.11), Some(1), FaceCells::ThreeTubes),
        hash(Some(0.3), None, FaceCells::ThreeTubes),
        hash(Some(1e-9), None, FaceCells::Box),
        hash(Some(1e9), Some(1000), FaceCells::Box),
    ]
}

/// Checks all methods against brute force; gives the number of contacts.
fn check(scene: &Scene) -> usize {
    let truth = brute_force(scene);
    let mut first: Option<Vec<MeshContact>> = None;
    for method in methods() {
        let options = Options { method, memory: 1 << 20, ..Options::default() };
        let found = scene.found(&options);
        let names: Vec<_> = found.contacts.iter().map(|c| (c.kind, c.a, c.b)).collect();
        assert_eq!(names, truth, "{method:?}");
        let counted = found.counts.vertex_face_contacts + found.counts.edge_edge_contacts;
        assert_eq!(counted, truth.len() as u64);
        let only_candidates = Search::new(&scene.step(), &options).count_candidates();
        assert_eq!(only_candidates.vertex_face_candidates, found.counts.vertex_face_candidates);
        assert_eq!(only_candidates.edge_edge_candidates, found.counts.edge_edge_candidates);
        let first = first.get_or_insert_with(|| found.contacts.clone());
        assert_eq!(found.contacts, *first, "{method:?}");
    }
    for contact in first.iter().flatten() {
        let query = scene.step().query(contact.kind, contact.a, contact.b).expect("exists");
        let outcome = first_contact(&query, 1e-9);
        let alone = outcome.verdict.contact().map(|c| (c.time, c.shares, c.normal));
        assert_eq!(alone, Some((contact.time, contact.weights, contact.normal)), "{contact:?}");
    }
    truth.len()
}

#[test]
fn tangles_of_reals() {
    let mut g = Generator::free(31);
    let counts: Vec<usize> = [(20, 20, 0.5), (60, 50, 0.1), (40, 40, 1.0), (50, 60, 0.02)]
        .map(|(vertices, faces, motion)| check(&tangle(&mut g, vertices, faces, motion)))
        .to_vec();
    assert!(counts.iter().sum::<usize>() > 300, "generator drifted: {counts:?}");
}

/// Small integers: vertices coincide, faces are coplanar, edges lie in one another, at rest and in motion.
#[test]
fn tangles_of_small_integers() {
    let mut g = Generator::grid(32);
    let mut contacts = 0;
    for (vertices, faces, motion) in [(6, 5, 1.0), (20, 20, 1.0), (40, 30, 0.0), (40, 30, 1.0)] {
        contacts += check(&tangle(&mut g, vertices, faces, motion));
    }
    assert!(contacts > 300, "{contacts}");
}

/// Sheets that pass through one another in one step, far beyond their thickness: nothing tunnels.
#[test]
fn sheets_that_pass_through_one_another() {
    let mut g = Generator::free(33);
    let through = sheets(&mut g, 6, 2.0);
    assert!(check(&through) > 50);
    let mut huge = sheets(&mut g, 5, 1e6);
    let contacts = check(&huge);
    assert!(contacts > 50, "{contacts}");
    // No motion, no contact; but what touches at rest touches.
    huge.end = huge.start.clone();
    assert_eq!(check(&huge), 0);
    huge.start[0] = huge.start[26];
    huge.end = huge.start.clone();
    assert!(check(&huge) > 0);
}

/// One body folds onto itself; between bodies there is nothing, and the other way round.
#[test]
fn within_and_between_bodies() {
    let strip =
        |z: f64| vec![DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.4, 0.4, z)];
    let triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 1]];
    let scene = Scene {
        surface: Surface::new(5, triangles.clone()).expect("valid"),
        start: strip(1.0),
        end: strip(-1.0),
    };
    assert!(check(&scene) > 0);
    let count = |scene: &Scene, among| scene.found(&Options { among, ..Options::default() }).contacts.len();
    assert_eq!(count(&scene, Among::Bodies), 0);
    assert_eq!(count(&scene, Among::Selves), count(&scene, Among::Everything));
    let surface = Surface::new(5, triangles).expect("valid").with_bodies(vec![0, 0, 0, 0, 1]).expect("five");
    let named = Scene { surface, ..scene };
    assert!(count(&named, Among::Bodies) > 0);
    assert_eq!(count(&named, Among::Bodies) + count(&named, Among::Selves), count(&named, Among::Everything));
}

#[test]
fn sizes_at_the_ends_of_the_range() {
    let mut g = Generator::free(34);
    for scale in [1e-300, 1e100, 1e300, f64::MAX / 8.0] {
        let mut scene = tangle(&mut g, 24, 20, 0.5);
        for p in scene.start.iter_mut().chain(&mut scene.end) {
            *p *= scale;
        }
        assert!(check(&scene) > 5, "{scale}");
    }
}

/// The contacts, their order and the counts do not depend on threads or memory; a visitor may stop.
#[test]
fn threads_and_memory_change_nothing() {
    let mut g = Generator::free(35);
    let scene = sheets(&mut g, 24, 2.0);
    let with = |threads: usize, memory: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| scene.found(&Options { memory, ..Options::default() }))
    };
    let one = with(1, 64 << 20);
    assert!(one.contacts.len() > 2_000, "{}", one.contacts.len());
    assert_eq!(one, with(2, 64 << 20));
    assert_eq!(one, with(2, 0));
    assert_eq!(one, with(1, 5000));
    let mut seen = 0;
    let step = scene.step();
    let search = Search::new(&step, &Options { memory: 0, ..Options::default() });
    let (counts, flow) = search.visit(|some| {
        seen += some.len() as u64;
        if seen > 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(flow.is_break() && (101..300).contains(&seen), "{seen}");
    assert!(counts.vertex_face_contacts >= seen && counts.edge_edge_contacts == 0);
}

#[test]
fn bad_places_are_named() {
    let surface = Surface::new(3, vec![[0, 1, 2]]).expect("valid");
    let good = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let bad = [DVec3::ZERO, DVec3::X, DVec3::new(0.0, f64::NAN, 0.0)];
    let step = |start: &[DVec3], end: &[DVec3]| Step::new(&surface, start, end).map(|_| ());
    assert_eq!(step(&good, &good), Ok(()));
    assert_eq!(step(&good, &bad), Err(StepError::NotFinite { vertex: 2, at_end: true }));
    assert_eq!(step(&good, &good[..2]), Err(StepError::Count { given: 2, vertices: 3, at_end: true }));
    let infinite = [DVec3::ZERO, DVec3::new(f64::INFINITY, 0.0, 0.0), DVec3::Y];
    assert_eq!(step(&infinite, &bad), Err(StepError::NotFinite { vertex: 1, at_end: false }));
    let empty = Surface::new(0, Vec::new()).expect("empty");
    let step = Step::new(&empty, &[], &[]).expect("empty");
    for method in methods() {
        let search = Search::new(&step, &Options { method, ..Options::default() });
        assert!(search.contacts().contacts.is_empty());
    }
    let step = Step::new(&surface, &good, &good).expect("good");
    assert!(step.query(Kind::VertexFace, 3, 0).is_none() && step.query(Kind::VertexFace, 0, 1).is_none());
    assert!(step.query(Kind::EdgeEdge, 0, 3).is_none() && step.query(Kind::EdgeEdge, 0, 2).is_some());
}
