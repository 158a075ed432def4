//! Colours of bodies.

use super::table::{Kind, Table};
use std::collections::HashMap;

/// Steps from a styled item to its colour at most.
const DEEPEST: usize = 10;
/// Entities looked at on the way at most.
const MOST: usize = 64;

/// Styles of a file by what they are given to.
pub(super) struct Colours {
    styles: HashMap<u64, u64>,
}

impl Colours {
    pub(super) fn of(table: &Table<'_>) -> Colours {
        let styled = |id: u64| {
            let entity = table.get(id, id).ok()?;
            let mut fields = entity.own("STYLED_ITEM")?;
            if !entity.is_complex() {
                fields.skip().ok()?;
            }
            let style = fields.references().ok()?.first().copied()?;
            Some((fields.reference().ok()?, style))
        };
        Colours { styles: table.all(Kind::Style).filter_map(styled).collect() }
    }

    /// The colour of an entity, if it has one of its own.
    pub(super) fn get(&self, table: &Table<'_>, id: u64) -> Option<[f32; 3]> {
        let &style = self.styles.get(&id)?;
        let (mut stack, mut seen) = (vec![(style, 0)], 0);
        while let Some((id, depth)) = stack.pop() {
            seen += 1;
            let entity = table.get(id, id).ok()?;
            let Some((name, mut fields)) = entity.simple() else { continue };
            match name {
                b"COLOUR_RGB" => {
                    fields.skip().ok()?;
                    let mut part = || fields.number().ok().map(|value| value.clamp(0.0, 1.0) as f32);
                    return Some([part()?, part()?, part()?]);
                }
                b"DRAUGHTING_PRE_DEFINED_COLOUR" | b"PRE_DEFINED_COLOUR" => {
                    return named(fields.text().ok()?);
                }
                // The colour of edges is not that of faces.
                b"CURVE_STYLE" | b"POINT_STYLE" => {}
                _ if depth < DEEPEST && seen < MOST => {
                    stack.extend(fields.all_references().into_iter().rev().map(|id| (id, depth + 1)));
                }
                _ => {}
            }
        }
        None
    }
}

/// The colours the standard has names for.
fn named(name: &[u8]) -> Option<[f32; 3]> {
    Some(match name {
        b"red" => [1.0, 0.0, 0.0],
        b"green" => [0.0, 1.0, 0.0],
        b"blue" => [0.0, 0.0, 1.0],
        b"yellow" => [1.0, 1.0, 0.0],
        b"magenta" => [1.0, 0.0, 1.0],
        b"cyan" => [0.0, 1.0, 1.0],
        b"black" => [0.0; 3],
        b"white" => [1.0; 3],
        _ => return None,
    })
}
