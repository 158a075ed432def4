//! The tree of nodes, unfolded into bodies.

use super::buffers::{Buffers, Rows};
use super::document::{Document, Mesh, Primitive};
use super::placement::Placement;
use super::turn::Turn;
use crate::error::{Fault, Place, Problem};
use crate::input::Parsed;
use kontakt_math::DVec3;
use kontakt_shapes::memory::{OutOfMemory, reserve};
use kontakt_shapes::{FaceList, FaceSet};
use std::collections::HashMap;

const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// Walks the nodes of a scene.
pub(super) struct SceneReader<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    elements_left: u64,
    parsed: Parsed,
}

impl<'a> SceneReader<'a> {
    pub(super) fn new(document: &'a Document, buffers: &'a Buffers<'a>, most_elements: u64) -> Self {
        SceneReader { document, buffers, elements_left: most_elements, parsed: Parsed::default() }
    }

    /// Parents before children, children in their order.
    pub(super) fn read(mut self) -> Result<Parsed, Fault> {
        self.parsed.report.skins = self.document.skins.len() as u64;
        let mut waiting: Vec<(usize, Placement)> = Vec::new();
        waiting.extend(self.roots()?.into_iter().rev().map(|root| (root, Placement::IDENTITY)));
        let mut visited = vec![false; self.document.nodes.len()];
        while let Some((index, parent)) = waiting.pop() {
            let place = Place::Element("node", index as u64);
            let (Some(node), Some(visited)) = (self.document.nodes.get(index), visited.get_mut(index)) else {
                return Err(Problem::malformed("there is no such node").at(place));
            };
            if std::mem::replace(visited, true) {
                return Err(Problem::malformed("the node is reached in two ways").at(place));
            }
            let (own, turn) = Placement::of(node).map_err(|problem| problem.at(place))?;
            self.remark(turn);
            let placement = parent.of_inner(&own);
            if let Some(mesh) = node.mesh {
                let Some(mesh) = self.document.meshes.get(mesh) else {
                    return Err(Problem::malformed(format!("there is no mesh {mesh}")).at(place));
                };
                let faces = self.body(mesh, &placement).map_err(|fault| match fault.place {
                    Place::Whole | Place::Element("vertex", _) => fault.problem.at(place),
                    _ => fault,
                })?;
                let name = node.name.clone().or_else(|| mesh.name.clone());
                match faces {
                    Some(faces) => {
                        let name = name.unwrap_or_else(|| format!("node{index}"));
                        self.parsed.objects.push((Some(name), faces));
                    }
                    None => self.parsed.report.empty_objects += 1,
                }
            }
            waiting.extend(node.children.iter().rev().map(|&child| (child, placement)));
        }
        Ok(self.parsed)
    }

    fn remark(&mut self, turn: Turn) {
        match turn {
            Turn::AsGiven => {}
            Turn::Quarters => self.parsed.report.exact_quarter_turns += 1,
            Turn::EighthsOrTwelfths => self.parsed.report.exact_finer_turns += 1,
        }
    }

    /// The nodes of the scene to show; without scenes, all that are nobody's children.
    fn roots(&self) -> Result<Vec<usize>, Fault> {
        let scene = self.document.scene.unwrap_or(0);
        if let Some(scene) = self.document.scenes.get(scene) {
            return Ok(scene.nodes.clone());
        }
        if self.document.scene.is_some() {
            return Err(Problem::malformed(format!("there is no scene {scene}")).into());
        }
        let mut is_child = vec![false; self.document.nodes.len()];
        for &child in self.document.nodes.iter().flat_map(|node| &node.children) {
            if let Some(is_child) = is_child.get_mut(child) {
                *is_child = true;
            }
        }
        Ok((0..is_child.len()).filter(|&node| !is_child[node]).collect())
    }

