//! Every method with several volumes: valid trees, arity and rate kept, equal answers for equal questions.

mod common;

use common::{Soup, check, check_shape, slots_below};
use kontakt_bounds::{Aabb, Bound, Dop14, HullVolume, Lss, Obb, Rss, Shell, Sphere, VolumeKind};
use kontakt_lab_hierarchy::build::{Arity, Candidate, Method, Plan, build, build_mixed};
use testkit::Generator;

fn plan(method: Method, arity: Arity) -> Plan {
    Plan { method, arity, search_steps: 20, ..Plan::default() }
}

/// All methods, or for costly volumes one of each family that asks the judge often.
fn methods(costly: bool) -> impl Iterator<Item = &'static Method> {
    let often = |name: &str| name.starts_with("branch-and-bound-") || name.starts_with("grow-");
    let kept = move |m: &&Method| !costly || !often(m.name) || m.name == "grow-regions-random";
    Method::all().iter().filter(kept)
}

fn every_method<B: Bound + Clone + PartialEq>(count: usize, arities: &[Arity], costly: bool) {
    for mut generator in [Generator::free(3), Generator::grid(4)] {
        let soup = Soup::random(&mut generator, count);
        for &method in methods(costly) {
            for arity in arities {
                let plan = plan(method, *arity);
                let tree = build::<B>(soup.faces(), &plan).expect("builds");
                check(&tree, soup.faces(), method.most_children(*arity));
                assert!(tree == build::<B>(soup.faces(), &plan).expect("builds"), "{} differs", method.name);
            }
        }
    }
}

const IMPROVE: Arity = Arity::Improve { alpha: 0.5, smin: 5, vmax: 6 };

#[test]
fn trees_of_boxes_are_valid() {
    every_method::<Aabb>(100, &[2, 3, 4, 5, 6].map(Arity::Fixed), false);
    every_method::<Aabb>(100, &[IMPROVE], false);
}

#[test]
fn trees_of_spheres_and_oriented_boxes_are_valid() {
    let arities = [Arity::Fixed(2), Arity::Fixed(5), IMPROVE];
    every_method::<Sphere>(24, &arities, false);
    every_method::<Obb>(24, &arities[1..], true);
}

#[test]
fn trees_of_other_volumes_are_valid() {
    every_method::<Dop14>(20, &[IMPROVE], true);
    every_method::<HullVolume>(20, &[IMPROVE], true);
    every_method::<Shell>(10, &[IMPROVE], true);
    every_method::<Lss>(5, &[Arity::Fixed(2)], true);
    every_method::<Rss>(4, &[Arity::Fixed(2)], true);
}

#[test]
fn mixed_trees_are_valid_and_take_the_best_kind() {
    let soup = Soup::random(&mut Generator::free(5), 30);
    let kind = |name, cost| Candidate { kind: VolumeKind::named(name).expect("a kind"), cost };
    for &method in Method::all() {
        let plan = plan(method, IMPROVE);
        let candidates = [kind("sphere", 1.0), kind("aabb", 1.1), kind("obb", 1.5)];
        let (tree, _) = build_mixed(soup.faces(), &plan, &candidates).expect("builds");
        check_shape(&tree, soup.faces(), method.most_children(IMPROVE));
        for (index, node) in tree.nodes.iter().enumerate() {
            let below = slots_below(&tree, index).flat_map(|slot| soup.faces().corners(tree.order[slot]));
            assert!(below.into_iter().all(|corner| node.volume.contains(corner)));
        }
        // A kind that costs a thousand times more is never taken.
        let (tree, _) =
            build_mixed(soup.faces(), &plan, &[kind("sphere", 1e3), kind("aabb", 1.0)]).expect("builds");
        assert!(tree.nodes.iter().all(|n| n.volume.name() == "aabb"));
    }
}
