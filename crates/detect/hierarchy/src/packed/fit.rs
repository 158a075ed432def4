//! Axes and boxes for a given shape of tree: after packing another tree and after vertices have moved.

use super::Packed;
use super::error::BuildError;
use super::lane::{STRAIGHT, Turn, enclosure};
use super::node::{Child, WideNode};
use super::orient::{Sums, orient};
use super::points::pack_points;
use super::vector::{Bounds, Vector};
use crate::faces::Faces;
use std::ops::Range;

/// Nodes over at most this many triangles get their own axes, and boxes from the vertices; those above straight boxes.
const OWN_AXES: usize = 256;

impl Packed {
    /// Fits the hierarchy to moved vertices, the triangles being the same: origin, scale, axes and boxes are made anew,
    /// only the shape of the tree stays. Changes nothing if the triangles are not those it was built of.
    pub fn refit(&mut self, faces: Faces) -> Result<(), BuildError> {
        if self.order.len() != faces.triangles.len() {
            return Err(BuildError::Mismatch { what: "another number of triangles" });
        }
        let same = |(&id, corners): (&u32, &[u32; 3])| faces.triangles.get(id as usize) == Some(corners);
        if !self.order.iter().zip(&self.corners).all(same) {
            return Err(BuildError::Mismatch { what: "other triangles" });
        }
        self.fit(faces);
        Ok(())
    }

    /// Origin, scale, axes and boxes for the shape of the tree, which must be sound.
    pub(super) fn fit(&mut self, faces: Faces) {
        let (scale, points) = pack_points(faces, 1);
        (self.origin, self.exponent) = (scale.origin, scale.exponent);
        let corners: Vec<[Vector; 3]> =
            self.corners.iter().map(|corners| corners.map(|v| points[v as usize])).collect();
        let (runs, boxes) = self.runs_and_boxes(&corners);
        let slots: Vec<u32> = (0..corners.len() as u32).collect();
        let mut guides = vec![Vector::new([1.0, 0.0, 0.0]); self.nodes.len()];
        for index in 0..self.nodes.len() {
            let run = runs[index].clone();
            let node = &mut self.nodes[index];
            if run.len() > OWN_AXES {
                set_straight(node, &corners, &boxes);
                continue;
            }
            let sums = Sums::of(&corners, &slots[run]);
            (node.axes, node.origin) = (orient(&sums, guides[index]).0, sums.mean().xyz());
            let turn = Turn::new(&node.axes, sums.mean());
            for lane in 0..node.children().count() {
                let below = match Child::decode(node.child[lane]) {
                    Child::Inner(inner) => {
                        guides[inner as usize] = Vector::new(node.axes[0]);
                        runs[inner as usize].clone()
                    }
                    leaf => slots_of(leaf),
                };
                let around = corners[below].iter().fold(Bounds::EMPTY, |all, c| all.join(turn.bounds(c)));
                node.set_box(lane, enclosure(around));
            }
        }
    }

    /// The slots below each node, and the box around their triangles in packed coordinates.
    fn runs_and_boxes(&self, corners: &[[Vector; 3]]) -> (Vec<Range<usize>>, Vec<Bounds>) {
        let mut runs = vec![0..0; self.nodes.len()];
        let mut boxes = vec![Bounds::EMPTY; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let (mut start, mut end, mut around) = (usize::MAX, 0, Bounds::EMPTY);
            for child in node.children() {
                let (below, bounds) = match child {
                    Child::Inner(inner) => (runs[inner as usize].clone(), boxes[inner as usize]),
                    leaf => (slots_of(leaf), around_slots(corners, slots_of(leaf))),
                };
                (start, end) = (start.min(below.start), end.max(below.end));
                around = around.join(bounds);
            }
            (runs[index], boxes[index]) = (start..end, around);
        }
        (runs, boxes)
    }
}

fn set_straight(node: &mut WideNode, corners: &[[Vector; 3]], boxes: &[Bounds]) {
    (node.axes, node.origin) = (STRAIGHT, [0.0; 3]);
    for lane in 0..node.children().count() {
        let around = match Child::decode(node.child[lane]) {
            Child::Inner(inner) => boxes[inner as usize],
            leaf => around_slots(corners, slots_of(leaf)),
        };
        node.set_box(lane, enclosure(around));
    }
}

fn slots_of(leaf: Child) -> Range<usize> {
    match leaf {
        Child::Leaf { first, count } => first as usize..(first + count) as usize,
        Child::Inner(_) | Child::Empty => 0..0,
    }
}

fn around_slots(corners: &[[Vector; 3]], slots: Range<usize>) -> Bounds {
    corners[slots].iter().fold(Bounds::EMPTY, |all, corners| all.join(Bounds::of(corners)))
}
