//! The one list of methods: what the command line and the studies can choose from.

use super::plan::Arity;
use super::rule::{
    Axis, BranchAndBound, Branching, Centres, Gottschalk, Growing, HochbaumShmoys, Initial, Insertion,
    Klosowski, Linear, Median, NodeOrder, Octree, Opponent, Place, Rule, Sah, Steiner, Zachmann, bottom_up,
    ploc,
};
use super::workpiece::Workpiece;

/// A way to build a tree.
#[derive(Debug)]
pub struct Method {
    /// Name on the command line and in reports.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The number of children that the method gives whatever is asked for, if it has one of its own.
    pub own_arity: Option<usize>,
    start: Start,
}

/// Makes the rule ready for a body.
type Start = for<'a> fn(&'a Workpiece<'a>) -> Box<dyn Rule + 'a>;

/// A new rule is one line here. The first is the default.
const METHODS: &[Method] = &[
    method("sah", "least surface x faces over sixteen bins an axis", |_| Box::new(Sah)),
    method("steiner", "like sah, for an opponent of fixed size: volume of the box grown by it", |w| {
        Box::new(Steiner::new(w, Opponent::OfBody))
    }),
    method("steiner-node", "like steiner, for an opponent that shrinks with the node", |w| {
        Box::new(Steiner::new(w, Opponent::OfNode))
    }),
    method("ploc", "joins each other's nearest along the Morton curve, from the leaves up", ploc_rule),
    method("linear", "halves of the Morton curve", |w| Box::new(Linear::new(w))),
    method("median", "equal halves along the longest axis", |_| Box::new(Median)),
    method("gottschalk", "regions of the oriented box (thesis 3.7.5)", |_| Box::new(Gottschalk)),
    method("zachmann", "most even regions of the axis-aligned box (thesis 3.7.6)", |_| Box::new(Zachmann)),
    method("hochbaum-shmoys", "farthest-first centres (thesis 3.7.2)", |_| Box::new(HochbaumShmoys)),
    method("centres", "moving centres: heuristic without optimisation (thesis 3.7.3)", |_| Box::new(Centres)),
    method("grow-random-random", "growing volumes from random faces, random order (thesis 3.7.4)", |_| {
        grow(Initial::Random, Insertion::Random)
    }),
    method("grow-random-best", "growing volumes from random faces, best face first", |_| {
        grow(Initial::Random, Insertion::Best)
    }),
    method("grow-sphere-random", "growing volumes from faces near the ball around all, random order", |_| {
        grow(Initial::Sphere, Insertion::Random)
    }),
    method(
        "grow-sphere-best",
        "growing volumes from faces near the ball around all, best face first",
        |_| grow(Initial::Sphere, Insertion::Best),
    ),
    method("grow-icosahedron-random", "growing volumes from faces near an icosahedron, random order", |_| {
        grow(Initial::Icosahedron, Insertion::Random)
    }),
    method(
        "grow-icosahedron-best",
        "growing volumes from faces near an icosahedron, best face first",
        |_| grow(Initial::Icosahedron, Insertion::Best),
    ),
    method("grow-regions-random", "growing volumes from regions of the box, random order", |_| {
        grow(Initial::Regions, Insertion::Random)
    }),
    method("grow-regions-best", "growing volumes from regions of the box, best face first", |_| {
        grow(Initial::Regions, Insertion::Best)
    }),
    method("klosowski-mean-sum", "plane at the mean, axis of least sum of grades (thesis 3.2.4)", |_| {
        klosowski(Place::Mean, Axis::LeastSum)
    }),
    method("klosowski-mean-max", "plane at the mean, axis of least worst grade", |_| {
        klosowski(Place::Mean, Axis::LeastMax)
    }),
    method("klosowski-mean-variance", "plane at the mean, axis of greatest variance", |_| {
        klosowski(Place::Mean, Axis::Variance)
    }),
    method("klosowski-mean-length", "plane at the mean, longest axis", |_| {
        klosowski(Place::Mean, Axis::Length)
    }),
    method("klosowski-median-sum", "plane at the median, axis of least sum of grades", |_| {
        klosowski(Place::Median, Axis::LeastSum)
    }),
    method("klosowski-median-max", "plane at the median, axis of least worst grade", |_| {
        klosowski(Place::Median, Axis::LeastMax)
    }),
    method("klosowski-median-variance", "plane at the median, axis of greatest variance", |_| {
        klosowski(Place::Median, Axis::Variance)
    }),
    method("klosowski-median-length", "plane at the median, longest axis", |_| {
        klosowski(Place::Median, Axis::Length)
    }),
    Method {
        own_arity: Some(Octree::CHILDREN),
        ..method("octree", "octants of the body's cube (thesis 3.2.1)", |w| Box::new(Octree::new(w)))
    },
    method("bottom-up", "pairs of neighbours, level by level (thesis 3.2.5)", |w| bottom_up(w)),
    method(
        "branch-and-bound",
        "best partition of small sets: worst face, least bound (thesis 3.7.1)",
        |_| search(Branching::Worst, NodeOrder::Lower),
    ),
    method("branch-and-bound-worst-weighted", "branch-and-bound: worst face, expected optimum", |_| {
        search(Branching::Worst, NodeOrder::Weighted)
    }),
    method("branch-and-bound-worst-potential", "branch-and-bound: worst face, greatest potential", |_| {
        search(Branching::Worst, NodeOrder::Potential)
    }),
    method("branch-and-bound-random-lower", "branch-and-bound: random face, least bound", |_| {
        search(Branching::Random, NodeOrder::Lower)
    }),
    method("branch-and-bound-random-weighted", "branch-and-bound: random face, expected optimum", |_| {
        search(Branching::Random, NodeOrder::Weighted)
    }),
    method("branch-and-bound-random-potential", "branch-and-bound: random face, greatest potential", |_| {
        search(Branching::Random, NodeOrder::Potential)
    }),
];

const fn method(name: &'static str, about: &'static str, start: Start) -> Method {
    Method { name, about, own_arity: None, start }
}

fn ploc_rule<'a>(workpiece: &'a Workpiece<'a>) -> Box<dyn Rule + 'a> {
    ploc(workpiece)
}

fn grow<'a>(initial: Initial, insertion: Insertion) -> Box<dyn Rule + 'a> {
    Box::new(Growing { initial, insertion })
}

fn klosowski<'a>(place: Place, axis: Axis) -> Box<dyn Rule + 'a> {
    Box::new(Klosowski { place, axis })
}

fn search<'a>(branching: Branching, order: NodeOrder) -> Box<dyn Rule + 'a> {
    Box::new(BranchAndBound { branching, order })
}

impl Method {
    /// All methods, in the order of the list.
    pub fn all() -> &'static [Method] {
        METHODS
    }

    /// The method with this name.
    pub fn named(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// The method of [`Plan::default`](super::Plan).
    pub(super) fn default_method() -> &'static Method {
        &METHODS[0]
    }

    /// The most children that a node of its trees can have.
    pub fn most_children(&self, arity: Arity) -> usize {
        self.own_arity.unwrap_or(arity.most())
    }

    /// The rule, ready for a body.
    pub fn start<'a>(&self, workpiece: &'a Workpiece<'a>) -> Box<dyn Rule + 'a> {
        (self.start)(workpiece)
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        self.name == other.name
    }
}
