//! Every method with several volumes: valid trees, arity and rate kept, equal answers for equal questions.

mod common;

use common::{Soup, check, check_with};
use kontakt_bounds::{Aabb, Bound, Dop14, HullVolume, Lss, Obb, Rss, Sphere, VolumeKind};
use kontakt_hierarchy::build::{Arity, Candidate, Method, Plan, build, build_mixed};
use testkit::Generator;

fn plan(method: &'static Method, arity: Arity) -> Plan {
    Plan { method, arity, search_steps: 20, ..Plan::default() }
}

fn every_method<B: Bound + Clone + PartialEq>(count: usize, arities: &[Arity]) {
    for mut generator in [Generator::free(3), Generator::grid(4)] {
        let soup = Soup::random(&mut generator, count);
        for method in Method::all() {
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
    every_method::<Aabb>(150, &[2, 3, 4, 5, 6].map(Arity::Fixed));
    every_method::<Aabb>(150, &[IMPROVE]);
}

#[test]
fn trees_of_other_volumes_are_valid() {
    let arities = [Arity::Fixed(2), Arity::Fixed(5), IMPROVE];
    every_method::<Sphere>(60, &arities);
    every_method::<Obb>(60, &arities);
    every_method::<Dop14>(40, &arities);
    every_method::<Lss>(20, &arities[2..]);
    every_method::<Rss>(20, &arities[2..]);
    every_method::<HullVolume>(20, &arities[2..]);
}

#[test]
fn mixed_trees_are_valid_and_take_the_best_kind() {
    let soup = Soup::random(&mut Generator::free(5), 60);
    let kind = |name, cost| Candidate { kind: VolumeKind::named(name).expect("a kind"), cost };
    for method in Method::all() {
        let plan = plan(method, IMPROVE);
        let candidates = [kind("sphere", 1.0), kind("aabb", 1.1), kind("obb", 1.5)];
        let (tree, _) = build_mixed(soup.faces(), &plan, &candidates).expect("builds");
        check_with(&tree, soup.faces(), method.most_children(IMPROVE), |v, p| v.contains(p));
        // A kind that costs a thousand times more is never taken.
        let (tree, _) =
            build_mixed(soup.faces(), &plan, &[kind("sphere", 1e3), kind("aabb", 1.0)]).expect("builds");
        assert!(tree.nodes.iter().all(|n| n.volume.name() == "aabb"));
    }
}
