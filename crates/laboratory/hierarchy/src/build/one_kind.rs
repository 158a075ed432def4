//! Trees of one kind of volume.

use super::grade::Grade;
use super::judge::{GrowingPart, Judge, Tightness};
use super::volumes::Volumes;
use kontakt_bounds::{Bound, FitError, Objective};
use kontakt_hierarchy::Faces;
use kontakt_math::DVec3;
use std::cell::RefCell;

/// The family of one kind.
pub struct OneKind<'a, B> {
    corners: Corners<'a>,
    objective: Objective,
    /// Volumes of single faces, as far as they were asked for: growing parts need them again and again.
    single: RefCell<Vec<Option<B>>>,
}

impl<'a, B: Bound + Clone> OneKind<'a, B> {
    /// Volumes of kind `B` around faces of this body.
    pub fn new(faces: Faces<'a>, objective: Objective) -> OneKind<'a, B> {
        OneKind { corners: Corners::new(faces), objective, single: RefCell::new(Vec::new()) }
    }

    /// The volume of one face.
    fn around(&self, face: u32) -> Option<B> {
        let mut single = self.single.borrow_mut();
        single.resize(self.corners.faces.triangles.len(), None);
        let known = &mut single[face as usize];
        if known.is_none() {
            *known = self.fit(&[face]).ok();
        }
        known.clone()
    }

    fn grade_of(&self, fitted: Result<&B, &FitError>) -> Grade {
        fitted.map_or(Grade::WORST, |volume| Grade::new(&volume.measure(), self.objective, 1.0))
    }
}

impl<B: Bound + Clone> Judge for OneKind<'_, B> {
    fn grade(&self, faces: &[u32]) -> Grade {
        self.grade_of(self.fit(faces).as_ref())
    }

    fn part(&self, tightness: Tightness) -> Box<dyn GrowingPart + '_> {
        // For least fits both ways give the same, and merging is quicker.
        let refits = tightness == Tightness::Refit && !B::IS_LEAST;
        Box::new(Growing { family: self, refits, faces: Vec::new(), volume: None, grade: Grade::ZERO })
    }

    fn holds_for_free(&self) -> bool {
        B::IS_LEAST
    }

    fn is_monotone(&self) -> bool {
        B::IS_MONOTONE
    }
}

impl<B: Bound + Clone> Volumes for OneKind<'_, B> {
    type Volume = B;

    fn name(&self) -> &'static str {
        B::NAME
    }

    fn fit(&self, faces: &[u32]) -> Result<B, FitError> {
        self.corners.of(faces, |points, triangles| B::fit_faces(points, triangles))
    }

    fn merge(&self, a: &B, b: &B) -> Option<B> {
        Some(a.merge(b))
    }

    fn merges_tightly(&self) -> bool {
        B::IS_LEAST
    }
}

/// A part with a volume of kind `B`; without one when nothing was added yet, or no fit succeeded.
struct Growing<'a, B> {
    family: &'a OneKind<'a, B>,
    refits: bool,
    faces: Vec<u32>,
    volume: Option<B>,
    grade: Grade,
}

impl<B: Bound + Clone> Growing<'_, B> {
    fn grown(&self, face: u32) -> Option<B> {
        if self.refits {
            let more: Vec<u32> = self.faces.iter().copied().chain([face]).collect();
            return self.family.fit(&more).ok();
        }
        let alone = self.family.around(face)?;
        match &self.volume {
            Some(volume) => Some(volume.merge(&alone)),
            None if self.faces.is_empty() => Some(alone),
            None => None,
        }
    }

    /// A part that merges does not change by faces that it holds; a fit around them might.
    fn stays_with(&self, face: u32) -> bool {
        (!self.refits || B::IS_LEAST) && self.holds(face)
    }
}

impl<B: Bound + Clone> GrowingPart for Growing<'_, B> {
    fn grade(&self) -> Grade {
        self.grade
    }

    fn grade_with(&self, face: u32) -> Grade {
        if self.stays_with(face) {
            return self.grade;
        }
        self.family.grade_of(self.grown(face).as_ref().ok_or(&FitError::Empty))
    }

    fn add(&mut self, face: u32) {
        if !self.stays_with(face) {
            self.volume = self.grown(face);
            self.grade = self.family.grade_of(self.volume.as_ref().ok_or(&FitError::Empty));
        }
        self.faces.push(face);
    }

    fn holds(&self, face: u32) -> bool {
        let inside = |v: &B| self.family.corners.faces.corners(face).iter().all(|c| v.contains(*c));
        self.volume.as_ref().is_some_and(inside)
    }

    fn copy<'b>(&self) -> Box<dyn GrowingPart + 'b>
    where
        Self: 'b,
    {
        Box::new(Growing {
            family: self.family,
            refits: self.refits,
            faces: self.faces.clone(),
            volume: self.volume.clone(),
            grade: self.grade,
        })
    }
}

/// Collects the corners of sets of faces, each vertex once.
pub(super) struct Corners<'a> {
    pub(super) faces: Faces<'a>,
    scratch: RefCell<Scratch>,
}

/// Buffers kept from one set to the next.
struct Scratch {
    /// Number of the set that last used each vertex, and the vertex's place in it.
    seen: Vec<(u32, u32)>,
    set: u32,
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl<'a> Corners<'a> {
    pub(super) fn new(faces: Faces<'a>) -> Corners<'a> {
        let scratch =
            Scratch { seen: vec![(0, 0); faces.vertices.len()], set: 0, points: vec![], triangles: vec![] };
        Corners { faces, scratch: RefCell::new(scratch) }
    }

    /// Hands the points of the faces, and the faces as indices into them, to `use_them`, which must not call this again.
    pub(super) fn of<T>(&self, faces: &[u32], use_them: impl FnOnce(&[DVec3], &[[u32; 3]]) -> T) -> T {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { seen, set, points, triangles } = &mut *scratch;
        *set = set.wrapping_add(1);
        if *set == 0 {
            seen.fill((0, 0));
            *set = 1;
        }
        points.clear();
        triangles.clear();
        for face in faces {
            triangles.push(self.faces.triangles[*face as usize].map(|vertex| {
                let entry = &mut seen[vertex as usize];
                if entry.0 != *set {
                    *entry = (*set, points.len() as u32);
                    points.push(self.faces.vertices[vertex as usize]);
                }
                entry.1
            }));
        }
        use_them(points, triangles)
    }
}
