//! Where and when features of a deforming mesh touch or come too close, against exact arithmetic: distances at a time are taken in
//! rationals, weights and points are held against them.

use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::{FaceCells, MeshContact, Method, Options, Search, Step, Surface};
use kontakt_soft_ccd::{Kind, Query};
use testkit::Generator;
use testkit::min_norm::nearest_difference;
use testkit::rational::{Rational, Vector, add, dot, exact, scale, vector};

struct Scene {
    surface: Surface,
    start: Vec<DVec3>,
    end: Vec<DVec3>,
}

impl Scene {
    fn step(&self) -> Step<'_> {
        Step::new(&self.surface, &self.start, &self.end).expect("finite")
    }

    fn contacts(&self, options: &Options) -> Vec<MeshContact> {
        Search::new(&self.step(), options).contacts().contacts
    }
}

/// Two wrinkled sheets of n × n vertices; the upper one falls by `way`.
fn sheets(g: &mut Generator, n: u32, way: f64) -> Scene {
    let (mut start, mut end, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for side in [1.0, 0.0] {
        let first = start.len() as u32;
        for i in 0..n * n {
            let flat = DVec3::new(f64::from(i % n), f64::from(i / n), side);
            let at = flat + DVec3::from_array(g.point()) * 0.2;
            start.push(at);
            end.push(at + DVec3::from_array(g.point()) * 0.1 - DVec3::Z * side * way);
            if i % n + 1 < n && i / n + 1 < n {
                let at = first + i;
                triangles.push([at, at + 1, at + n]);
                triangles.push([at + 1, at + n + 1, at + n]);
            }
        }
    }
    Scene { surface: Surface::new(start.len(), triangles).expect("valid"), start, end }
}

/// Vertices on small integers: coplanar, coincident and degenerate features abound.
fn tangle(g: &mut Generator) -> Scene {
    let start: Vec<DVec3> = (0..14).map(|_| DVec3::from_array(g.point())).collect();
    let end = start.iter().map(|p| *p + DVec3::from_array(g.point())).collect();
    let mut corner = || ((g.unit() * 14.0) as u32).min(13);
    let triangles = (0..12).map(|_| [corner(), corner(), corner()]).collect();
    Scene { surface: Surface::new(14, triangles).expect("valid"), start, end }
}

/// The exact squared distance of a pair at a time.
fn distance_squared(query: &Query, t: f64) -> Rational {
    let (t, rest) = (exact(t), Rational::from_integer(1.into()) - exact(t));
    let at = |i: usize| -> Vector {
        add(
            &scale(&rest, &vector(query.start()[i].to_array())),
            &scale(&t, &vector(query.end()[i].to_array())),
        )
    };
    let [a, b, c, d] = [0, 1, 2, 3].map(at);
    let shortest = match query.kind() {
        Kind::VertexFace => nearest_difference(&[a], &[b, c, d]),
        Kind::EdgeEdge => nearest_difference(&[a, b], &[c, d]),
    };
    dot(&shortest, &shortest)
}

fn every_pair(scene: &Scene) -> Vec<(Kind, u32, u32)> {
    let surface = &scene.surface;
    let mut pairs = Vec::new();
    for &v in surface.used_vertices() {
        let faces = surface.triangles().iter().enumerate().filter(|(_, corners)| !corners.contains(&v));
        pairs.extend(faces.map(|(f, _)| (Kind::VertexFace, v, f as u32)));
    }
    for (i, a) in surface.edges().iter().enumerate() {
        for (j, b) in surface.edges().iter().enumerate().skip(i + 1) {
            if !b.contains(&a[0]) && !b.contains(&a[1]) {
                pairs.push((Kind::EdgeEdge, i as u32, j as u32));
            }
        }
    }
    pairs
}

fn methods() -> [Method; 6] {
    let hash = |cell, faces| Method::Hash { cell, table: None, faces };
    [
        Method::Cells,
        Method::Sweep,
        Method::AllPairs,
        hash(None, FaceCells::Box),
        hash(Some(0.2), FaceCells::Tube),
        hash(Some(0.3), FaceCells::ThreeTubes),
    ]
}

/// All methods agree; what is named comes within the distance when it says, and not before; what is not named never does.
fn check_separation(scene: &Scene, separation: f64, samples: u32) -> usize {
    let options = |method| Options { method, separation, memory: 1 << 16, ..Options::default() };
    let found = scene.contacts(&options(Method::AllPairs));
    for method in methods() {
        assert_eq!(scene.contacts(&options(method)), found, "{method:?}");
    }
    let squared = |x: f64| exact(x) * exact(x);
    let step = scene.step();
    for (kind, a, b) in every_pair(scene) {
        let query = step.query(kind, a, b).expect("exists");
        let contact = found.iter().find(|c| (c.kind, c.a, c.b) == (kind, a, b));
        let farther_until = contact.map_or(1.0, |c| c.time.lo());
        for k in 0..samples {
            let t = farther_until * f64::from(k) / f64::from(samples);
            let is_before = contact.is_none() || t < farther_until;
            assert!(!is_before || distance_squared(&query, t) > squared(separation), "{t}: {query:?}");
        }
        if let Some(contact) = contact {
            assert!((0.0..=1e-6 * separation).contains(&contact.excess));
            let most = exact(separation) + exact(contact.excess);
            assert!(distance_squared(&query, contact.time.hi()) <= &most * &most, "{contact:?}");
            check_place(&query, contact, contact.time.hi());
        }
    }
    found.len()
}

/// Weights are weights, the points are theirs, their distance is the exact one but for rounding, and the normal leads from A to B.
fn check_place(query: &Query, contact: &MeshContact, t: f64) {
    let sides: [&[usize]; 2] = match contact.kind {
        Kind::VertexFace => [&[0], &[1, 2, 3]],
        Kind::EdgeEdge => [&[0, 1], &[2, 3]],
    };
    for (side, point) in sides.into_iter().zip(contact.points) {
        let sum: f64 = side.iter().map(|&i| contact.weights[i]).sum();
        assert!((sum - 1.0).abs() < 1e-12 && side.iter().all(|&i| (0.0..=1.0).contains(&contact.weights[i])));
        let at: DVec3 =
            side.iter().map(|&i| query.start()[i].lerp(query.end()[i], t) * contact.weights[i]).sum();
        assert!((at - point).length() < 1e-12, "{contact:?}");
    }
    let gap = contact.points[1] - contact.points[0];
    let truth = f64::sqrt(num_traits::ToPrimitive::to_f64(&distance_squared(query, t)).expect("a double"));
    assert!((gap.length() - truth).abs() < 1e-7, "{} beside {truth}: {contact:?}", gap.length());
    assert!((contact.normal.length() - 1.0).abs() < 1e-12 || contact.normal == DVec3::ZERO);
    if truth > 1e-6 {
        assert!((contact.normal - gap / gap.length()).length() < 1e-6, "{contact:?}");
    }
}

#[test]
fn separation_of_sheets() {
    let mut g = Generator::free(71);
    for (way, separation) in [(0.5, 0.25), (0.9, 0.05), (2.0, 0.01)] {
        let found = check_separation(&sheets(&mut g, 3, way), separation, 4);
        assert!((3..400).contains(&found), "generator drifted: {found} within {separation}");
    }
}

#[test]
fn separation_of_tangles_on_a_grid() {
    let mut g = Generator::grid(72);
    let found: usize = (0..6).map(|_| check_separation(&tangle(&mut g), 0.5, 3)).sum();
    assert!(found > 100, "generator drifted: {found}");
}

/// A whole number of distances: a sheet falls from height 1 to −1 over a vertex at rest and comes within ½ at t = ¼.
#[test]
fn a_known_time() {
    let surface = Surface::new(4, vec![[0, 1, 2], [3, 3, 3]]).expect("valid");
    let at = |z: f64| {
        vec![DVec3::new(0., 0., z), DVec3::new(4., 0., z), DVec3::new(0., 4., z), DVec3::new(1., 2., 0.)]
    };
    let scene = Scene { surface, start: at(1.0), end: at(-1.0) };
    let near = scene.contacts(&Options { separation: 0.5, ..Options::default() });
    let [contact] = near.as_slice() else { panic!("{near:?}") };
    assert!(contact.time.lo() <= 0.25 && (contact.time.hi() - 0.25).abs() < 1e-6, "{contact:?}");
    for (weight, truth) in contact.weights.into_iter().zip([1.0, 0.25, 0.25, 0.5]) {
        assert!((weight - truth).abs() < 1e-12);
    }
    assert!((contact.normal - DVec3::Z).length() < 1e-12, "from the vertex up to the sheet");

    let touch = scene.contacts(&Options::default());
    let [contact] = touch.as_slice() else { panic!("{touch:?}") };
    assert_eq!((contact.excess, contact.points[0]), (0.0, DVec3::new(1.0, 2.0, 0.0)));
    assert!((contact.points[1] - contact.points[0]).length() < 1e-8);
    assert!(contact.time.lo() <= 0.5 && contact.time.hi() >= 0.5);
}

/// Touches carry their places too.
#[test]
fn places_of_touches() {
    let mut g = Generator::free(73);
    let scene = sheets(&mut g, 5, 2.0);
    let step = scene.step();
    let contacts = scene.contacts(&Options { width: 1e-12, ..Options::default() });
    assert!(contacts.len() > 40, "{}", contacts.len());
    for contact in &contacts {
        let query = step.query(contact.kind, contact.a, contact.b).expect("exists");
        check_place(&query, contact, 0.5 * (contact.time.lo() + contact.time.hi()));
    }
}

/// Odd separations are no trouble.
#[test]
fn odd_separations() {
    let mut g = Generator::free(74);
    let scene = sheets(&mut g, 3, 0.5);
    let count = |separation, method| {
        let found = scene.contacts(&Options { separation, method, ..Options::default() });
        assert!(found.iter().all(|c| c.normal.is_finite() && c.weights.iter().all(|w| w.is_finite())));
        found.len()
    };
    let every = every_pair(&scene).len();
    for method in methods() {
        let touches = count(0.0, method);
        assert_eq!([f64::NAN, -1.0].map(|s| count(s, method)), [touches; 2]);
        assert_eq!([1e300, f64::MAX, f64::INFINITY].map(|s| count(s, method)), [every; 3], "{method:?}");
        assert!((touches..every).contains(&count(f64::MIN_POSITIVE, method)));
    }
}
