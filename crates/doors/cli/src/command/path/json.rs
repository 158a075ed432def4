//! The report of a path for machines: what the scene tells, and where it came from.

use super::Checked;
use kontakt::scene::Way;
use serde_json::{Value, json};

/// Everything but the segments.
pub(crate) fn head(checked: &Checked) -> Value {
    let mut json = checked.check.json();
    json["motion"] = json!(checked.motion);
    json["way"] = json!(checked.way.as_ref().map(way));
    json["files"] = checked.remarks.json();
    json["warnings"] = json!(checked.warnings);
    json
}

/// A motion that was typed: its whole shift, and its turn in degrees.
fn way(way: &Way) -> Value {
    let turn = way.turn.map(|turn| {
        json!({
            "axis": turn.axis.to_array(),
            "through": turn.through.to_array(),
            "angle": turn.angle_rad.to_degrees(),
        })
    });
    json!({ "shift": way.shift.to_array(), "turn": turn })
}
