//! Gmsh's MSH out, versions 2.2 and 4.1, as text or bytes of little endian order. Fields are not written.

use crate::atomic::write_atomically;
use crate::snapshot::{POLYGON, TETRAHEDRON, TRIANGLE};
use crate::{Snapshot, WriteError};
use kontakt_schedule::Deadline;
use std::io::{self, Write};
use std::path::Path;

/// Versions of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MshVersion {
    /// What most programs read.
    V2,
    /// What Gmsh writes today.
    #[default]
    V4,
}

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MshOptions {
    /// Of the format.
    pub version: MshVersion,
    /// Text instead of bytes; both keep every bit of finite numbers.
    pub text: bool,
    /// When to give up.
    pub deadline: Deadline,
}

/// Writes points and cells; triangles are of entity 1 of dimension 2, tetrahedra of entity 1 of dimension 3. Nodes and elements are
/// numbered from 1 in the order given.
pub fn write_msh(path: &Path, snapshot: &Snapshot<'_>, options: &MshOptions) -> Result<(), WriteError> {
    snapshot.validate()?;
    let runs = Run::all(snapshot)?;
    let elements = runs.iter().map(|run| run.elements).sum::<usize>();
    // Version 2 counts in signed 32 bits.
    for (what, count) in [("points", snapshot.points.len()), ("elements", elements)] {
        if options.version == MshVersion::V2 && i32::try_from(count).is_err() {
            return Err(WriteError::TooMany { what, count });
        }
    }
    write_atomically(path, options.deadline, |out| {
        let mut file = Msh { out, text: options.text };
        match options.version {
            MshVersion::V2 => file.write_old(snapshot, &runs, elements),
            MshVersion::V4 => file.write_new(snapshot, &runs, elements),
        }
        .map_err(WriteError::from)
    })
}

/// Elements of one kind that follow one another.
struct Run {
    /// As Gmsh numbers kinds.
    kind: i32,
    dimension: i32,
    corners_each: usize,
    corners: Vec<u32>,
    elements: usize,
}

impl Run {
    fn all(snapshot: &Snapshot<'_>) -> Result<Vec<Run>, WriteError> {
        let mut runs: Vec<Run> = Vec::new();
        let mut wrong = None;
        let mut cell = 0;
        snapshot.each_cell(|code, corners| {
            let (kind, dimension) = match (code, corners.len()) {
                (TETRAHEDRON, _) => (4, 3),
                (TRIANGLE, _) => (2, 2),
                (POLYGON, 4) => (3, 2),
                (POLYGON, corners) => {
                    wrong = wrong.or(Some((cell, corners)));
                    return;
                }
                _ => (15, 0),
            };
            cell += 1;
            if runs.last().is_none_or(|run| run.kind != kind) {
                let corners_each = corners.len();
                runs.push(Run { kind, dimension, corners_each, corners: Vec::new(), elements: 0 });
            }
            if let Some(run) = runs.last_mut() {
                run.corners.extend_from_slice(corners);
                run.elements += 1;
            }
        });
        match wrong {
            Some((cell, corners)) => Err(WriteError::Polygon { cell, corners }),
            None => Ok(runs),
        }
    }
}

struct Msh<'a> {
    out: &'a mut dyn Write,
    text: bool,
}

/// Whole numbers of 4 bytes, and of 8 where they count or name in version 4.
impl Msh<'_> {
    fn head(&mut self, version: &str) -> io::Result<()> {
        writeln!(self.out, "$MeshFormat\n{version} {} 8", i32::from(!self.text))?;
        if !self.text {
            self.out.write_all(&1_i32.to_le_bytes())?;
            self.out.write_all(b"\n")?;
        }
        self.out.write_all(b"$EndMeshFormat\n")
    }

    fn ints(&mut self, values: &[i32]) -> io::Result<()> {
        values.iter().try_for_each(|value| self.value(value, &value.to_le_bytes()))
    }

    /// Counts and numbers of four bytes; that they fit was checked.
    fn small(&mut self, values: &[usize]) -> io::Result<()> {
        values.iter().try_for_each(|&value| self.value(&value, &(value as u32).to_le_bytes()))
    }

    fn sizes(&mut self, values: &[usize]) -> io::Result<()> {
        values.iter().try_for_each(|&value| self.value(&value, &(value as u64).to_le_bytes()))
    }

    fn doubles(&mut self, values: &[f64]) -> io::Result<()> {
        for value in values {
            if self.text {
                write!(self.out, "{value:?} ")
            } else {
                self.out.write_all(&value.to_le_bytes())
            }?;
        }
        Ok(())
    }

    fn value(&mut self, text: &dyn std::fmt::Display, bytes: &[u8]) -> io::Result<()> {
        if self.text { write!(self.out, "{text} ") } else { self.out.write_all(bytes) }
    }

    /// The end of a line of text; bytes have none.
    fn end(&mut self) -> io::Result<()> {
        if self.text { self.out.write_all(b"\n") } else { Ok(()) }
    }

    /// The end of a section.
    fn close(&mut self, section: &str) -> io::Result<()> {
        writeln!(self.out, "{}$End{section}", if self.text { "" } else { "\n" })
    }

    fn write_old(&mut self, snapshot: &Snapshot<'_>, runs: &[Run], elements: usize) -> io::Result<()> {
        self.head("2.2")?;
        writeln!(self.out, "$Nodes\n{}", snapshot.points.len())?;
        for (i, point) in snapshot.points.iter().enumerate() {
            self.small(&[i + 1])?;
            self.doubles(&point.to_array())?;
            self.end()?;
        }
        self.close("Nodes")?;
        writeln!(self.out, "$Elements\n{elements}")?;
        let mut number = 0;
        for run in runs {
            if !self.text {
                self.ints(&[run.kind])?;
                self.small(&[run.elements, 2])?;
            }
            for corners in run.corners.chunks(run.corners_each) {
                number += 1;
                self.ints(&[number])?;
                if self.text {
                    self.ints(&[run.kind, 2])?;
                }
                self.ints(&[1, 1])?;
                corners.iter().try_for_each(|&corner| self.small(&[corner as usize + 1]))?;
                self.end()?;
            }
        }
        self.close("Elements")
    }

    fn write_new(&mut self, snapshot: &Snapshot<'_>, runs: &[Run], elements: usize) -> io::Result<()> {
        self.head("4.1")?;
        let dimension = runs.iter().map(|run| run.dimension).max().unwrap_or(0);
        let points = snapshot.points.len();
        self.out.write_all(b"$Nodes\n")?;
        self.sizes(&[usize::from(points > 0), points, 1.min(points), points])?;
        self.end()?;
        if points > 0 {
            self.ints(&[dimension, 1, 0])?;
            self.sizes(&[points])?;
            self.end()?;
            for number in 1..=points {
                self.sizes(&[number])?;
                self.end()?;
            }
        }
        for point in snapshot.points {
            self.doubles(&point.to_array())?;
            self.end()?;
        }
        self.close("Nodes")?;
        self.out.write_all(b"$Elements\n")?;
        self.sizes(&[runs.len(), elements, 1.min(elements), elements])?;
        self.end()?;
        let mut number = 0;
        for run in runs {
            self.ints(&[run.dimension, 1, run.kind])?;
            self.sizes(&[run.elements])?;
            self.end()?;
            for corners in run.corners.chunks(run.corners_each) {
                number += 1;
                self.sizes(&[number])?;
                corners.iter().try_for_each(|&corner| self.sizes(&[corner as usize + 1]))?;
                self.end()?;
            }
        }
        self.close("Elements")
    }
}
