//! Degenerate bodies and wrong plans: a valid tree or a typed error, soon.

mod common;

use common::{Soup, check, check_shape};
use kontakt_bounds::{Aabb, Bound, Dop14, HullVolume, Obb, Rss, Sphere};
use kontakt_lab_hierarchy::build::{
    Arity, BuildError, Candidate, Fit, Method, Plan, WhenStuck, build, build_mixed, build_noted,
};
use kontakt_math::DVec3;
use testkit::Generator;

const IMPROVE: Arity = Arity::Improve { alpha: 0.5, smin: 4, vmax: 4 };

fn all_methods<B: Bound + Clone>(soup: &Soup) {
    for &method in Method::all() {
        for arity in [Arity::Fixed(2), Arity::Fixed(5), IMPROVE] {
            let plan = Plan { method, arity, search_steps: 5, ..Plan::default() };
            match build::<B>(soup.faces(), &plan) {
                Ok(tree) => {
                    check(&tree, soup.faces(), method.most_children(arity));
                }
                Err(error) => assert!(matches!(error, BuildError::Fit { .. }), "{}: {error}", method.name),
            }
        }
    }
}

fn degenerate_bodies() -> Vec<Soup> {
    let p = DVec3::new;
    let line = |i: u32| [f64::from(i), f64::from(i) + 0.5, f64::from(i * i)].map(|x| p(x, 2.0 * x, -x));
    let flat = |i: u32| [p(f64::from(i), 0.0, 1.0), p(f64::from(i + 1), 0.0, 1.0), p(0.0, f64::from(i), 1.0)];
    let scaled = |s: f64| {
        let soup = Soup::random(&mut Generator::free(2), 12);
        Soup { vertices: soup.vertices.iter().map(|v| *v * s).collect(), ..soup }
    };
    let moved = {
        let soup = Soup::random(&mut Generator::free(2), 12);
        Soup { vertices: soup.vertices.iter().map(|v| *v + DVec3::splat(1e12)).collect(), ..soup }
    };
    vec![
        Soup::of([[p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0)]]),
        Soup::of([[p(1.0, 2.0, 3.0); 3]]),
        Soup::of((0..13).map(|_| [p(1.0, 2.0, 3.0); 3])),
        Soup::of((0..13).map(|_| [p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0)])),
        Soup::of((0..13).map(line)),
        Soup::of((0..13).map(flat)),
        moved,
        scaled(1e-300),
        scaled(1e300),
        scaled(5e-324),
        scaled(8e307),
    ]
}

#[test]
fn degenerate_bodies_have_trees() {
    for soup in degenerate_bodies() {
        all_methods::<Aabb>(&soup);
        all_methods::<Sphere>(&soup);
        all_methods::<Obb>(&soup);
    }
}

#[test]
fn degenerate_bodies_have_trees_of_costly_volumes() {
    for soup in degenerate_bodies() {
        all_methods::<Dop14>(&soup);
        all_methods::<HullVolume>(&soup);
    }
    for soup in &degenerate_bodies()[..7] {
        for name in ["sah", "gottschalk", "grow-regions-random"] {
            let plan = Plan::by(name).expect("a method");
            check(&build::<Rss>(soup.faces(), &plan).expect("builds"), soup.faces(), 2);
        }
    }
}

#[test]
fn many_equal_faces_are_no_trouble() {
    let one = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let soup = Soup::of((0..100_000).map(|_| one));
    // What looks at pairs of faces or fits volume after volume has its own, smaller, trial above.
    let quick = |m: &&Method| !m.name.starts_with("bottom-up");
    for &method in Method::all().iter().filter(quick) {
        let plan = Plan { method, search_steps: 5, leaf_size: 4, ..Plan::default() };
        let tree = build::<Aabb>(soup.faces(), &plan).expect("builds");
        let depth = check_shape(&tree, soup.faces(), method.most_children(plan.arity));
        assert!(depth <= 20, "{} is {depth} deep", method.name);
    }
}

/// Faces at 2⁻ⁱ: every plane in the middle parts one face from all others.
#[test]
fn depth_is_limited() {
    let soup = Soup::of((0..500).map(|i| {
        let x = 0.5_f64.powi(i);
        [DVec3::X * x, DVec3::X * x, DVec3::new(x, x * 0.01, 0.0)]
    }));
    for &method in Method::all() {
        let plan = Plan { method, max_depth: 20, search_steps: 5, ..Plan::default() };
        let tree = build::<Aabb>(soup.faces(), &plan).expect("builds");
        assert!(check(&tree, soup.faces(), method.most_children(plan.arity)) <= 20, "{}", method.name);
    }
}

#[test]
fn faces_that_cannot_be_parted_become_a_leaf_when_asked() {
    let soup = Soup::of((0..50).map(|_| [DVec3::ZERO, DVec3::X, DVec3::Y]));
    let plan = Plan { when_stuck: WhenStuck::Leaf, ..Plan::by("gottschalk").expect("a method") };
    let (tree, notes) = build_noted::<Obb>(soup.faces(), &plan).expect("builds");
    assert_eq!((tree.nodes.len(), notes.stuck), (1, 1));
}

#[test]
fn merged_volumes_hold_all_faces_and_are_the_same_where_fits_are_least() {
    let soup = Soup::random(&mut Generator::free(8), 80);
    let plan = Plan { fit: Fit::Merge, ..Plan::default() };
    let loose = build::<Sphere>(soup.faces(), &plan).expect("builds");
    check(&loose, soup.faces(), 2);
    let tight = build::<Sphere>(soup.faces(), &Plan::default()).expect("builds");
    assert!(loose.nodes[0].volume.radius >= tight.nodes[0].volume.radius);
    let tree = build::<Aabb>(soup.faces(), &plan).expect("builds");
    let points: Vec<DVec3> = soup.vertices.clone();
    assert_eq!(tree.nodes[0].volume, Aabb::fit(&points).expect("a box"));
}

#[test]
fn wrong_plans_are_refused() {
    let soup = Soup::random(&mut Generator::free(1), 4);
    let refused = |plan: Plan| {
        let error = build::<Aabb>(soup.faces(), &plan).expect_err("refused");
        assert!(matches!(error, BuildError::Plan { .. }), "{error}");
    };
    for arity in [0, 1, 7, usize::MAX] {
        refused(Plan { arity: Arity::Fixed(arity), ..Plan::default() });
    }
    for alpha in [0.0, -1.0, 1.1, f64::NAN] {
        refused(Plan { arity: Arity::Improve { alpha, smin: 1, vmax: 4 }, ..Plan::default() });
    }
    refused(Plan { leaf_size: 0, ..Plan::default() });
    refused(Plan { opponent: f64::NAN, ..Plan::default() });
    assert!(Plan::by("no-such-rule").is_err());
    let empty = Soup::of([]);
    assert_eq!(build::<Aabb>(empty.faces(), &Plan::default()), Err(BuildError::Empty));
    assert!(build_mixed(soup.faces(), &Plan::default(), &[]).is_err());
    let kind = kontakt_bounds::VolumeKind::named("aabb").expect("a kind");
    for cost in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(build_mixed(soup.faces(), &Plan::default(), &[Candidate { kind, cost }]).is_err());
    }
}
