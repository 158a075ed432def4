//! Series of VTU files: PVD over time, PVTU over pieces.

use super::array::Numbers;
use super::vtu::{VtuOptions, write_vtu};
use super::xml::{escaped, write_head};
use crate::atomic::write_atomically;
use crate::{Snapshot, WriteError};
use kontakt_schedule::Deadline;
use std::path::{Path, PathBuf};

/// A growing series: `NAME_000000.vtu`, `NAME_000001.vtu`, … in a folder, and `NAME.pvd`, which names them with their times. A state that
/// ranks have written in parts is `NAME_000000.pvtu`, over `NAME_000000_0.vtu`, `NAME_000000_1.vtu`, …. After
/// every push all files are complete; files of an older, longer series are left where they are and not named.
#[derive(Debug)]
pub struct Series {
    folder: PathBuf,
    name: String,
    options: VtuOptions,
    states: Vec<(f64, String)>,
}

impl Series {
    /// A series that begins. The folder is made where it does not exist.
    pub fn new(folder: &Path, name: &str, options: VtuOptions) -> Result<Series, WriteError> {
        std::fs::create_dir_all(folder)?;
        Ok(Series { folder: folder.to_owned(), name: name.to_owned(), options, states: Vec::new() })
    }

    /// A series that goes on after the states of these times, as after a checkpoint: their files are taken to be there.
    pub fn resumed(
        folder: &Path,
        name: &str,
        options: VtuOptions,
        times: &[f64],
    ) -> Result<Series, WriteError> {
        let mut series = Series::new(folder, name, options)?;
        let name = |i: usize| {
            let parts = series.file_name(i, Form::Parts);
            if series.folder.join(&parts).exists() { parts } else { series.file_name(i, Form::Whole) }
        };
        series.states = times.iter().enumerate().map(|(i, &time)| (time, name(i))).collect();
        Ok(series)
    }

    /// Writes a state and the list of all; gives the state's file.
    pub fn push(&mut self, time: f64, snapshot: &Snapshot<'_>) -> Result<PathBuf, WriteError> {
        let path = self.folder.join(self.file_name(self.states.len(), Form::Whole));
        write_vtu(&path, snapshot, &self.options)?;
        self.list_as(time, Form::Whole, Form::Parts)
    }

    /// Writes one of `ranks` parts of a state; the first rank also writes the state's file over all parts, and the list. Every rank
    /// calls it, with the same fields; gives the file that this one is to name: the state's, or its part's.
    pub fn push_part(
        &mut self,
        time: f64,
        snapshot: &Snapshot<'_>,
        rank: usize,
        ranks: usize,
    ) -> Result<PathBuf, WriteError> {
        let state = self.states.len();
        let part = |rank: usize| self.file_name(state, Form::Part(rank));
        let own = self.folder.join(part(rank));
        write_vtu(&own, snapshot, &self.options)?;
        if rank > 0 {
            self.states.push((time, self.file_name(state, Form::Parts)));
            return Ok(own);
        }
        let parts: Vec<String> = (0..ranks).map(part).collect();
        let parts: Vec<&Path> = parts.iter().map(Path::new).collect();
        let path = self.folder.join(self.file_name(state, Form::Parts));
        write_pvtu(&path, &parts, snapshot, self.options.deadline)?;
        self.list_as(time, Form::Parts, Form::Whole)
    }

    /// Adds the state to the list and removes what an older series may have left of it in the other form.
    fn list_as(&mut self, time: f64, form: Form, other: Form) -> Result<PathBuf, WriteError> {
        let state = self.states.len();
        let file = self.file_name(state, form);
        let path = self.folder.join(&file);
        match std::fs::remove_file(self.folder.join(self.file_name(state, other))) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        self.states.push((time, file));
        let states: Vec<(f64, &Path)> = self.states.iter().map(|(t, file)| (*t, Path::new(file))).collect();
        if let Err(error) = write_pvd(&self.list(), &states, self.options.deadline) {
            self.states.pop();
            return Err(error);
        }
        Ok(path)
    }

    /// The file that lists the states, for viewers to open.
    pub fn list(&self) -> PathBuf {
        self.folder.join(format!("{}.pvd", self.name))
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    fn file_name(&self, state: usize, form: Form) -> String {
        let name = &self.name;
        match form {
            Form::Whole => format!("{name}_{state:06}.vtu"),
            Form::Parts => format!("{name}_{state:06}.pvtu"),
            Form::Part(rank) => format!("{name}_{state:06}_{rank}.vtu"),
        }
    }
}

/// The files of a state.
#[derive(Clone, Copy, Debug)]
enum Form {
    Whole,
    Parts,
    Part(usize),
}

/// Writes a PVD file: which file, relative to it, holds the state at which time. Files may be VTU or PVTU.
pub fn write_pvd(path: &Path, states: &[(f64, &Path)], deadline: Deadline) -> Result<(), WriteError> {
    let files = states.iter().map(|(_, file)| attribute(file)).collect::<Result<Vec<_>, _>>()?;
    write_atomically(path, deadline, |out| {
        use std::io::Write;
        write_head(out, "Collection", "")?;
        out.write_all(b"<Collection>\n")?;
        for ((time, _), file) in states.iter().zip(&files) {
            writeln!(out, "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>")?;
        }
        Ok(out.write_all(b"</Collection>\n</VTKFile>\n")?)
    })
}

/// Writes a PVTU file over pieces that were written apart, as by the ranks of a distributed run. `like` is one of them, or an empty
/// snapshot with the same fields; files are relative to the PVTU.
pub fn write_pvtu(
    path: &Path,
    pieces: &[&Path],
    like: &Snapshot<'_>,
    deadline: Deadline,
) -> Result<(), WriteError> {
    let files = pieces.iter().map(|file| attribute(file)).collect::<Result<Vec<_>, _>>()?;
    write_atomically(path, deadline, |out| {
        use std::io::Write;
        write_head(out, "PUnstructuredGrid", "")?;
        out.write_all(
            b"<PUnstructuredGrid GhostLevel=\"0\">\n<PPoints>\n<PDataArray type=\"Float64\" Name=\"Points\" \
              NumberOfComponents=\"3\"/>\n</PPoints>\n",
        )?;
        for (element, fields) in [("PPointData", like.point_data), ("PCellData", like.cell_data)] {
            writeln!(out, "<{element}>")?;
            for field in fields {
                let (numbers, components) = Numbers::of_field(field);
                let (kind, name) = (numbers.kind(), escaped(field.name));
                writeln!(
                    out,
                    "<PDataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"/>"
                )?;
            }
            writeln!(out, "</{element}>")?;
        }
        for file in &files {
            writeln!(out, "<Piece Source=\"{file}\"/>")?;
        }
        Ok(out.write_all(b"</PUnstructuredGrid>\n</VTKFile>\n")?)
    })
}

/// A file's name as an attribute.
fn attribute(file: &Path) -> Result<String, WriteError> {
    let name = file.to_str().filter(|name| !name.chars().any(char::is_control));
    name.map(escaped).ok_or_else(|| WriteError::Name(file.display().to_string()))
}
