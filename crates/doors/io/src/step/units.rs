//! Units of lengths and angles of a representation.

use super::table::{Entity, Table};
use crate::curved::loss::Miss;
use crate::curved::report::LengthUnit;

/// How deep units may be defined by other units.
const DEEPEST: u32 = 8;

/// What the numbers of a representation mean.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Units {
    /// Millimetres per unit of length; none where the file does not say.
    pub(super) length: Option<LengthUnit>,
    /// Radians per unit of angle.
    pub(super) angle: f64,
    /// Accuracy that is claimed for lengths, in millimetres.
    pub(super) uncertainty: Option<f64>,
}

impl Units {
    pub(super) fn millimetres(&self) -> f64 {
        self.length.as_ref().map_or(1.0, |unit| unit.millimetres)
    }
}

/// Units of a representation's context. Units that are wrong are as if not given.
pub(super) fn units(table: &Table<'_>, context: u64, from: u64) -> Result<Units, Miss> {
    let mut units = Units { length: None, angle: 1.0, uncertainty: None };
    let context = table.get(context, from)?;
    if let Some(mut fields) = context.own("GLOBAL_UNIT_ASSIGNED_CONTEXT") {
        for id in fields.references()? {
            let unit = table.get(id, context.id)?;
            if unit.is("LENGTH_UNIT") && units.length.is_none() {
                units.length = length(table, &unit, DEEPEST);
            } else if unit.is("PLANE_ANGLE_UNIT") {
                units.angle = angle(table, &unit, DEEPEST).unwrap_or(1.0);
            }
        }
    }
    if let Some(mut fields) = context.own("GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT") {
        for id in fields.references().unwrap_or_default() {
            let claimed = claimed(table, id, context.id).unwrap_or(None);
            units.uncertainty = units.uncertainty.into_iter().chain(claimed).reduce(f64::max);
        }
    }
    Ok(units)
}

/// A length that is said to be uncertain, in millimetres; none for angles.
fn claimed(table: &Table<'_>, id: u64, from: u64) -> Result<Option<f64>, Miss> {
    let mut fields = table.fields(id, from, "UNCERTAINTY_MEASURE_WITH_UNIT")?;
    let value = fields.number()?;
    let unit = table.get(fields.reference()?, id)?;
    Ok(length(table, &unit, DEEPEST).map(|unit| value * unit.millimetres).filter(|value| value.is_finite()))
}

fn length(table: &Table<'_>, unit: &Entity<'_>, deepest: u32) -> Option<LengthUnit> {
    let si = |choice: &[u8]| (choice == b"METRE").then_some(1000.0);
    let (name, millimetres) = size(table, unit, &si, deepest)?;
    let right = millimetres.is_finite() && millimetres > 0.0;
    right.then_some(LengthUnit { name, millimetres })
}

fn angle(table: &Table<'_>, unit: &Entity<'_>, deepest: u32) -> Option<f64> {
    let si = |choice: &[u8]| (choice == b"RADIAN").then_some(1.0);
    let (_, radians) = size(table, unit, &si, deepest)?;
    (radians.is_finite() && radians > 0.0).then_some(radians)
}

/// Name and size of a unit: one of SI with its prefix, or so many of another unit.
fn size(
    table: &Table<'_>,
    unit: &Entity<'_>,
    si: &dyn Fn(&[u8]) -> Option<f64>,
    deepest: u32,
) -> Option<(String, f64)> {
    if let Some(mut fields) = unit.own("SI_UNIT") {
        let prefix = if fields.omitted() { &b""[..] } else { fields.choice().ok()? };
        let base = fields.choice().ok()?;
        let name = [prefix, base].map(|word| String::from_utf8_lossy(word).to_ascii_lowercase()).concat();
        return Some((name, si(base)? * prefix_size(prefix)?));
    }
    let mut fields = unit.own("CONVERSION_BASED_UNIT")?;
    let name = super::text::decode(fields.text().ok()?).to_lowercase();
    let measure = table.get(fields.reference().ok()?, unit.id).ok()?;
    let (_, mut fields) = measure.simple().or_else(|| {
        // The measure itself may be of several types.
        measure.parts().find(|(name, _)| *name == b"MEASURE_WITH_UNIT")
    })?;
    let value = fields.number().ok()?;
    let other = table.get(fields.reference().ok()?, measure.id).ok()?;
    let (_, other) = size(table, &other, si, deepest.checked_sub(1)?)?;
    // The exact product where doubles have it: 25.4 mm per inch, not 2.54 · 10.000000000000002.
    Some((name, value * other))
}

fn prefix_size(prefix: &[u8]) -> Option<f64> {
    Some(match prefix {
        b"" => 1.0,
        b"EXA" => 1e18,
        b"PETA" => 1e15,
        b"TERA" => 1e12,
        b"GIGA" => 1e9,
        b"MEGA" => 1e6,
        b"KILO" => 1e3,
        b"HECTO" => 1e2,
        b"DECA" => 1e1,
        b"DECI" => 1e-1,
        b"CENTI" => 1e-2,
        b"MILLI" => 1e-3,
        b"MICRO" => 1e-6,
        b"NANO" => 1e-9,
        b"PICO" => 1e-12,
        b"FEMTO" => 1e-15,
        b"ATTO" => 1e-18,
        _ => return None,
    })
}

/// Units where none are given: millimetres and radians.
pub(super) fn assumed() -> Units {
    Units { length: None, angle: 1.0, uncertainty: None }
}
