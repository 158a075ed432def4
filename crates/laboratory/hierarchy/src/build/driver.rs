//! Grows the shape of a tree from the root down (thesis Figures 3.1 and 3.2), asking a rule at every node.

use super::grade::Grade;
use super::notes::Notes;
use super::plan::{Arity, WhenStuck};
use super::rule::{Rule, SplitSet};
use super::workpiece::Workpiece;
use crate::{Content, Node, Tree};
use kontakt_schedule::Expired;

/// Most parts of a split; a rule that names more counts as stuck.
const MOST_PARTS: usize = 16;

/// A node that is still to be split: its place in the list of nodes and its part of the order.
struct Job {
    node: usize,
    depth: usize,
    first: usize,
    count: usize,
    /// Known where an improvement rate is asked for, except at the root.
    grade: Option<Grade>,
}

/// A way to deal out the faces of a node: at least two parts, none of them empty.
struct Deal {
    labels: Vec<u8>,
    sizes: Vec<usize>,
    /// Empty where no improvement rate is asked for.
    grades: Vec<Grade>,
}

/// The shape of the tree that the rule makes of all faces, by a list of jobs instead of recursion: no depth overflows a
/// stack.
pub fn grow(workpiece: &Workpiece<'_>, rule: &dyn Rule) -> Result<(Tree<()>, Notes), Expired> {
    let total = workpiece.faces.triangles.len();
    let mut order: Vec<u32> = (0..total as u32).collect();
    let mut nodes = vec![Node { volume: (), content: Content::Leaf { first: 0, count: total as u32 } }];
    let mut notes = Notes::default();
    let mut sorted = Vec::new();
    let mut jobs = vec![Job { node: 0, depth: 0, first: 0, count: total, grade: None }];
    while let Some(job) = jobs.pop() {
        workpiece.plan.deadline.check()?;
        if job.count <= workpiece.plan.leaf_size || job.depth >= workpiece.plan.max_depth {
            continue;
        }
        let faces = &mut order[job.first..job.first + job.count];
        let seed = workpiece.plan.seed ^ (job.first as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let set = SplitSet { workpiece, faces, seed };
        let Some(deal) = deal(&set, rule, job.grade, &mut notes) else { continue };
        notes.splits += 1;
        sort_by_label(faces, &deal, &mut sorted);
        let children = nodes.len();
        nodes[job.node].content = Content::Inner { first: children as u32, count: deal.sizes.len() as u32 };
        let mut first = job.first;
        for (child, count) in deal.sizes.iter().copied().enumerate() {
            let content = Content::Leaf { first: first as u32, count: count as u32 };
            nodes.push(Node { volume: (), content });
            let grade = deal.grades.get(child).copied();
            jobs.push(Job { node: children + child, depth: job.depth + 1, first, count, grade });
            first += count;
        }
    }
    Ok((Tree { nodes, order }, notes))
}

/// Brings the faces of each part together, in the order of the parts, keeping the order within each.
fn sort_by_label(faces: &mut [u32], deal: &Deal, sorted: &mut Vec<u32>) {
    let mut next: Vec<usize> = Vec::with_capacity(deal.sizes.len());
    let mut start = 0;
    for size in &deal.sizes {
        next.push(start);
        start += size;
    }
    sorted.clear();
    sorted.resize(faces.len(), 0);
    for (face, label) in faces.iter().zip(&deal.labels) {
        sorted[next[*label as usize]] = *face;
        next[*label as usize] += 1;
    }
    faces.copy_from_slice(sorted);
}

/// How to split a node, or `None` for a leaf.
fn deal(set: &SplitSet<'_>, rule: &dyn Rule, grade: Option<Grade>, notes: &mut Notes) -> Option<Deal> {
    let dealt = match set.workpiece.plan.arity {
        Arity::Fixed(parts) => ask(set, rule, parts.min(set.faces.len()), notes)
            .map(|(labels, sizes)| Deal { labels, sizes, grades: Vec::new() }),
        Arity::Improve { alpha, smin, vmax } => {
            let before = grade.unwrap_or_else(|| set.workpiece.judge.grade(set.faces));
            let (best, reached) = improve(set, rule, &before, alpha, vmax, notes);
            if !reached && set.faces.len() < smin {
                notes.kept_whole += 1;
                return None;
            }
            notes.below_rate += usize::from(!reached);
            best
        }
    };
    dealt.or_else(|| {
        notes.stuck += 1;
        match set.workpiece.plan.when_stuck {
            WhenStuck::Leaf => None,
            WhenStuck::Halve => Some(evenly(set)),
        }
    })
}

/// The first number of parts that reaches the rate, or else the best split found; and whether it was reached.
fn improve(
    set: &SplitSet<'_>,
    rule: &dyn Rule,
    before: &Grade,
    alpha: f64,
    vmax: usize,
    notes: &mut Notes,
) -> (Option<Deal>, bool) {
    let mut best: Option<(Grade, Deal)> = None;
    for parts in 2..=vmax.min(set.faces.len()) {
        let Some((labels, sizes)) = ask(set, rule, parts, notes) else { continue };
        let grades = set.grades(&labels, sizes.len());
        let gathered = set.workpiece.plan.gather.of(&grades);
        let deal = Deal { labels, sizes, grades };
        if gathered.improves(before, alpha) {
            return (Some(deal), true);
        }
        if best.as_ref().is_none_or(|(least, _)| gathered < *least) {
            best = Some((gathered, deal));
        }
    }
    (best.map(|(_, deal)| deal), false)
}

/// The rule's answer with empty parts dropped: labels and sizes. `None` when all faces stay together.
fn ask(
    set: &SplitSet<'_>,
    rule: &dyn Rule,
    parts: usize,
    notes: &mut Notes,
) -> Option<(Vec<u8>, Vec<usize>)> {
    let split = rule.split(set, parts)?;
    debug_assert_eq!(split.labels.len(), set.faces.len(), "a label for every face");
    let mut sizes = [0; MOST_PARTS];
    for label in &split.labels {
        *sizes.get_mut(*label as usize)? += 1;
    }
    let mut names = [0_u8; MOST_PARTS];
    let mut used = 0;
    for (name, size) in names.iter_mut().zip(&sizes) {
        *name = used;
        used += u8::from(*size > 0);
    }
    if used < 2 {
        return None;
    }
    if let Some(gap) = split.gap {
        notes.search_ended(gap);
    }
    let mut labels = split.labels;
    for label in &mut labels {
        *label = names[*label as usize];
    }
    Some((labels, sizes.into_iter().filter(|size| *size > 0).collect()))
}

/// Runs of equal length in the order of the set.
fn evenly(set: &SplitSet<'_>) -> Deal {
    let count = set.faces.len();
    let parts = match set.workpiece.plan.arity {
        Arity::Fixed(parts) => parts.min(count),
        Arity::Improve { .. } => 2,
    };
    let labels: Vec<u8> = (0..count).map(|place| (place * parts / count) as u8).collect();
    let mut sizes = vec![0; parts];
    for label in &labels {
        sizes[*label as usize] += 1;
    }
    let grades = match set.workpiece.plan.arity {
        Arity::Fixed(_) => Vec::new(),
        Arity::Improve { .. } => set.grades(&labels, parts),
    };
    Deal { labels, sizes, grades }
}
