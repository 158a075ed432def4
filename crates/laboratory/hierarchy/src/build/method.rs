//! What the command line and the studies can choose from.

use super::plan::Arity;
use super::rule::{RULES, Rule};
use super::workpiece::Workpiece;
use std::sync::LazyLock;

/// A way to build a tree.
#[derive(Clone, Copy, Debug)]
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

static ALL: LazyLock<Vec<Method>> = LazyLock::new(|| RULES.concat());

impl Method {
    /// For the list of a rule's file.
    pub const fn new(name: &'static str, about: &'static str, start: Start) -> Method {
        Method { name, about, own_arity: None, start }
    }

    /// The same with a number of children of its own.
    pub(super) const fn with_own_arity(self, arity: usize) -> Method {
        Method { own_arity: Some(arity), ..self }
    }

    /// All methods, in the order of the list; the first is the default.
    pub fn all() -> &'static [Method] {
        &ALL
    }

    /// The method with this name.
    pub fn named(name: &str) -> Option<&'static Method> {
        Method::all().iter().find(|method| method.name == name)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_explained() {
        for (i, method) in Method::all().iter().enumerate() {
            assert!(
                Method::all()[..i].iter().all(|other| other.name != method.name),
                "{} twice",
                method.name
            );
            assert!(!method.about.is_empty());
            assert_eq!(Method::named(method.name), Some(method));
        }
    }
}
