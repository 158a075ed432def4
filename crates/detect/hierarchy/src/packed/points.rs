//! All vertices in packed coordinates.

use super::parallel::{chunks, lock, run};
use super::scale::{Scale, box_around};
use super::vector::{Bounds, Vector};
use crate::faces::Faces;
use std::sync::Mutex;

/// The scale of the used vertices, and all vertices in packed coordinates.
pub(crate) fn pack_points(faces: Faces, threads: usize) -> (Scale, Vec<Vector>) {
    let parts = chunks(faces.vertices.len(), threads);
    let boxes = run(threads, &parts, |part| box_around(faces.vertices[part.clone()].iter().copied()));
    let (low, high) = box_around(boxes.iter().flat_map(|(low, high)| [*low, *high]));
    let mut scale = Scale::around(low, high);
    let pack = |scale: Scale| {
        let mut points = vec![Vector::ZERO; faces.vertices.len()];
        let mut rest = points.as_mut_slice();
        let pieces: Vec<_> = parts
            .iter()
            .map(|part| {
                let (piece, after) = std::mem::take(&mut rest).split_at_mut(part.len());
                rest = after;
                (&faces.vertices[part.clone()], Mutex::new(piece))
            })
            .collect();
        run(threads, &pieces, |(from, to)| {
            for (to, from) in lock(to).iter_mut().zip(*from) {
                *to = Vector::new(scale.pack(*from));
            }
        });
        drop(pieces);
        points
    };
    let points = pack(scale);
    // Vertices without triangles must not coarsen the scale.
    let parts = chunks(faces.triangles.len(), threads);
    let used = run(threads, &parts, |part| {
        let around = |all: Bounds, t: &[u32; 3]| all.join(Bounds::of(&t.map(|v| points[v as usize])));
        faces.triangles[part.clone()].iter().fold(Bounds::EMPTY, around)
    });
    let used = used.into_iter().fold(Bounds::EMPTY, Bounds::join);
    if (used.high - used.low).xyz().iter().any(|&side| side > 0.5) {
        return (scale, points);
    }
    drop(points);
    let corners = faces.triangles.iter().flatten().map(|&v| faces.vertices[v as usize]);
    let (low, high) = box_around(corners);
    scale = Scale::around(low, high);
    (scale, pack(scale))
}
