//! Solids and sheets: shells of faces, loops, edges, vertices.

use super::field::Fields;
use super::notes::Notes;
use super::placement::Placer;
use super::surface::Surfacer;
use super::table::Table;
use crate::curved::builder::{Builder, Uses, turned};
use crate::curved::loss::{Lost, Miss, Why};
use crate::curved::report::Gap;
use crate::curved::shift::Shift;
use crate::curved::spline::Spline;
use crate::curved::track::Track;
use kontakt_curved::{Brep, Loop};
use kontakt_math::DVec3;
use std::collections::{BTreeMap, HashMap};

/// How deep oriented things may be wrapped in one another.
const DEEPEST: u32 = 8;

/// A body that was read.
pub(super) struct Built {
    pub(super) brep: Brep,
    pub(super) face_ids: Vec<u64>,
    pub(super) lost_faces: u64,
    pub(super) kinds: BTreeMap<&'static str, u64>,
    pub(super) gap: Gap,
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

/// Reads one body.
pub(super) struct Shaper<'a, 'n> {
    table: &'a Table<'a>,
    placer: Placer<'a>,
    surfacer: Surfacer<'a>,
    /// What scales or mirrors the body.
    shift: Option<Shift>,
    /// Vertices nearer than this may be one.
    weld: f64,
    builder: Builder,
    vertices: HashMap<u64, u32>,
    edges: HashMap<u64, Known>,
    /// Straight edges between points of polygons.
    lines: HashMap<[u64; 2], Known>,
    kinds: BTreeMap<&'static str, u64>,
    gap: Gap,
    lost_faces: u64,
    notes: &'n mut Notes,
}

impl<'a, 'n> Shaper<'a, 'n> {
    pub(super) fn new(
        surfacer: Surfacer<'a>,
        shift: Option<Shift>,
        uncertainty: f64,
        notes: &'n mut Notes,
    ) -> Shaper<'a, 'n> {
        let placer = surfacer.placer;
        Shaper {
            table: placer.table,
            placer,
            surfacer,
            shift,
            // A claim that is too bold must not weld a model's details away.
            weld: uncertainty.clamp(1e-6, 1e-2),
            builder: Builder::default(),
            vertices: HashMap::new(),
            edges: HashMap::new(),
            lines: HashMap::new(),
            kinds: BTreeMap::new(),
            gap: Gap::default(),
            lost_faces: 0,
            notes,
        }
    }

    /// Reads the body of this number.
    pub(super) fn body(mut self, id: u64) -> Result<Built, Miss> {
        for (shell, from) in shells(self.table, id)? {
            self.shell(shell, from)?;
        }
        let (brep, face_ids) = self.builder.finish().map_err(|error| Why::Brep(error).at(id))?;
        let Shaper { lost_faces, kinds, gap, .. } = self;
        Ok(Built { brep, face_ids, lost_faces, kinds, gap })
    }

    fn shell(&mut self, id: u64, from: u64) -> Result<(), Miss> {
        let (mut fields, flip) =
            unwrapped(self.table, id, from, "ORIENTED_CLOSED_SHELL", "ORIENTED_OPEN_SHELL")?;
        fields.skip()?;
        let shell = fields.id;
        for face in fields.references()? {
            if let Err(miss) = self.face(face, shell, flip) {
                self.lost_faces += 1;
                self.notes.lost(Lost::Face, miss, face);
            }
        }
        Ok(())
    }

    fn face(&mut self, id: u64, from: u64, flip: bool) -> Result<(), Miss> {
        let (mut fields, turn) = unwrapped(self.table, id, from, "ORIENTED_FACE", "ORIENTED_FACE")?;
        let id = fields.id;
        let entity = self.table.get(id, from)?;
        if !["ADVANCED_FACE", "FACE_SURFACE"].iter().any(|kind| entity.is(kind)) {
            return Err(Why::Unsupported.at(id));
        }
        fields.skip()?;
        let bounds = fields.references()?;
        let sketch = self.surfacer.surface(fields.reference()?, id)?;
        let mirrors = self.shift.is_some_and(|shift| shift.mirrors());
        let flip = flip ^ turn ^ mirrors;
        let agrees = fields.flag()? ^ flip;
        let sketch = match &self.shift {
            Some(shift) => sketch.moved(shift),
            None => sketch,
        };
        let mut loops = Vec::with_capacity(bounds.len());
        for bound in bounds {
            loops.push(self.bound(bound, id, flip)?);
        }
        let kind = self.builder.face(id, sketch, agrees, loops).map_err(|why| why.at(id))?;
        *self.kinds.entry(kind).or_default() += 1;
        Ok(())
    }

