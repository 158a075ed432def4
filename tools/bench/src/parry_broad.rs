//! parry's tree as a broad phase: the ways a user would take it.

use crate::clock::timed;
use crate::contest::{Contender, Sample};
use kontakt_lab_broad::Crowd;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// How the tree is kept up to date.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Upkeep {
    /// Boxes as they are; refit, optimised a little, all pairs each time.
    Refit,
    /// Built anew at each step.
    Rebuild,
    /// Boxes with a margin, pairs kept; only pairs of boxes that have left their margin are looked for, as rapier does.
    Margin,
}

/// Margin on each side: with speeds up to 0.1 a box stays for two steps and more. Not tuned.
const MARGIN: f32 = 0.2;

struct Kept {
    crowd: Crowd,
    boxes: Vec<Aabb>,
    tree: Bvh,
    workspace: BvhWorkspace,
    upkeep: Upkeep,
    steps: usize,
    /// With margins: the fat boxes and the pairs of them.
    fat: Vec<Aabb>,
    near: Vec<[u32; 2]>,
    pairs: Vec<[u32; 2]>,
}

fn single(b: &kontakt::bounds::Aabb) -> Aabb {
    let corner = |p: kontakt_math::DVec3| Vector::from_array(p.to_array().map(|x| x as f32));
    Aabb::new(corner(b.min), corner(b.max))
}

/// A call is `steps` steps, its time the mean of one. The boxes are made single outside of it.
pub(crate) fn contender(
    name: &'static str,
    upkeep: Upkeep,
    crowd: Crowd,
    steps: usize,
) -> Contender<'static, usize> {
    let boxes: Vec<Aabb> = crowd.boxes().iter().map(single).collect();
    let mut tree = Kept {
        tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
        fat: boxes.clone(),
        crowd,
        boxes,
        workspace: BvhWorkspace::default(),
        upkeep,
        steps,
        near: Vec::new(),
        pairs: Vec::new(),
    };
    if upkeep == Upkeep::Margin {
        tree.start_margins();
    }
    Contender::new(name, move || Ok(tree.run()))
}

impl Kept {
    fn start_margins(&mut self) {
        for fat in &mut self.fat {
            *fat = fat.loosened(MARGIN);
        }
        self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.fat);
        let near = &mut self.near;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            near.push([a.min(b), a.max(b)]);
        });
        near.sort_unstable();
    }

    fn run(&mut self) -> Sample<usize> {
        let mut seconds = 0.0;
        for _ in 0..self.steps {
            self.crowd.advance();
            for (own, b) in self.boxes.iter_mut().zip(self.crowd.boxes()).take(self.crowd.movers()) {
                *own = single(b);
            }
            seconds += timed(|| self.step()).0;
        }
        (seconds / self.steps as f64, self.pairs.len())
    }

    fn step(&mut self) {
        let movers = self.crowd.movers();
        self.pairs.clear();
        match self.upkeep {
            Upkeep::Margin => return self.step_with_margins(movers),
            Upkeep::Rebuild => self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.boxes),
            Upkeep::Refit => {
                for (id, b) in self.boxes.iter().enumerate().take(movers) {
                    self.tree.insert_or_update_partially(*b, id as u32, 0.0);
                }
                self.tree.refit(&mut self.workspace);
                self.tree.optimize_incremental(&mut self.workspace);
            }
        }
        let pairs = &mut self.pairs;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| pairs.push([a, b]));
    }

    fn step_with_margins(&mut self, movers: usize) {
        for (id, b) in self.boxes.iter().enumerate().take(movers) {
            if !self.fat[id].contains(b) {
                self.fat[id] = b.loosened(MARGIN);
                self.tree.insert_or_update_partially(*b, id as u32, MARGIN);
            }
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
        let fat = &self.fat;
        self.near.retain(|&[a, b]| fat[a as usize].intersects(&fat[b as usize]));
        let (near, kept) = (&mut self.near, self.pairs.len());
        debug_assert_eq!(kept, 0);
        self.tree.traverse_bvtt_single_tree::<true>(&mut self.workspace, &mut |a, b| {
            near.push([a.min(b), a.max(b)]);
        });
        self.near.sort_unstable();
        self.near.dedup();
        let boxes = &self.boxes;
        let touching = self.near.iter().filter(|&&[a, b]| boxes[a as usize].intersects(&boxes[b as usize]));
        self.pairs.extend(touching);
    }
}
