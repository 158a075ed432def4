//! The one list of methods: what the command line and the studies can choose from.

use super::plan::Arity;
use super::rule::{Median, Rule};
use super::workpiece::Workpiece;

/// A way to build a tree.
#[derive(Debug)]
pub struct Method {
    /// Name on the command line and in reports.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    start: Start,
}

/// Makes the rule ready for a body.
type Start = for<'a> fn(&'a Workpiece<'a>) -> Box<dyn Rule + 'a>;

/// A new rule is one line here. The first is the default.
const METHODS: &[Method] = &[method("median", "equal halves along the longest axis", |_| Box::new(Median))];

const fn method(name: &'static str, about: &'static str, start: Start) -> Method {
    Method { name, about, start }
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
        arity.most()
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
