//! The corner of an engine bay: a main and an auxiliary lamp, and what stands around them. Millimetres.

use super::lamp::{Lamp, Parts};
use super::lathe::{Fineness, block, mapped, rod, together};
use crate::failure::Failure;
use kontakt::math::{DVec3, Pose};
use kontakt::mesh::Mesh;
use kontakt::shapes::{FaceSet, FaceSetError, make};
use std::f64::consts::TAU;

/// The sheet behind the lamps: its lower side, and how thick it is.
pub(super) const SHEET: f64 = 95.0;
pub(super) const SHEET_THICKNESS: f64 = 0.8;

/// What is taken out, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Cover,
    Bulb,
    AuxiliaryCover,
    AuxiliaryBulb,
}

impl Part {
    pub(super) const ALL: [Part; 4] = [Part::Cover, Part::Bulb, Part::AuxiliaryCover, Part::AuxiliaryBulb];

    pub(super) fn name(self) -> &'static str {
        match self {
            Part::Cover => "cover",
            Part::Bulb => "bulb",
            Part::AuxiliaryCover => "auxiliary cover",
            Part::AuxiliaryBulb => "auxiliary bulb",
        }
    }

    pub(super) fn is_auxiliary(self) -> bool {
        matches!(self, Part::AuxiliaryCover | Part::AuxiliaryBulb)
    }

    pub(super) fn is_cover(self) -> bool {
        matches!(self, Part::Cover | Part::AuxiliaryCover)
    }

    /// The lamp it belongs to.
    pub(super) fn lamp(self) -> Lamp {
        if self.is_auxiliary() { Lamp { scale: 0.75, lugs: 4 } } else { Lamp { scale: 1.0, lugs: 3 } }
    }

    /// World from lamp.
    pub(super) fn place(self) -> Pose {
        let tilted = Pose::from_axis_angle(DVec3::Y, -0.2, DVec3::new(-118.0, 6.0, -8.0));
        if self.is_auxiliary() { tilted.unwrap_or(Pose::IDENTITY) } else { Pose::IDENTITY }
    }
}

/// All bodies.
pub(super) struct Bay {
    lamps: [Parts; 2],
    clutter: Vec<FaceSet>,
}

impl Bay {
    pub(super) fn new(fineness: Fineness) -> Result<Bay, Failure> {
        let build = || -> Result<Bay, FaceSetError> {
            let lamps = [Part::Cover.lamp().parts(fineness)?, Part::AuxiliaryCover.lamp().parts(fineness)?];
            Ok(Bay { lamps, clutter: clutter(fineness)? })
        };
        build().map_err(unusable)
    }

    /// Faces of all bodies together.
    pub(super) fn faces(&self) -> usize {
        let lamps = self.lamps.iter().flat_map(|lamp| [&lamp.housing, &lamp.cover, &lamp.bulb]);
        lamps.chain(&self.clutter).map(|body| body.triangles().len()).sum()
    }

    fn faces_of(&self, part: Part) -> &FaceSet {
        let lamp = &self.lamps[usize::from(part.is_auxiliary())];
        if part.is_cover() { &lamp.cover } else { &lamp.bulb }
    }

    /// A part in its lamp's frame.
    pub(super) fn part(&self, part: Part) -> Result<Mesh, Failure> {
        mesh(part.name(), self.faces_of(part).clone())
    }

    /// Everything that is still there when a part's turn comes, in the world.
    pub(super) fn around(&self, part: Part) -> Result<Mesh, Failure> {
        let gone = Part::ALL.iter().position(|&p| p == part).unwrap_or(0);
        let here = Part::ALL[gone + 1..].iter().map(|&p| (self.faces_of(p), p.place()));
        let housings = [Part::Cover, Part::AuxiliaryCover]
            .into_iter()
            .zip(&self.lamps)
            .map(|(p, lamp)| (&lamp.housing, p.place()));
        let clutter = self.clutter.iter().map(|faces| (faces, Pose::IDENTITY));
        let faces = together(housings.chain(here).chain(clutter)).map_err(unusable)?;
        mesh("surroundings", faces)
    }
}

/// Hoses, a battery, a pulley, a pump, bolts, and a thin sheet above the main lamp.
fn clutter(fineness: Fineness) -> Result<Vec<FaceSet>, FaceSetError> {
    let n = fineness.around;
    let detail = (n / 20).max(2);
    let hose = |middle: DVec3, radius: f64| {
        let curve = move |s: f64| {
            let swing = (TAU * s).sin();
            middle + DVec3::new(420.0 * (s - 0.5), 3.0 * swing, 3.0 * (2.0 * TAU * s).cos())
        };
        rod(curve, DVec3::Z, radius, [n, n / 8])
    };
    let upright = |s: f64| DVec3::new(82.0 + 4.0 * (TAU * s).sin(), -30.0, 260.0 * (s - 0.5));
    let scaled = |faces: FaceSet, size: f64, at: DVec3| mapped(&faces, |v| v * size + at);
    let mut bodies = vec![
        hose(DVec3::new(0.0, 85.0, -5.0), 7.0)?,
        hose(DVec3::new(0.0, -84.0, 32.0), 9.0)?,
        rod(upright, DVec3::Y, 6.0, [n, n / 8])?,
        // The battery, and the sheet.
        block(DVec3::new(95.0, -60.0, -110.0), DVec3::new(190.0, 60.0, 60.0))?,
        block(DVec3::new(-70.0, -75.0, SHEET), DVec3::new(62.0, 66.0, SHEET + SHEET_THICKNESS))?,
        scaled(make::gear(24, 0.08, 4 + detail)?, 34.0, DVec3::new(10.0, -130.0, 0.0))?,
        scaled(make::knobbly(2 * detail, 16, 3)?, 14.0, DVec3::new(95.0, 120.0, 10.0))?,
    ];
    for k in 0..6 {
        let at = DVec3::new(-60.0 + 24.0 * f64::from(k), 72.0, 88.0);
        bodies.push(scaled(make::hex_nut(1.0, 0.5, 0.5, n / 4)?, 9.0, at)?);
    }
    Ok(bodies)
}

/// A body of the study with its hierarchy.
pub(super) fn mesh(name: &str, faces: FaceSet) -> Result<Mesh, Failure> {
    Mesh::new(faces).map_err(|error| Failure::Mesh { name: name.to_owned(), error })
}

/// The study's own bodies are sound; should one not be, this is what is said.
pub(super) fn unusable(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("the study's own body: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::mesh::{MeshQuery, PlacedMesh};
    use kontakt::shapes::Topology;

    #[test]
    fn nothing_touches_anything_at_rest() {
        let bay = Bay::new(Fineness { around: 40, step: 12.0 }).unwrap();
        assert!(bay.clutter.iter().map(Topology::of).all(|topology| topology.closed && topology.oriented));
        let mut asker = MeshQuery::new();
        let mut before = usize::MAX;
        for part in Part::ALL {
            let (own, around) = (bay.part(part).unwrap(), bay.around(part).unwrap());
            let placed = PlacedMesh::new(&own, part.place());
            let gap = asker.distance(PlacedMesh::at_rest(&around), placed).range.lo();
            assert!(gap > 0.2, "{part:?} {gap}");
            let faces = around.faces().triangles().len();
            assert!(faces < before, "what is taken out is gone");
            before = faces;
            assert_eq!(around.self_intersections(10).pairs.len(), 0);
        }
    }
}
