//! A second search of what changed, beside a search of everything: the same contacts, for every method and every choice of vertices.

use kontakt_math::DVec3;
use kontakt_soft_ccd::Kind;
use kontakt_soft_ccd::mesh::{FaceCells, MeshContact, Method, Options, Search, Step, StepError, Surface};
use testkit::Generator;

/// A wrinkled sheet of n × n vertices and a handful of triangles that fall on it.
fn scene(g: &mut Generator, n: u32) -> (Surface, Vec<DVec3>, Vec<DVec3>) {
    let (mut start, mut end, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let random = |g: &mut Generator| DVec3::new(g.unit(), g.unit(), g.unit());
    for i in 0..n * n {
        let at = DVec3::new(f64::from(i % n), f64::from(i / n), 0.0) + 0.3 * random(g);
        start.push(at);
        end.push(at + 0.3 * random(g));
        if i % n + 1 < n && i / n + 1 < n {
            triangles.push([i, i + 1, i + n]);
            triangles.push([i + 1, i + n + 1, i + n]);
        }
    }
    for _ in 0..n {
        let first = start.len() as u32;
        let centre = random(g) * f64::from(n) * DVec3::new(1.0, 1.0, 0.0) + DVec3::Z;
        let fall = DVec3::NEG_Z * 2.0 * g.unit();
        for _ in 0..3 {
            let at = centre + random(g);
            start.push(at);
            end.push(at + fall);
        }
        triangles.push([first, first + 1, first + 2]);
    }
    (Surface::new(start.len(), triangles).expect("valid"), start, end)
}

fn vertices(surface: &Surface, c: &MeshContact) -> Vec<u32> {
    match c.kind {
        Kind::VertexFace => [&[c.a][..], &surface.triangles()[c.b as usize]].concat(),
        Kind::EdgeEdge => [surface.edges()[c.a as usize], surface.edges()[c.b as usize]].concat(),
    }
}

#[test]
fn changed_pairs_are_those_of_the_full_search() {
    let (mut kept, mut left_out) = (0, 0);
    for seed in 0..30 {
        let mut g = Generator::free(seed);
        let n = 4 + g.index(9) as u32;
        let (surface, start, end) = scene(&mut g, n);
        let step = Step::new(&surface, &start, &end).expect("finite");
        let share = [0.0, 0.02, 0.2, 1.0][g.index(4)];
        let changed: Vec<bool> = start.iter().map(|_| g.unit() < share).collect();
        for (separation, method) in [
            (0.0, Method::Cells),
            (0.1, Method::Cells),
            (0.0, Method::Sweep),
            (0.05, Method::AllPairs),
            (0.0, Method::Hash { cell: None, table: None, faces: FaceCells::Tube }),
        ] {
            let options = Options { method, separation, ..Options::default() };
            let all = Search::new(&step, &options).contacts().contacts;
            let (expected, others): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|c| vertices(&surface, c).iter().any(|&v| changed[v as usize]));
            let found = Search::of_changed(&step, &options, &changed).expect("a mark a vertex");
            assert_eq!(found.contacts().contacts, expected, "seed {seed}, {options:?}");
            kept += expected.len();
            left_out += others.len();
        }
    }
    assert!(kept > 300 && left_out > 300, "generator drifted: {kept} {left_out}");
}

/// What lies off is not compared: twenty changed vertices of forty thousand.
#[test]
fn a_small_change_costs_little() {
    let mut g = Generator::free(5);
    let (surface, start, end) = scene(&mut g, 100);
    let step = Step::new(&surface, &start, &end).expect("finite");
    let mut changed = vec![false; start.len()];
    changed[5000..5010].fill(true);
    changed[200..210].fill(true);
    let all = Search::new(&step, &Options::default()).count_candidates();
    let some = Search::of_changed(&step, &Options::default(), &changed).expect("valid").count_candidates();
    assert!(some.edge_edge_candidates > 0);
    assert!(some.edge_edge_candidates * 50 < all.edge_edge_candidates);
}

#[test]
fn the_number_of_marks_is_checked() {
    let surface = Surface::new(3, vec![[0, 1, 2]]).expect("valid");
    let places = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let step = Step::new(&surface, &places, &places).expect("finite");
    let wrong = Search::of_changed(&step, &Options::default(), &[true]).map(|_| ());
    assert_eq!(wrong, Err(StepError::Changed { given: 1, vertices: 3 }));
    let none = Search::of_changed(&step, &Options::default(), &[false; 3]).expect("valid");
    assert!(none.contacts().contacts.is_empty());
}