    fn bound(&mut self, id: u64, from: u64, flip: bool) -> Result<Loop, Miss> {
        let entity = self.table.get(id, from)?;
        let bound = entity.own("FACE_OUTER_BOUND").or_else(|| entity.own("FACE_BOUND"));
        let mut fields = bound.ok_or(Why::NotA("a bound of a face").at(id))?;
        fields.skip()?;
        let border = fields.reference()?;
        let turn = !fields.flag()? ^ flip;
        let border_entity = self.table.get(border, id)?;
        let (name, mut fields) = border_entity.simple().ok_or(Why::NotA("a loop").at(border))?;
        fields.skip()?;
        let (uses, spot) = match name {
            b"EDGE_LOOP" => self.edge_loop(&mut fields)?,
            b"POLY_LOOP" => self.poly_loop(&mut fields)?,
            b"VERTEX_LOOP" => return Ok(Loop::Vertex(self.vertex(fields.reference()?, border)?)),
            _ => return Err(Why::Unsupported.at(border)),
        };
        if let (true, Some(vertex)) = (uses.is_empty(), spot) {
            return Ok(Loop::Vertex(vertex));
        }
        let uses = match self.builder.close(&uses, self.weld) {
            Ok(0) => uses,
            Ok(_) => {
                self.notes.repaired(border, Why::Welded);
                uses
            }
            Err(why) => {
                let ordered = if uses.is_empty() { None } else { self.builder.ordered(&uses) };
                let ordered = ordered.ok_or(why.at(border))?;
                self.notes.repaired(border, Why::Order);
                ordered
            }
        };
        Ok(Loop::Edges(if turn { turned(uses) } else { uses }))
    }

    /// The edges of a loop, without those that have no length; the place of one of these.
    fn edge_loop(&mut self, fields: &mut Fields<'a>) -> Result<(Uses, Option<u32>), Miss> {
        let (mut uses, mut spot) = (Vec::new(), None);
        for id in fields.references()? {
            let (edge, backwards) = unwrapped(self.table, id, fields.id, "ORIENTED_EDGE", "ORIENTED_EDGE")?;
            match self.edge(edge.id) {
                Known::Edge(edge, runs) => uses.push((edge, runs ^ backwards)),
                Known::Collapsed(vertex) => spot = Some(vertex),
                Known::Lost(miss) => return Err(miss),
            }
        }
        Ok((uses, spot))
    }

    fn edge(&mut self, id: u64) -> Known {
        if let Some(&known) = self.edges.get(&id) {
            return known;
        }
        let known = self.read_edge(id).unwrap_or_else(Known::Lost);
        self.edges.insert(id, known);
        known
    }

    fn read_edge(&mut self, id: u64) -> Result<Known, Miss> {
        let mut fields = self.table.fields(id, id, "EDGE_CURVE")?;
        fields.skip()?;
        let start = self.vertex(fields.reference()?, id)?;
        let end = self.vertex(fields.reference()?, id)?;
        let track = self.placer.curve(fields.reference()?, id)?;
        let agrees = fields.flag()?;
        let ends = if agrees { [start, end] } else { [end, start] };
        let known = self.stretch(id, track, ends)?;
        Ok(match known {
            Known::Edge(edge, runs) => Known::Edge(edge, runs == agrees),
            other => other,
        })
    }

    /// An edge on a curve that runs from the first vertex to the second.
    fn stretch(&mut self, id: u64, track: Track, ends: [u32; 2]) -> Result<Known, Miss> {
        let track = match &self.shift {
            Some(shift) => track.moved(shift),
            None => track,
        };
        let [from, to] = ends.map(|end| self.builder.place(end));
        let stretch = match track.between(from, to, ends[0] == ends[1]) {
            Err(Why::Collapsed) if (from - to).length() <= self.weld => {
                self.notes.repaired(id, Why::Collapsed);
                return Ok(Known::Collapsed(ends[0]));
            }
            stretch => stretch.map_err(|why| why.at(id))?,
        };
        if stretch.gap > self.gap.distance {
            self.gap = Gap { distance: stretch.gap, id };
        }
        if stretch.swapped {
            self.notes.repaired(id, Why::Sense);
        }
        let (edge, runs) = self.builder.edge(stretch, ends);
        Ok(Known::Edge(edge, runs))
    }

