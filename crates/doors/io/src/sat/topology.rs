//! Bodies: lumps of shells of faces, loops of coedges, edges, vertices.

use super::geometry::Geometry;
use super::record::{Records, Token, Words};
use crate::curved::builder::{Builder, Uses, turned};
use crate::curved::loss::{Lost, Miss, Why};
use crate::curved::report::Gap;
use crate::curved::shift::Shift;
use kontakt_curved::{Brep, Loop};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A body that was read.
pub(super) struct Built {
    pub(super) brep: Brep,
    pub(super) face_ids: Vec<u64>,
    pub(super) lost_faces: u64,
    pub(super) kinds: BTreeMap<&'static str, u64>,
    pub(super) gap: Gap,
    /// Whether a face has the same on both of its sides.
    pub(super) is_sheet: bool,
}

/// What became of an edge.
#[derive(Clone, Copy)]
enum Known {
    /// Its number, and whether it runs as the file's edge does.
    Edge(u32, bool),
    /// It has no length; the vertex it is at.
    Collapsed(u32),
    Lost(Miss),
}

/// Losses and repairs: what is lost, for what reason, of which face or body.
pub(super) type Notes = Vec<(Lost, Miss, u64)>;

pub(super) struct Shaper<'a, 'n> {
    records: &'a Records<'a>,
    geometry: Geometry<'a>,
    shift: Option<Shift>,
    weld: f64,
    builder: Builder,
    vertices: HashMap<u64, u32>,
    edges: HashMap<u64, Known>,
    kinds: BTreeMap<&'static str, u64>,
    gap: Gap,
    lost_faces: u64,
    is_sheet: bool,
    notes: &'n mut Notes,
}

impl<'a, 'n> Shaper<'a, 'n> {
    pub(super) fn new(
        geometry: Geometry<'a>,
        shift: Option<Shift>,
        resolution: f64,
        notes: &'n mut Notes,
    ) -> Shaper<'a, 'n> {
        Shaper {
            records: geometry.records,
            geometry,
            shift,
            weld: resolution.clamp(1e-6, 1e-2),
            builder: Builder::default(),
            vertices: HashMap::new(),
            edges: HashMap::new(),
            kinds: BTreeMap::new(),
            gap: Gap::default(),
            lost_faces: 0,
            is_sheet: false,
            notes,
        }
    }

    /// Reads the body whose first lump this is.
    pub(super) fn body(mut self, id: u64, lump: u64) -> Result<Built, Miss> {
        for lump in self.chain("lump", Some(lump), id)? {
            let mut words = self.records.words(lump, id, "lump")?;
            words.pointer()?;
            let shell = words.pointer()?;
            for shell in self.chain("shell", shell, lump)? {
                self.shell(shell, lump)?;
            }
        }
        let (brep, face_ids) = self.builder.finish().map_err(|error| Why::Brep(error).at(id))?;
        let Shaper { lost_faces, kinds, gap, is_sheet, .. } = self;
        Ok(Built { brep, face_ids, lost_faces, kinds, gap, is_sheet })
    }

    /// Records that name one another as the next one, which is their first field.
    fn chain(&self, kind: &'static str, first: Option<u64>, from: u64) -> Result<Vec<u64>, Miss> {
        let (mut chain, mut seen) = (Vec::new(), HashSet::new());
        let (mut next, mut from) = (first, from);
        while let Some(id) = next {
            if !seen.insert(id) {
                return Err(Why::Cycle.at(id));
            }
            chain.push(id);
            next = self.records.words(id, from, kind)?.pointer()?;
            from = id;
        }
        Ok(chain)
    }

    fn shell(&mut self, id: u64, from: u64) -> Result<(), Miss> {
        let mut words = self.records.words(id, from, "shell")?;
        words.pointer()?;
        let (subshell, face, wire) = (words.pointer()?, words.pointer()?, words.pointer()?);
        for other in [subshell, wire].into_iter().flatten() {
            self.notes.push((Lost::Item, Why::Unsupported.at(other), id));
        }
        for face in self.chain("face", face, id)? {
            if let Err(miss) = self.face(face, id) {
                self.lost_faces += 1;
                self.notes.push((Lost::Face, miss, face));
            }
        }
        Ok(())
    }

    fn face(&mut self, id: u64, from: u64) -> Result<(), Miss> {
        let mut words = self.records.words(id, from, "face")?;
        words.pointer()?;
        let first = words.pointer()?;
        words.pointer()?;
        words.pointer()?;
        let surface = words.pointer()?.ok_or(Why::NotA("a surface").at(id))?;
        let forward = words.sense()?;
        self.is_sheet |= words.skip_if(|token| token == Token::Word(b"double"));
        let sketch = self.geometry.surface(surface, id)?;
        let mirrors = self.shift.is_some_and(|shift| shift.mirrors());
        let sketch = match &self.shift {
            Some(shift) => sketch.moved(shift),
            None => sketch,
        };
        let mut loops = Vec::new();
        for border in self.chain("loop", first, id)? {
            loops.push(self.border(border, id, mirrors)?);
        }
        let kind = self.builder.face(id, sketch, forward ^ mirrors, loops).map_err(|why| why.at(id))?;
        *self.kinds.entry(kind).or_default() += 1;
        Ok(())
    }

