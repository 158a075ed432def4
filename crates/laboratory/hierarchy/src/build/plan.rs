//! What a builder is asked for.

use super::error::BuildError;
use super::grade::Gather;
use super::method::Method;
use kontakt_bounds::Objective;
use kontakt_schedule::Deadline;

/// How many children a node gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arity {
    /// This many, 2 to 6; fewer only where there are fewer faces or the rule cannot part them so.
    Fixed(usize),
    /// As few as improve the grade by a factor (thesis 3.7, Figure 3.2): the least number of children whose gathered
    /// grade is at most `alpha` times the node's. If none up to `vmax` is, a node of fewer than `smin` faces becomes a
    /// leaf and a larger one takes the best split found.
    Improve {
        /// Improvement rate, above 0 and at most 1.
        alpha: f64,
        /// From this many faces on, a node is split even if it does not improve.
        smin: usize,
        /// Most children, 2 to 6.
        vmax: usize,
    },
}

impl Arity {
    /// The most children that a node can get.
    pub fn most(self) -> usize {
        match self {
            Arity::Fixed(parts) => parts,
            Arity::Improve { vmax, .. } => vmax,
        }
    }
}

/// How the volumes of inner nodes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fit {
    /// Around the points of the node's faces: tight.
    #[default]
    Tight,
    /// Around the children's volumes: quick. No looser for kinds whose fit is least (boxes, k-DOPs, hulls), for which
    /// `Tight` takes this way too. Mixed volumes cannot be merged and are fitted tightly.
    Merge,
}

/// What happens to faces that the rule cannot part, for instance because they are all equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WhenStuck {
    /// They are dealt out evenly in their order: leaves stay as small as asked.
    #[default]
    Halve,
    /// They become a leaf, as in the thesis.
    Leaf,
}

/// How a tree is to be built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Splitting rule or builder, from [`Method::all`].
    pub method: Method,
    /// Children per node.
    pub arity: Arity,
    /// Nodes of at most this many faces become leaves.
    pub leaf_size: usize,
    /// Nodes this far below the root (depth 0) become leaves, however many faces they have.
    pub max_depth: usize,
    /// What rules and improvement rate make small.
    pub objective: Objective,
    /// How the grades of siblings become one number.
    pub gather: Gather,
    /// How inner volumes are made.
    pub fit: Fit,
    /// What to do with faces that cannot be parted.
    pub when_stuck: WhenStuck,
    /// Size of the body that this one will meet, as a multiple of its own: the radius r of the Steiner cost.
    pub opponent: f64,
    /// Most steps of a search (branch-and-bound) at one node before it gives up.
    pub search_steps: usize,
    /// Start of all random choices: equal plans build equal trees.
    pub seed: u64,
    /// When to give up: looked at from node to node, not within a rule.
    pub deadline: Deadline,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            method: Method::all()[0],
            arity: Arity::Fixed(2),
            leaf_size: 1,
            max_depth: 64,
            objective: Objective::Surface,
            gather: Gather::Mean,
            fit: Fit::Tight,
            when_stuck: WhenStuck::Halve,
            opponent: 1.0,
            search_steps: 2000,
            seed: 1,
            deadline: Deadline::NEVER,
        }
    }
}

impl Plan {
    /// The default plan with the method of this name.
    pub fn by(name: &str) -> Result<Plan, BuildError> {
        let refuse = || BuildError::Plan {
            what: format!(
                "unknown method {name}; there are {}",
                Method::all().iter().map(|m| m.name).collect::<Vec<_>>().join(", ")
            ),
        };
        Ok(Plan { method: *Method::named(name).ok_or_else(refuse)?, ..Plan::default() })
    }

    /// Whether all settings are in their range.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        let refuse = |what: String| Err(BuildError::Plan { what });
        if !(2..=6).contains(&self.arity.most()) {
            return refuse(format!("{} children per node: must be 2 to 6", self.arity.most()));
        }
        if let Arity::Improve { alpha, .. } = self.arity
            && !(alpha > 0.0 && alpha <= 1.0)
        {
            return refuse(format!("improvement rate {alpha}: must be above 0 and at most 1"));
        }
        if self.leaf_size == 0 {
            return refuse("a leaf holds at least one face: leaf size 0 is too small".to_owned());
        }
        if !(self.opponent >= 0.0 && self.opponent.is_finite()) {
            return refuse(format!("size of the opponent {}: must be a number of at least 0", self.opponent));
        }
        Ok(())
    }
}