    fn vertex(&mut self, id: u64, from: u64) -> Result<u32, Miss> {
        if let Some(&vertex) = self.vertices.get(&id) {
            return Ok(vertex);
        }
        let mut fields = self.table.fields(id, from, "VERTEX_POINT")?;
        fields.skip()?;
        let point = self.placer.point(fields.reference()?, id)?;
        Ok(self.new_vertex(id, point))
    }

    fn new_vertex(&mut self, id: u64, point: DVec3) -> u32 {
        let point = self.shift.map_or(point, |shift| shift.point(point));
        let vertex = self.builder.vertex(point);
        self.vertices.insert(id, vertex);
        vertex
    }

    /// Lines from point to point; polygons that use the same points share them.
    fn poly_loop(&mut self, fields: &mut Fields<'a>) -> Result<(Uses, Option<u32>), Miss> {
        let ids = fields.references()?;
        let (mut uses, mut spot) = (Vec::with_capacity(ids.len()), None);
        for (i, &id) in ids.iter().enumerate() {
            let next = ids[(i + 1) % ids.len()];
            match self.line(id.min(next), id.max(next), fields.id)? {
                Known::Edge(edge, runs) => uses.push((edge, runs == (id < next))),
                Known::Collapsed(vertex) => spot = Some(vertex),
                Known::Lost(miss) => return Err(miss),
            }
        }
        Ok((uses, spot))
    }

    fn line(&mut self, low: u64, high: u64, from: u64) -> Result<Known, Miss> {
        if let Some(&known) = self.lines.get(&[low, high]) {
            return Ok(known);
        }
        let mut ends = [0; 2];
        for (end, id) in ends.iter_mut().zip([low, high]) {
            *end = if let Some(&vertex) = self.vertices.get(&id) {
                vertex
            } else {
                let point = self.placer.point(id, from)?;
                self.new_vertex(id, point)
            };
        }
        let known = if low == high {
            Known::Collapsed(ends[0])
        } else {
            let [a, b] = [self.placer.point(low, from)?, self.placer.point(high, from)?];
            let track = Track::Spline(Spline::polyline(vec![a, b]));
            let line = Track::Line { origin: a, direction: b - a };
            self.stretch(from, if a == b { track } else { line }, ends)?
        };
        self.lines.insert([low, high], known);
        Ok(known)
    }
}

/// Shells of a solid or sheet, each with what names it.
fn shells(table: &Table<'_>, id: u64) -> Result<Vec<(u64, u64)>, Miss> {
    let entity = table.get(id, id)?;
    let mut shells = Vec::new();
    if entity.is_complex() {
        let mut fields = entity.part("MANIFOLD_SOLID_BREP").ok_or(Why::Unsupported.at(id))?;
        shells.push(fields.reference()?);
        if let Some(mut fields) = entity.part("BREP_WITH_VOIDS") {
            shells.extend(fields.references()?);
        }
    } else {
        let (name, mut fields) = entity.simple().ok_or(Why::NotA("a body").at(id))?;
        fields.skip()?;
        match name {
            b"SHELL_BASED_SURFACE_MODEL" | b"FACE_BASED_SURFACE_MODEL" => shells.extend(fields.references()?),
            b"BREP_WITH_VOIDS" => {
                shells.push(fields.reference()?);
                shells.extend(fields.references()?);
            }
            _ => shells.push(fields.reference()?),
        }
    }
    Ok(shells.into_iter().map(|shell| (shell, id)).collect())
}

/// What an oriented shell, face or edge wraps, and whether it is turned round. The wrapper has one or two derived parameters (`*`)
/// between its name and the thing wrapped.
fn unwrapped<'a>(
    table: &'a Table<'a>,
    id: u64,
    from: u64,
    kind: &'static str,
    other: &'static str,
) -> Result<(Fields<'a>, bool), Miss> {
    let (mut id, mut from, mut turned) = (id, from, false);
    for _ in 0..DEEPEST {
        let entity = table.get(id, from)?;
        let (name, mut fields) = entity.simple().ok_or(Why::Unsupported.at(id))?;
        if name != kind.as_bytes() && name != other.as_bytes() {
            return Ok((fields, turned));
        }
        fields.skip()?;
        while fields.omitted() {}
        let inner = fields.reference()?;
        // Some writers repeat the vertices of an oriented edge instead of deriving them.
        let inner = if kind == "ORIENTED_EDGE" && fields.left() > 1 {
            fields.skip()?;
            fields.reference()?
        } else {
            inner
        };
        turned ^= !fields.flag()?;
        (from, id) = (id, inner);
    }
    Err(Why::Cycle.at(id))
}
