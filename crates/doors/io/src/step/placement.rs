//! Points, directions, axes and transforms.

use super::field::Fields;
use super::table::Table;
use crate::curved::loss::{Miss, Why};
use crate::curved::shift::Shift;
use kontakt_curved::Frame;
use kontakt_math::{DMat3, DVec3};

/// Reads placements of one representation, in its units.
#[derive(Clone, Copy)]
pub(super) struct Placer<'a> {
    pub(super) table: &'a Table<'a>,
    /// Millimetres per unit.
    pub(super) length: f64,
}

impl<'a> Placer<'a> {
    /// A `CARTESIAN_POINT`, in millimetres.
    pub(super) fn point(self, id: u64, from: u64) -> Result<DVec3, Miss> {
        let mut fields = self.table.fields(id, from, "CARTESIAN_POINT")?;
        let point = triple(&mut fields)? * self.length;
        if point.is_finite() { Ok(point) } else { Err(Why::NotFinite.at(id)) }
    }

    /// A `DIRECTION`, of any length.
    pub(super) fn direction(self, id: u64, from: u64) -> Result<DVec3, Miss> {
        let mut fields = self.table.fields(id, from, "DIRECTION")?;
        triple(&mut fields)
    }

    fn maybe_direction(self, fields: &mut Fields<'a>) -> Result<Option<DVec3>, Miss> {
        let id = fields.maybe_reference()?;
        id.map(|id| self.direction(id, fields.id)).transpose()
    }

    /// A `VECTOR`, in millimetres.
    pub(super) fn vector(self, id: u64, from: u64) -> Result<DVec3, Miss> {
        let mut fields = self.table.fields(id, from, "VECTOR")?;
        fields.skip()?;
        let direction = self.direction(fields.reference()?, id)?;
        let length = fields.number()? * self.length;
        let vector = direction.normalize_or_zero() * length;
        if vector.is_finite() && vector != DVec3::ZERO { Ok(vector) } else { Err(Why::Size.at(id)) }
    }

    /// An `AXIS2_PLACEMENT_3D`.
    pub(super) fn frame(self, id: u64, from: u64) -> Result<Frame, Miss> {
        let mut fields = self.table.fields(id, from, "AXIS2_PLACEMENT_3D")?;
        fields.skip()?;
        let origin = self.point(fields.reference()?, id)?;
        let axis = self.maybe_direction(&mut fields)?.unwrap_or(DVec3::Z);
        let reference = self.maybe_direction(&mut fields)?.unwrap_or(DVec3::X);
        Frame::new(origin, axis, Some(reference)).map_err(|error| Why::Frame(error).at(id))
    }

    /// An `AXIS1_PLACEMENT`: z is its axis.
    pub(super) fn axis(self, id: u64, from: u64) -> Result<Frame, Miss> {
        let mut fields = self.table.fields(id, from, "AXIS1_PLACEMENT")?;
        fields.skip()?;
        let origin = self.point(fields.reference()?, id)?;
        let axis = self.maybe_direction(&mut fields)?.unwrap_or(DVec3::Z);
        Frame::new(origin, axis, None).map_err(|error| Why::Frame(error).at(id))
    }

    /// An `AXIS2_PLACEMENT_3D` or a `CARTESIAN_TRANSFORMATION_OPERATOR_3D` as a map.
    pub(super) fn shift(self, id: u64, from: u64) -> Result<Shift, Miss> {
        let entity = self.table.get(id, from)?;
        if entity.is("AXIS2_PLACEMENT_3D") {
            return self.frame(id, from).map(|frame| Shift::of(&frame));
        }
        let kinds = ["CARTESIAN_TRANSFORMATION_OPERATOR", "CARTESIAN_TRANSFORMATION_OPERATOR_3D"];
        let third = entity.part(kinds[1]).map(|mut fields| self.maybe_direction(&mut fields)).transpose()?;
        let fields = entity.part(kinds[0]).or_else(|| entity.own(kinds[1]));
        let mut fields = fields.ok_or(Why::NotA(kinds[1]).at(id))?;
        // Writers differ in how many names they put in front.
        let needed = if entity.is_complex() { 4 } else { 5 };
        for _ in needed..fields.left() {
            fields.skip()?;
        }
        let first = self.maybe_direction(&mut fields)?;
        let second = self.maybe_direction(&mut fields)?;
        let translation = self.point(fields.reference()?, id)?;
        let scale = if fields.omitted() { 1.0 } else { fields.number()? };
        let third = match third {
            Some(third) => third,
            None => self.maybe_direction(&mut fields)?,
        };
        let turn = base_axes(first, second, third).ok_or(Why::Size.at(id))?;
        // Some writers mirror by a scale below zero, which turns all three axes round.
        let (turn, scale) = if scale < 0.0 { (turn * -1.0, -scale) } else { (turn, scale) };
        let shift = Shift { turn, scale, translation };
        if shift.is_finite() { Ok(shift) } else { Err(Why::Size.at(id)) }
    }
}

/// Three numbers after a name.
fn triple(fields: &mut Fields<'_>) -> Result<DVec3, Miss> {
    fields.skip()?;
    fields.open()?;
    let values = [fields.number()?, fields.number()?, fields.number()?];
    fields.close()?;
    Ok(DVec3::from_array(values))
}

/// The standard's `base_axis`: z as given, x as near as may be to the first direction, y along the second one, so that the axes may be
/// left-handed.
fn base_axes(first: Option<DVec3>, second: Option<DVec3>, third: Option<DVec3>) -> Option<DMat3> {
    let default_z = match (first, second) {
        (Some(first), Some(second)) if third.is_none() => first.cross(second),
        _ => DVec3::Z,
    };
    let frame = Frame::new(DVec3::ZERO, third.unwrap_or(default_z), Some(first.unwrap_or(DVec3::X))).ok()?;
    let left = second.is_some_and(|second| second.dot(frame.y) < 0.0);
    let turn = DMat3::from_cols(frame.x, if left { -frame.y } else { frame.y }, frame.z);
    turn.is_finite().then_some(turn)
}
