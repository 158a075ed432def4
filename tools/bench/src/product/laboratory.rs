//! All kinds of volumes on the same bodies, and the forms in which boxes can be stored.

use crate::data::boxes;
use crate::product::overlap::{PlainObb, obbs};
use kontakt::bounds::{
    Aabb, AnyVolume, Bound, CentreRadiusAabb, MinWidthsAabb, Obb, QuaternionObb, SquareObb, TwoAxesObb,
    VolumeKind,
};
use kontakt::math::{DQuat, DVec3, Pose};

/// Point sets on turned ellipsoids, scattered so that about half of their hulls overlap.
pub(crate) fn bodies(count: usize, points: usize) -> Vec<Vec<DVec3>> {
    let place = |&(centre, turn, half): &PlainObb, salt: usize| {
        let turn = DQuat::from_array(turn);
        (0..points)
            .map(|k| {
                // A spiral over the sphere: even, and different in every body.
                let z = 1.0 - 2.0 * (k as f64 + 0.5) / points as f64;
                let angle = 2.399_963 * (k + salt) as f64;
                let round = (1.0 - z * z).sqrt();
                let unit = DVec3::new(round * angle.cos(), round * angle.sin(), z);
                DVec3::from_array(centre) + turn * (unit * DVec3::from_array(half))
            })
            .collect()
    };
    boxes::oriented(31, count).iter().enumerate().map(|(salt, plain)| place(plain, salt)).collect()
}

/// A kind fitted to all bodies.
pub(crate) struct Fitted {
    pub(crate) kind: &'static VolumeKind,
    pub(crate) volumes: Vec<AnyVolume>,
}

/// Every kind that can be fitted to the bodies.
pub(crate) fn fit_all(bodies: &[Vec<DVec3>]) -> Vec<Fitted> {
    let fit = |kind: &'static VolumeKind| {
        let volumes: Result<Vec<AnyVolume>, _> = bodies.iter().map(|points| kind.fit(points, &[])).collect();
        volumes.ok().map(|volumes| Fitted { kind, volumes })
    };
    VolumeKind::all().iter().filter_map(fit).collect()
}

impl Fitted {
    /// Overlap of all pairs.
    pub(crate) fn overlaps(&self) -> usize {
        let all = &self.volumes;
        all.iter().map(|a| all.iter().filter(|b| a.may_overlap(b)).count()).sum()
    }

    /// Lower bounds of the distance of all pairs; how many are positive.
    pub(crate) fn gaps(&self) -> usize {
        let all = &self.volumes;
        all.iter().map(|a| all.iter().filter(|b| a.gap_below(b) > 0.0).count()).sum()
    }

    /// All volumes turned and moved.
    pub(crate) fn transforms(&self, pose: &Pose) -> usize {
        self.volumes.iter().filter(|volume| volume.transformed(pose).contains(DVec3::ZERO)).count()
    }

    /// Mean volume.
    pub(crate) fn mean_volume(&self) -> f64 {
        self.volumes.iter().map(|volume| volume.measure().volume).sum::<f64>() / self.volumes.len() as f64
    }

    /// Doubles that define one.
    pub(crate) fn doubles(&self) -> usize {
        use kontakt::bounds::Parameter;
        let size = |parameter: &Parameter| match parameter {
            Parameter::Number(_) => 1,
            Parameter::Numbers(numbers) => numbers.len(),
            Parameter::Vector(_) => 3,
            Parameter::Vectors(vectors) => 3 * vectors.len(),
            Parameter::Faces(_) => 0,
        };
        // The directions of a k-DOP are common to all of its kind and stored once.
        let own =
            |(name, parameter): &(&str, Parameter)| if *name == "directions" { 0 } else { size(parameter) };
        self.volumes.first().map_or(0, |volume| volume.parameters().iter().map(own).sum())
    }
}

/// A stored form of a box: its size in memory and a test of all pairs.
pub(crate) struct Form {
    pub(crate) name: &'static str,
    pub(crate) bytes: usize,
    pub(crate) run: Box<dyn Fn() -> usize>,
}

fn form<T: 'static>(name: &'static str, all: Vec<T>, may_overlap: fn(&T, &T) -> bool) -> Form {
    let bytes = size_of::<T>();
    let run = move || all.iter().map(|a| all.iter().filter(|b| may_overlap(a, b)).count()).sum();
    Form { name, bytes, run: Box::new(run) }
}

/// Every form of axis-aligned and oriented boxes, over `count` boxes.
pub(crate) fn forms(count: usize) -> Vec<Form> {
    let oriented = obbs(&boxes::oriented(32, count));
    let aligned: Vec<Aabb> = oriented.iter().map(Obb::to_aabb).collect();
    let square: Vec<SquareObb> = oriented.iter().map(SquareObb::of).collect();
    vec![
        form("AABB, min–max", aligned.clone(), Aabb::may_overlap),
        form(
            "AABB, min–widths",
            aligned.iter().map(MinWidthsAabb::from).collect(),
            MinWidthsAabb::may_overlap,
        ),
        form(
            "AABB, centre–radius",
            aligned.iter().map(CentreRadiusAabb::from).collect(),
            CentreRadiusAabb::may_overlap,
        ),
        form("OBB, matrix, checked on every call", oriented.clone(), Obb::may_overlap),
        form("OBB, matrix, checked once", square.clone(), SquareObb::may_overlap),
        form("OBB, matrix, checked once, 6 face axes", square, SquareObb::may_overlap_by_faces),
        form(
            "OBB, quaternion",
            oriented.iter().map(QuaternionObb::from).collect(),
            QuaternionObb::may_overlap,
        ),
        form("OBB, two axes", oriented.iter().map(TwoAxesObb::from).collect(), TwoAxesObb::may_overlap),
    ]
}