    /// All triangles of a mesh in scene coordinates; `None` when it has none.
    fn body(&mut self, mesh: &Mesh, placement: &Placement) -> Result<Option<FaceSet>, Fault> {
        let mut vertices = Vec::new();
        let mut faces = FaceList::default();
        // Primitives often share their positions.
        let mut first_vertex = HashMap::new();
        for primitive in &mesh.primitives {
            self.parsed.report.morph_targets += primitive.targets.len() as u64;
            let mode = primitive.mode.unwrap_or(TRIANGLES);
            if mode > FAN {
                return Err(Problem::malformed(format!("primitive mode {mode}")).into());
            }
            let (TRIANGLES..=FAN, Some(position)) = (mode, primitive.attributes.position) else {
                self.parsed.report.ignored_elements += 1;
                continue;
            };
            let rows = self.buffers.rows::<3>(position, "VEC3")?;
            let first = *first_vertex.entry(position).or_insert(vertices.len());
            if first == vertices.len() {
                self.spend(rows.count)?;
                append(&rows, placement, &mut vertices)?;
            }
            let mut corners = Corners::new(mode, placement.mirrors(), &mut faces);
            self.corners(primitive, rows.count, |corner| {
                let corner = u32::try_from(first + corner as usize);
                corners.push(corner.map_err(|_| Problem::TooMany("vertices in one node".into()))?)
            })?;
            corners.finish()?;
        }
        if faces.is_empty() { Ok(None) } else { Ok(Some(FaceSet::new(vertices, faces)?)) }
    }

    /// Gives the corners of a primitive to `give`, one after the other.
    fn corners(
        &mut self,
        primitive: &Primitive,
        vertices: usize,
        mut give: impl FnMut(u32) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(accessor) = primitive.indices else {
            self.spend(vertices)?;
            return (0..vertices).try_for_each(|corner| give(corner as u32));
        };
        let place = Place::Element("accessor", accessor as u64);
        let rows = self.buffers.rows::<1>(accessor, "SCALAR")?;
        if !rows.number.is_index() {
            return Err(Problem::malformed("indices must be unsigned").at(place));
        }
        self.spend(rows.count)?;
        for i in 0..rows.count {
            let index = rows.index(i);
            if index as usize >= vertices {
                return Err(
                    Problem::BadIndex { index: i64::from(index), vertices: vertices as u64 }.at(place)
                );
            }
            give(index)?;
        }
        Ok(())
    }

    fn spend(&mut self, elements: usize) -> Result<(), Problem> {
        match self.elements_left.checked_sub(elements as u64) {
            Some(left) => {
                self.elements_left = left;
                Ok(())
            }
            None => Err(Problem::TooMany("vertices and corners once all nodes are unfolded".into())),
        }
    }
}

fn append(rows: &Rows<'_>, placement: &Placement, vertices: &mut Vec<DVec3>) -> Result<(), OutOfMemory> {
    reserve(vertices, rows.count)?;
    vertices.extend((0..rows.count).map(|i| placement.apply(rows.row(i).into())));
    Ok(())
}

/// Makes triangles of a stream of corners.
struct Corners<'a> {
    mode: u32,
    mirrored: bool,
    faces: &'a mut FaceList,
    seen: u64,
    /// The two corners before: of the list, the strip, or the first and last of the fan.
    held: [u32; 2],
}

impl<'a> Corners<'a> {
    fn new(mode: u32, mirrored: bool, faces: &'a mut FaceList) -> Self {
        Corners { mode, mirrored, faces, seen: 0, held: [0; 2] }
    }

    fn push(&mut self, corner: u32) -> Result<(), Fault> {
        let place = if self.mode == TRIANGLES { self.seen % 3 } else { self.seen.min(2) };
        if place < 2 {
            self.held[place as usize] = corner;
        } else {
            let [a, b] = self.held;
            let odd = self.mode == STRIP && self.seen % 2 == 1;
            self.faces.push_triangle(if odd == self.mirrored { [a, b, corner] } else { [b, a, corner] })?;
            match self.mode {
                STRIP => self.held = [b, corner],
                FAN => self.held = [a, corner],
                _ => {}
            }
        }
        self.seen += 1;
        Ok(())
    }

    fn finish(self) -> Result<(), Problem> {
        if self.mode == TRIANGLES && !self.seen.is_multiple_of(3) {
            return Err(Problem::WrongCount(format!(
                "{} corners are no whole number of triangles",
                self.seen
            )));
        }
        Ok(())
    }
}