    fn border(&mut self, id: u64, from: u64, mirrors: bool) -> Result<Loop, Miss> {
        let mut words = self.records.words(id, from, "loop")?;
        words.pointer()?;
        let first = words.pointer()?.ok_or(Why::Open.at(id))?;
        let (mut uses, mut spot): (Uses, _) = (Vec::new(), None);
        let (mut next, mut from, mut seen) = (first, id, HashSet::new());
        while seen.insert(next) {
            let coedge = next;
            let mut words = self.coedge(coedge, from)?;
            next = words.pointer()?.ok_or(Why::Open.at(id))?;
            words.pointer()?;
            words.pointer()?;
            let edge = words.pointer()?.ok_or(Why::NotA("edge").at(coedge))?;
            let forward = words.sense()?;
            match self.edge(edge, coedge) {
                Known::Edge(edge, runs) => uses.push((edge, runs == forward)),
                Known::Collapsed(vertex) => spot = Some(vertex),
                Known::Lost(miss) => return Err(miss),
            }
            from = coedge;
        }
        if next != first {
            return Err(Why::Cycle.at(next));
        }
        if let (true, Some(vertex)) = (uses.is_empty(), spot) {
            return Ok(Loop::Vertex(vertex));
        }
        if self.builder.close(&uses, self.weld).map_err(|why| why.at(id))? > 0 {
            self.notes.push((Lost::Repaired, Why::Welded.at(id), id));
        }
        Ok(Loop::Edges(if mirrors { turned(uses) } else { uses }))
    }

    /// A coedge, also one with a tolerance.
    fn coedge(&self, id: u64, from: u64) -> Result<Words<'a>, Miss> {
        let (name, words) = self.records.get(id, from)?;
        let is_coedge = name == b"coedge" || name == b"tcoedge-coedge";
        if is_coedge { Ok(words) } else { Err(Why::NotA("coedge").at(id)) }
    }

    fn edge(&mut self, id: u64, from: u64) -> Known {
        if let Some(&known) = self.edges.get(&id) {
            return known;
        }
        let known = self.read_edge(id, from).unwrap_or_else(Known::Lost);
        self.edges.insert(id, known);
        known
    }

    fn read_edge(&mut self, id: u64, from: u64) -> Result<Known, Miss> {
        let (name, mut words) = self.records.get(id, from)?;
        if name != b"edge" && name != b"tedge-edge" {
            return Err(Why::NotA("edge").at(id));
        }
        let vertex = |pointer: Option<u64>| pointer.ok_or(Why::NotA("vertex").at(id));
        let start = vertex(words.pointer()?)?;
        let end = vertex(words.pointer()?)?;
        let [start, end] = [self.vertex(start, id)?, self.vertex(end, id)?];
        words.pointer()?;
        let Some(curve) = words.pointer()? else {
            // The apex of a cone.
            return Ok(Known::Collapsed(start));
        };
        let forward = words.sense()?;
        let track = self.geometry.curve(curve, id)?;
        let track = match &self.shift {
            Some(shift) => track.moved(shift),
            None => track,
        };
        let ends = if forward { [start, end] } else { [end, start] };
        let [a, b] = ends.map(|end| self.builder.place(end));
        let stretch = match track.between(a, b, start == end) {
            Err(Why::Collapsed) if (a - b).length() <= self.weld => {
                self.notes.push((Lost::Repaired, Why::Collapsed.at(id), id));
                return Ok(Known::Collapsed(start));
            }
            stretch => stretch.map_err(|why| why.at(id))?,
        };
        if stretch.gap > self.gap.distance {
            self.gap = Gap { distance: stretch.gap, id };
        }
        if stretch.swapped {
            self.notes.push((Lost::Repaired, Why::Sense.at(id), id));
        }
        let (edge, runs) = self.builder.edge(stretch, ends);
        Ok(Known::Edge(edge, runs == forward))
    }

    fn vertex(&mut self, id: u64, from: u64) -> Result<u32, Miss> {
        if let Some(&vertex) = self.vertices.get(&id) {
            return Ok(vertex);
        }
        let (name, mut words) = self.records.get(id, from)?;
        if name != b"vertex" && name != b"tvertex-vertex" {
            return Err(Why::NotA("vertex").at(id));
        }
        words.pointer()?;
        let point = words.pointer()?.ok_or(Why::NotA("point").at(id))?;
        let point = self.geometry.point(point, id)?;
        let point = self.shift.map_or(point, |shift| shift.point(point));
        let vertex = self.builder.vertex(point);
        self.vertices.insert(id, vertex);
        Ok(vertex)
    }
}
