//! Overlap tests of many boxes.

use kontakt::bounds::batch::{AabbBatch, Hits, Isa, ObbBatch};
use kontakt::bounds::{Aabb, Bound, Obb, SquareObb};
use kontakt::math::{DMat3, DQuat, DVec3};

/// An oriented box as the generator makes it: centre, unit quaternion x y z w, half extents.
pub(crate) type PlainObb = ([f64; 3], [f64; 4], [f64; 3]);

/// A way of testing all pairs of a fixed set, with its name; returns how many may overlap.
pub(crate) struct Kernel {
    /// Instruction set, for tables.
    pub(crate) name: &'static str,
    /// Answers all tests once.
    pub(crate) run: Box<dyn FnMut() -> usize>,
}

fn isa_name(isa: Isa) -> &'static str {
    match isa {
        Isa::Portable => "portable",
        Isa::Avx2 => "AVX2",
        Isa::Avx512 => "AVX-512",
    }
}

pub(crate) fn obbs(boxes: &[PlainObb]) -> Vec<Obb> {
    boxes
        .iter()
        .map(|&(centre, turn, half)| Obb {
            centre: DVec3::from_array(centre),
            axes: DMat3::from_quat(DQuat::from_array(turn)),
            half_extents: DVec3::from_array(half),
        })
        .collect()
}

/// Member i of one list against member i of the other: batched on each instruction set, and the scalar test.
pub(crate) fn obb_pairs(ones: &[PlainObb], others: &[PlainObb]) -> Vec<Kernel> {
    let (ones, others) = (obbs(ones), obbs(others));
    let mut kernels: Vec<Kernel> = Isa::available()
        .map(|isa| {
            let (first, second) = ObbBatch::pair(&ones, &others);
            let mut hits = Hits::new();
            let run = Box::new(move || {
                first.pair_hits_with(isa, &second, &mut hits);
                hits.count()
            });
            Kernel { name: isa_name(isa), run }
        })
        .collect();
    let square = |boxes: &[Obb]| boxes.iter().map(SquareObb::of).collect::<Vec<_>>();
    let (ones, others) = (square(&ones), square(&others));
    let run = Box::new(move || ones.iter().zip(&others).filter(|(a, b)| a.may_overlap(b)).count());
    kernels.push(Kernel { name: "scalar f64", run });
    kernels
}

/// Each of `ones` against all of `others`, batched on each instruction set.
pub(crate) fn obb_one_to_many(ones: &[PlainObb], others: &[PlainObb]) -> Vec<Kernel> {
    Isa::available()
        .map(|isa| {
            let (queries, members) = (obbs(ones), ObbBatch::new(&obbs(others)));
            let mut hits = Hits::new();
            let run = Box::new(move || {
                let mut count = 0;
                for query in &queries {
                    members.hits_with(isa, query, &mut hits);
                    count += hits.count();
                }
                count
            });
            Kernel { name: isa_name(isa), run }
        })
        .collect()
}

/// Each of `ones` against all of `others`, given as lower and upper corners: batched on each instruction set, and the
/// scalar test.
pub(crate) fn aabb_one_to_many(ones: &[[[f64; 3]; 2]], others: &[[[f64; 3]; 2]]) -> Vec<Kernel> {
    let aabbs = |boxes: &[[[f64; 3]; 2]]| -> Vec<Aabb> {
        boxes
            .iter()
            .map(|&[min, max]| Aabb { min: DVec3::from_array(min), max: DVec3::from_array(max) })
            .collect()
    };
    let (queries, members) = (aabbs(ones), aabbs(others));
    let mut kernels: Vec<Kernel> = Isa::available()
        .map(|isa| {
            let (queries, batch) = (queries.clone(), AabbBatch::new(&members));
            let mut hits = Hits::new();
            let run = Box::new(move || {
                let mut count = 0;
                for query in &queries {
                    batch.hits_with(isa, query, &mut hits);
                    count += hits.count();
                }
                count
            });
            Kernel { name: isa_name(isa), run }
        })
        .collect();
    let run = Box::new(move || {
        queries.iter().map(|query| members.iter().filter(|member| query.may_overlap(member)).count()).sum()
    });
    kernels.push(Kernel { name: "scalar f64", run });
    kernels
}
