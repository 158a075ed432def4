//! States of a pile for viewers: a point for each body, and the surfaces of those that have faces.

use super::statistics::Statistics;
use crate::failure::Failure;
use kontakt::dynamics::rigid::{RankWorld, World};
use kontakt::io::{Cells, Field, Series, Snapshot, Values, VtuOptions, WriteError};
use kontakt::math::DVec3;
use std::path::{Path, PathBuf};

/// States, evenly over the run: of each every rank writes its part.
pub(super) struct Files {
    points: Option<Series>,
    surfaces: Option<Series>,
    statistics: Option<Statistics>,
    frames: u32,
    /// The states that there are, by time.
    times: Vec<f64>,
    pub(super) written: Vec<PathBuf>,
}

impl Files {
    /// After states of these times, which were written before a checkpoint.
    pub(super) fn new(
        folder: Option<&Path>,
        frames: u32,
        times: &[f64],
        part: &RankWorld,
    ) -> Result<Files, Failure> {
        let faces = |form: &kontakt::dynamics::rigid::Form| form.geometry().surface().is_some();
        let has_faces = part.world().forms().iter().any(faces);
        let series = |folder: &Path, name| {
            Series::resumed(folder, name, VtuOptions::default(), times)
                .map_err(|error| Failure::Write { path: folder.to_owned(), error })
        };
        let first = folder.filter(|_| part.comm().rank() == 0);
        Ok(Files {
            points: folder.map(|folder| series(folder, "pile")).transpose()?,
            surfaces: folder.filter(|_| has_faces).map(|folder| series(folder, "surfaces")).transpose()?,
            statistics: first.map(|folder| Statistics::after(folder, times.len())),
            frames,
            times: times.to_vec(),
            written: Vec::new(),
        })
    }

    /// The times of the states that there are.
    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// Whether the time of the next state has come; the last one is not among them. All ranks know.
    pub(super) fn is_due(&self, share: f64) -> bool {
        let made = self.times.len();
        made < self.frames as usize && share * f64::from(self.frames) >= made as f64
    }

    /// The state at the end, and the lists of all.
    pub(super) fn last(&mut self, part: &RankWorld, whole: &mut World) -> Result<(), Failure> {
        self.write(part, whole)?;
        self.written.extend(self.points.iter().chain(&self.surfaces).map(Series::list));
        self.written.extend(self.statistics.as_ref().map(Statistics::path));
        Ok(())
    }

    /// This rank's part of a state, and of the whole what changes over time.
    pub(super) fn write(&mut self, part: &RankWorld, whole: &mut World) -> Result<(), Failure> {
        self.times.push(whole.time());
        for (series, snapshot) in [(&mut self.points, points as Written), (&mut self.surfaces, surfaces)] {
            if let Some(series) = series {
                let made = snapshot(part, series);
                self.written.push(made.map_err(|error| Failure::Write { path: series.list(), error })?);
            }
        }
        self.statistics.as_mut().map_or(Ok(()), |statistics| statistics.add(whole))
    }
}

type Written = fn(&RankWorld, &mut Series) -> Result<PathBuf, WriteError>;

/// Centres of mass with what a glyph needs: radius, turn as a quaternion (its vector, and its scalar beside it), motions, ids.
fn points(part: &RankWorld, series: &mut Series) -> Result<PathBuf, WriteError> {
    let world = part.world();
    let own: Vec<_> = part.own_bodies().collect();
    let places: Vec<DVec3> = own.iter().map(|body| body.place).collect();
    let velocities: Vec<DVec3> = own.iter().map(|body| body.velocity).collect();
    let spins: Vec<DVec3> = own.iter().map(|body| body.spin).collect();
    let turns: Vec<DVec3> = own.iter().map(|body| body.turn.xyz()).collect();
    let scalars: Vec<f64> = own.iter().map(|body| body.turn.w).collect();
    let radii: Vec<f64> = own.iter().map(|body| world.forms()[body.form as usize].radius()).collect();
    let forms: Vec<u32> = own.iter().map(|body| body.form).collect();
    let ids: Vec<u32> = own.iter().map(|body| body.id as u32).collect();
    let snapshot = Snapshot {
        points: &places,
        cells: &[Cells::Points],
        point_data: &[
            Field { name: "velocity", values: Values::Vectors(&velocities) },
            Field { name: "spin", values: Values::Vectors(&spins) },
            Field { name: "turn_xyz", values: Values::Vectors(&turns) },
            Field { name: "turn_w", values: Values::Scalars(&scalars) },
            Field { name: "radius", values: Values::Scalars(&radii) },
            Field { name: "form", values: Values::Ids(&forms) },
            Field { name: "id", values: Values::Ids(&ids) },
        ],
        cell_data: &[],
    };
    push(part, series, &snapshot)
}

/// The faces of own bodies that have some; those of fixed ones are the first rank's.
fn surfaces(part: &RankWorld, series: &mut Series) -> Result<PathBuf, WriteError> {
    let (mut corners, mut triangles, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    let world = part.world();
    let fixed = world.bodies().iter().filter(|body| !body.is_free() && part.comm().rank() == 0);
    for body in part.own_bodies().chain(fixed) {
        let Some(surface) = world.forms()[body.form as usize].geometry().surface() else { continue };
        let Some(pose) = world.pose(body.id) else { continue };
        let first = corners.len() as u32;
        corners.extend(surface.faces().vertices().iter().map(|corner| pose.apply(*corner)));
        for triangle in surface.faces().triangles() {
            triangles.push(triangle.map(|corner| first + corner));
            ids.push(body.id as u32);
        }
    }
    let snapshot = Snapshot {
        points: &corners,
        cells: &[Cells::Triangles(&triangles)],
        point_data: &[],
        cell_data: &[Field { name: "body", values: Values::Ids(&ids) }],
    };
    push(part, series, &snapshot)
}

fn push(part: &RankWorld, series: &mut Series, snapshot: &Snapshot) -> Result<PathBuf, WriteError> {
    let (time, comm) = (part.time(), part.comm());
    match comm.size() {
        1 => series.push(time, snapshot),
        ranks => series.push_part(time, snapshot, comm.rank(), ranks),
    }
}
