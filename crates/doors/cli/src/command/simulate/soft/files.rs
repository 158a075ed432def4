//! States for viewers, evenly over the run.

use super::bodies::Bodies;
use super::form::Form;
use super::progressed::Tally;
use crate::failure::Failure;
use kontakt::io::{Cells, Field, Series, Snapshot, Values, VtuOptions};
use kontakt::math::DVec3;
use kontakt::soft::System;
use std::path::{Path, PathBuf};

pub(super) struct Files {
    series: Option<Series>,
    dt: f64,
    steps: u64,
    frames: u64,
    /// Tetrahedra of solids and triangles of shells, by the vertices of all bodies, and whose they are.
    tetrahedra: Vec<[u32; 4]>,
    triangles: Vec<[u32; 3]>,
    owners: Vec<u32>,
}

impl Files {
    /// `times` are those of the states that are there already.
    pub(super) fn new(
        folder: Option<&Path>,
        bodies: &Bodies,
        form: &Form,
        times: &[f64],
    ) -> Result<Files, Failure> {
        let series = folder.filter(|_| form.frames > 0).map(|folder| {
            Series::resumed(folder, "soft", VtuOptions::default(), times)
                .map_err(|error| Failure::Write { path: folder.to_owned(), error })
        });
        let (mut tetrahedra, mut triangles) = (Vec::new(), Vec::new());
        let (mut solids, mut shells) = (Vec::new(), Vec::new());
        let mut base = 0;
        for (number, body) in (0..).zip(&bodies.all) {
            tetrahedra.extend(body.tetrahedra().iter().map(|t| t.map(|v| v + base)));
            solids.resize(tetrahedra.len(), number);
            if body.tetrahedra().is_empty() {
                triangles.extend(body.triangles().iter().map(|t| t.map(|v| v + base)));
            }
            shells.resize(triangles.len(), number);
            base += body.places().len() as u32;
        }
        let owners = [solids, shells].concat();
        let (dt, steps, frames) = (form.dt, form.steps, form.frames);
        Ok(Files { series: series.transpose()?, dt, steps, frames, tetrahedra, triangles, owners })
    }

    /// Writes the state if its time has come: the first, then evenly, the last always.
    pub(super) fn frame(&mut self, system: &System, tally: &mut Tally) -> Result<(), Failure> {
        let Some(series) = &mut self.series else { return Ok(()) };
        // The k-th of `frames` + 1 states is due at step k · steps / frames.
        let due = (tally.frames.len() as u64).saturating_mul(self.steps).div_ceil(self.frames);
        if tally.steps < due || tally.frames.len() as u64 > self.frames {
            return Ok(());
        }
        let time = tally.steps as f64 * self.dt;
        let speeds: Vec<f64> = system.velocities().iter().map(|v| v.length()).collect();
        let velocities: &[DVec3] = system.velocities();
        let snapshot = Snapshot {
            points: system.places(),
            cells: &[Cells::Tetrahedra(&self.tetrahedra), Cells::Triangles(&self.triangles)],
            point_data: &[
                Field { name: "velocity", values: Values::Vectors(velocities) },
                Field { name: "speed", values: Values::Scalars(&speeds) },
                Field { name: "body", values: Values::Ids(system.bodies()) },
            ],
            cell_data: &[Field { name: "owner", values: Values::Ids(&self.owners) }],
        };
        series.push(time, &snapshot).map_err(|error| Failure::Write { path: series.list(), error })?;
        tally.frames.push(time);
        Ok(())
    }

    /// The list of all states, and the states.
    pub(super) fn written(&self) -> Vec<PathBuf> {
        self.series.as_ref().map(|series| vec![series.list()]).unwrap_or_default()
    }
}
