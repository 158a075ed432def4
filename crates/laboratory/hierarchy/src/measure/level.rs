//! Measures of a level: mean and maximum over its nodes or over its sets of siblings (VR thesis 3.4.1, 3.4.2).

use super::{NodeMeasure, Quality, Summary};
use crate::Tree;
use kontakt_hierarchy::{LevelMeasures, MeanMax};

/// What the mean and the maximum of a level are taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Over {
    /// All nodes of the level alike.
    #[default]
    Nodes,
    /// The sets of siblings, each first reduced to one number.
    SiblingSets(Summary),
}

impl<B> Tree<B> {
    /// The measures of every level, from the root down. `measures` are those of the nodes, in order.
    pub fn level_measures(&self, measures: &[NodeMeasure], over: Over) -> Vec<LevelMeasures> {
        let (parents, slots) = (self.parents(), self.slots());
        let level = |(depth, ids): (usize, &Vec<u32>)| {
            let summary = |quality: Quality| {
                let value = |id: &u32| measures[*id as usize].by(quality);
                match over {
                    Over::Nodes => MeanMax::of(ids.iter().map(value)),
                    Over::SiblingSets(each) => {
                        let sets = ids.chunk_by(|a, b| parents[*a as usize] == parents[*b as usize]);
                        MeanMax::of(sets.map(|set| each.of(set.iter().map(value))))
                    }
                }
            };
            let known = ids.iter().all(|id| measures[*id as usize].hausdorff.is_some());
            LevelMeasures {
                depth: depth as u32,
                nodes: ids.len(),
                leaves: ids.iter().filter(|id| self.is_leaf(**id)).count(),
                triangles: ids.iter().map(|id| slots[*id as usize].len()).sum(),
                volume: summary(Quality::Volume),
                surface: summary(Quality::Surface),
                diameter: summary(Quality::Diameter),
                hausdorff: known.then(|| summary(Quality::Hausdorff)),
            }
        };
        self.levels().iter().enumerate().map(level).collect()
    }
}
