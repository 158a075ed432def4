//! How a saved hierarchy was built, and what it measures.

use super::fields::{Cursor, Fields};
use crate::{LevelMeasures, MeanMax, Packed};

/// Facts about a hierarchy. They describe the tree that was *built*: for the laboratory's trees that is the one before
/// packing, with its own volumes and number of children.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Facts {
    /// Name of the method.
    pub method: String,
    /// Kind of bounding volume.
    pub volume: String,
    /// How many children a node has, in words.
    pub arity: String,
    /// CPU or wall seconds of the build, as the builder measured them.
    pub seconds: f64,
    /// Volumes of the tree that was built: root, inner nodes and leaves.
    pub nodes: u64,
    /// Leaves of it.
    pub leaves: u64,
    /// Levels below the root.
    pub depth: u64,
    /// Measures of its levels, from the root down.
    pub levels: Vec<LevelMeasures>,
}

impl Facts {
    /// The facts of a packed tree as the default builder makes it.
    pub fn of_packed(tree: &Packed, seconds: f64) -> Facts {
        let levels = tree.level_measures();
        Facts {
            method: "packed".to_owned(),
            volume: "obb".to_owned(),
            arity: "up to 8".to_owned(),
            seconds,
            ..Facts::default()
        }
        .with_levels(levels)
    }

    /// The same with these levels, and the counts that follow from them.
    #[must_use]
    pub fn with_levels(self, levels: Vec<LevelMeasures>) -> Facts {
        let sum = |of: fn(&LevelMeasures) -> usize| levels.iter().map(of).sum::<usize>() as u64;
        Facts {
            nodes: sum(|level| level.nodes),
            leaves: sum(|level| level.leaves),
            depth: levels.len().saturating_sub(1) as u64,
            levels,
            ..self
        }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut fields = Fields::default();
        for text in [&self.method, &self.volume, &self.arity] {
            fields.text(text);
        }
        fields.number(self.seconds);
        for count in [self.nodes, self.leaves, self.depth] {
            fields.count(count);
        }
        fields.count(self.levels.len() as u64);
        for level in &self.levels {
            fields.word(level.depth);
            for count in [level.nodes, level.leaves, level.triangles] {
                fields.count(count as u64);
            }
            for both in [level.volume, level.surface, level.diameter] {
                fields.number(both.mean);
                fields.number(both.max);
            }
            fields.word(u32::from(level.hausdorff.is_some()));
            if let Some(both) = level.hausdorff {
                fields.number(both.mean);
                fields.number(both.max);
            }
        }
        fields.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Facts> {
        let mut cursor = Cursor(bytes);
        let mut facts = Facts {
            method: cursor.text()?,
            volume: cursor.text()?,
            arity: cursor.text()?,
            seconds: cursor.number()?,
            nodes: cursor.count()?,
            leaves: cursor.count()?,
            depth: cursor.count()?,
            levels: Vec::new(),
        };
        // No room is reserved for what is only claimed: each level takes bytes of its own.
        for _ in 0..cursor.count()? {
            facts.levels.push(decode_level(&mut cursor)?);
        }
        cursor.is_done().then_some(facts)
    }
}

fn decode_level(cursor: &mut Cursor<'_>) -> Option<LevelMeasures> {
    let depth = cursor.word()?;
    let mut count = || cursor.count().and_then(|count| usize::try_from(count).ok());
    let (nodes, leaves, triangles) = (count()?, count()?, count()?);
    let mut both = || Some(MeanMax { mean: cursor.number()?, max: cursor.number()? });
    let (volume, surface, diameter) = (both()?, both()?, both()?);
    let hausdorff = match cursor.word()? {
        0 => None,
        1 => Some(MeanMax { mean: cursor.number()?, max: cursor.number()? }),
        _ => return None,
    };
    Some(LevelMeasures { depth, nodes, leaves, triangles, volume, surface, diameter, hausdorff })
}
