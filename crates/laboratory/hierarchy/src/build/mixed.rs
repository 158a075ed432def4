//! Trees in which every node takes the kind of volume that suits it best.

use super::error::BuildError;
use super::grade::Grade;
use super::judge::{GrowingPart, Judge, Tightness};
use super::one_kind::Corners;
use super::volumes::Volumes;
use kontakt_bounds::{AnyVolume, Bound, FitError, Obb, Objective, VolumeKind};
use kontakt_hierarchy::Faces;
use kontakt_math::DVec3;

/// A kind that nodes may take.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The kind.
    pub kind: &'static VolumeKind,
    /// Relative cost of a test with a volume of this kind: the mean or maximum of its row in the measured cost matrix
    /// (thesis 3.4.3). Any unit; above 0.
    pub cost: f64,
}

/// The family of several kinds, graded by measure x cost.
pub struct Mixed<'a> {
    corners: Corners<'a>,
    objective: Objective,
    candidates: Vec<Candidate>,
}

impl<'a> Mixed<'a> {
    /// Volumes of these kinds around faces of this body.
    pub fn new(
        faces: Faces<'a>,
        objective: Objective,
        candidates: &[Candidate],
    ) -> Result<Mixed<'a>, BuildError> {
        if candidates.is_empty() {
            return Err(BuildError::Plan { what: "no kind of volume to choose from".to_owned() });
        }
        if let Some(bad) = candidates.iter().find(|c| !(c.cost > 0.0 && c.cost.is_finite())) {
            let what = format!("cost {} of {}: must be a number above 0", bad.cost, bad.kind.name);
            return Err(BuildError::Plan { what });
        }
        Ok(Mixed { corners: Corners::new(faces), objective, candidates: candidates.to_vec() })
    }

    fn grade_of(&self, volume: &AnyVolume, candidate: &Candidate) -> Grade {
        Grade::new(&volume.measure(), self.objective, candidate.cost)
    }

    /// The best volume around the faces with its grade, or why even the first kind has none.
    fn best(&self, faces: &[u32]) -> Result<(AnyVolume, Grade), FitError> {
        self.corners.of(faces, |points, triangles| {
            let graded = self.candidates.iter().map(|candidate| {
                let volume = quick_fit(candidate.kind, points, triangles)?;
                let grade = self.grade_of(&volume, candidate);
                Ok((volume, grade))
            });
            // The first of equals, so that the order of the list decides ties.
            let better = |best: Result<(AnyVolume, Grade), FitError>, next| match (best, next) {
                (Ok(best), Ok(next)) => Ok(if next.1 < best.1 { next } else { best }),
                (Err(_), Ok(found)) | (Ok(found), Err(_)) => Ok(found),
                (Err(first), Err(_)) => Err(first),
            };
            graded.reduce(better).unwrap_or(Err(FitError::Empty))
        })
    }
}

/// The kind's fit, except that oriented boxes come from the quick fit: the search for the smallest one is meant for whole
/// bodies, not for every node of a tree.
fn quick_fit(kind: &VolumeKind, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<AnyVolume, FitError> {
    if kind.name == Obb::NAME { Obb::fit(points).map(AnyVolume::Obb) } else { kind.fit(points, triangles) }
}

impl Judge for Mixed<'_> {
    fn grade(&self, faces: &[u32]) -> Grade {
        self.best(faces).map_or(Grade::WORST, |(_, grade)| grade)
    }

    fn part(&self, tightness: Tightness) -> Box<dyn GrowingPart + '_> {
        let volumes = vec![None; self.candidates.len()];
        Box::new(Growing {
            family: self,
            refits: tightness == Tightness::Refit,
            faces: Vec::new(),
            volumes,
            grade: Grade::ZERO,
        })
    }

    fn holds_for_free(&self) -> bool {
        false
    }

    fn is_monotone(&self) -> bool {
        false
    }
}

impl Volumes for Mixed<'_> {
    type Volume = AnyVolume;

    fn name(&self) -> &'static str {
        if let [only] = self.candidates[..] { only.kind.name } else { "volume of any kind" }
    }

    fn fit(&self, faces: &[u32]) -> Result<AnyVolume, FitError> {
        self.best(faces).map(|(volume, _)| volume)
    }

    fn merge(&self, a: &AnyVolume, b: &AnyVolume) -> Option<AnyVolume> {
        if self.candidates.len() == 1 { a.merge(b) } else { None }
    }

    fn merges_tightly(&self) -> bool {
        false
    }
}

/// A part with one volume of each kind.
#[derive(Clone)]
struct Growing<'a> {
    family: &'a Mixed<'a>,
    refits: bool,
    faces: Vec<u32>,
    volumes: Vec<Option<AnyVolume>>,
    grade: Grade,
}

impl Growing<'_> {
    fn grown(&self, face: u32) -> Vec<Option<AnyVolume>> {
        let new: Vec<u32> =
            if self.refits { self.faces.iter().copied().chain([face]).collect() } else { vec![face] };
        self.family.corners.of(&new, |points, triangles| {
            let grow = |(candidate, old): (&Candidate, &Option<AnyVolume>)| {
                let around = quick_fit(candidate.kind, points, triangles).ok()?;
                match old {
                    _ if self.refits || self.faces.is_empty() => Some(around),
                    Some(old) => old.merge(&around),
                    None => None,
                }
            };
            self.family.candidates.iter().zip(&self.volumes).map(grow).collect()
        })
    }

    fn grade_of(&self, volumes: &[Option<AnyVolume>]) -> Grade {
        let graded = self.family.candidates.iter().zip(volumes);
        let grades = graded.filter_map(|(c, v)| v.as_ref().map(|v| self.family.grade_of(v, c)));
        grades.min().unwrap_or(Grade::WORST)
    }
}

impl GrowingPart for Growing<'_> {
    fn grade(&self) -> Grade {
        self.grade
    }

    fn grade_with(&self, face: u32) -> Grade {
        self.grade_of(&self.grown(face))
    }

    fn add(&mut self, face: u32) {
        self.volumes = self.grown(face);
        self.grade = self.grade_of(&self.volumes);
        self.faces.push(face);
    }

    fn holds(&self, face: u32) -> bool {
        let corners = self.family.corners.faces.corners(face);
        self.volumes.iter().flatten().any(|v| corners.iter().all(|c| v.contains(*c)))
    }

    fn copy<'b>(&self) -> Box<dyn GrowingPart + 'b>
    where
        Self: 'b,
    {
        Box::new(self.clone())
    }
}
