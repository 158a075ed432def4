//! Axes and boxes of the crown, from the boxes at the roots of its patches.

use super::crown::{Below, Crown};
use crate::packed::axes::principal_axes;
use crate::packed::lane::{STRAIGHT, enclosure};
use crate::packed::node::{Child, WIDTH, WideNode};
use crate::packed::parallel::{chunks, run};
use crate::packed::vector::{Bounds, Vector};
use kontakt_math::DVec3;
use std::ops::Range;

/// Straight axes stay unless others make the boxes smaller by this factor.
const GAIN: f32 = 0.9;

/// A box in packed coordinates: the points centre + Σ tⱼ·arms[j], |tⱼ| ≤ 1, and all within `slack` of them.
#[derive(Clone, Copy, Debug)]
struct Atom {
    centre: DVec3,
    arms: [DVec3; 3],
    slack: f64,
}

impl Atom {
    /// The box of a lane.
    ///
    /// Proof: the points of the lane are p = o + A⁻¹y with |y − c| ≤ h. A is orthonormal but for 2⁻²⁰ in each entry of
    /// A·Aᵀ, so A⁻¹ = Aᵀ(A·Aᵀ)⁻¹ differs from Aᵀ by less than 2⁻¹⁸ of its length: p is within 2⁻¹⁸·|y| of o + Aᵀy, and
    /// |y| ≤ |c| + |h|. Doubles add nothing that 2⁻¹⁷ would not cover but for terms of o, at most 2⁻⁵⁰.
    fn of_lane(node: &WideNode, lane: usize) -> Atom {
        let wide = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let rows = node.axes.map(wide);
        let part = |parts: &[[f32; WIDTH]; 3]| wide([parts[0][lane], parts[1][lane], parts[2][lane]]);
        let (c, h) = (part(&node.centre), part(&node.half));
        Atom {
            centre: wide(node.origin) + rows[0] * c.x + rows[1] * c.y + rows[2] * c.z,
            arms: [rows[0] * h.x, rows[1] * h.y, rows[2] * h.z],
            slack: f64::powi(2.0, -17) * (c.length() + h.length()) + f64::powi(2.0, -48),
        }
    }

    fn of_bounds(bounds: Bounds) -> Atom {
        let (centre, half) = enclosure(bounds);
        let mut node = WideNode::empty(STRAIGHT, [0.0; 3]);
        node.set_box(0, (centre, half));
        Atom::of_lane(&node, 0)
    }

    /// Bounds of its coordinates in axes around an origin.
    #[inline(always)]
    fn reach(&self, axes: &[DVec3; 3], origin: DVec3) -> (DVec3, DVec3) {
        let from = self.centre - origin;
        let middle = DVec3::new(axes[0].dot(from), axes[1].dot(from), axes[2].dot(from));
        let half = DVec3::from_array(axes.map(|axis| {
            let [a, b, c] = self.arms.map(|arm| axis.dot(arm).abs());
            a + b + c + self.slack
        }));
        (middle - half, middle + half)
    }
}

/// The boxes at the roots of the patches, in the order of the patches.
pub(super) struct Atoms {
    atoms: Vec<Atom>,
    /// Where the atoms of each patch begin, and the end of all.
    starts: Vec<usize>,
}

impl Atoms {
    /// `roots` and `bounds` of the patches, and the nodes they lead to, which count from `first`.
    pub(super) fn new(
        threads: usize,
        roots: &[Child],
        bounds: &[Bounds],
        nodes: &[WideNode],
        first: usize,
    ) -> Atoms {
        let parts = run(threads, &chunks(roots.len(), threads), |part| {
            let mut all = Atoms { atoms: Vec::with_capacity(part.len() * WIDTH), starts: Vec::new() };
            for (root, bounds) in roots[part.clone()].iter().zip(&bounds[part.clone()]) {
                match root {
                    Child::Inner(index) => {
                        let node = &nodes[*index as usize - first];
                        all.atoms.extend((0..node.children().count()).map(|lane| Atom::of_lane(node, lane)));
                    }
                    _ => all.atoms.push(Atom::of_bounds(*bounds)),
                }
                all.starts.push(all.atoms.len());
            }
            all
        });
        let mut all = Atoms { atoms: Vec::new(), starts: vec![0] };
        for part in parts {
            let before = all.atoms.len();
            all.starts.extend(part.starts.iter().map(|start| before + start));
            if before == 0 {
                all.atoms = part.atoms;
            } else {
                all.atoms.extend(part.atoms);
            }
        }
        all
    }

    fn of(&self, patches: &Range<usize>) -> &[Atom] {
        &self.atoms[self.starts[patches.start]..self.starts[patches.end]]
    }

    /// Fills in a node whose lanes hold those patches: in straight axes or in the principal ones of its atoms, whichever
    /// makes the smaller boxes.
    pub(super) fn fit(&self, made: &mut WideNode, lanes: &[(Bounds, Range<usize>)]) {
        for (lane, (bounds, _)) in lanes.iter().enumerate() {
            made.set_box(lane, enclosure(*bounds));
        }
        let straight: f32 = lanes.iter().map(|(bounds, _)| bounds.chance(0.0)).sum();
        let all = lanes.first().map_or(0, |l| l.1.start)..lanes.last().map_or(0, |l| l.1.end);
        let (axes, origin) = frame_of(self.of(&all));
        let rows = axes.map(|row| DVec3::from_array(row.map(f64::from)));
        let wide = DVec3::from_array(origin.map(f64::from));
        let turned: Vec<Bounds> = lanes
            .iter()
            .map(|(_, patches)| {
                let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let (low, high) = self.of(patches).iter().fold(start, |(low, high), atom| {
                    let (l, h) = atom.reach(&rows, wide);
                    (low.min(l), high.max(h))
                });
                // Rounding to single precision is one of the roundings that `enclosure` covers.
                let narrow = |v: DVec3| Vector::new(v.to_array().map(|x| x as f32));
                Bounds { low: narrow(low), high: narrow(high) }
            })
            .collect();
        if turned.iter().map(|bounds| bounds.chance(0.0)).sum::<f32>() < GAIN * straight {
            (made.axes, made.origin) = (axes, origin);
            for (lane, bounds) in turned.iter().enumerate() {
                made.set_box(lane, enclosure(*bounds));
            }
        }
    }
}

/// Principal axes and middle of boxes, each weighted by its surface.
fn frame_of(atoms: &[Atom]) -> ([[f32; 3]; 3], [f32; 3]) {
    let (mut weight, mut mean) = (0.0, DVec3::ZERO);
    let surface = |atom: &Atom| {
        let [a, b, c] = atom.arms.map(DVec3::length);
        a * b + b * c + c * a
    };
    for atom in atoms {
        weight += surface(atom);
        mean += atom.centre * surface(atom);
    }
    let mean = if weight > 0.0 { mean / weight } else { DVec3::ZERO };
    let mut second = [0.0; 6];
    for atom in atoms {
        let w = surface(atom);
        let mut add = |v: DVec3, w: f64| {
            let [x, y, z] = v.to_array();
            for (sum, term) in second.iter_mut().zip([x * x, y * y, z * z, x * y, x * z, y * z]) {
                *sum += w * term;
            }
        };
        add(atom.centre - mean, w);
        atom.arms.into_iter().for_each(|arm| add(arm, w / 3.0));
    }
    (principal_axes(second), mean.to_array().map(|x| x as f32))
}

impl Crown {
    /// Box, patches and code of what each lane of each node leads to, bottom up.
    pub(super) fn lanes(&self) -> Vec<Vec<(Bounds, Range<usize>)>> {
        let mut spans: Vec<Range<usize>> = vec![0..0; self.nodes.len()];
        let mut all = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let lanes: Vec<(Bounds, Range<usize>)> = node
                .lanes
                .iter()
                .map(|(bounds, below)| match below {
                    Below::Crown(inner) => (*bounds, spans[*inner].clone()),
                    Below::Patch(patch) => (*bounds, *patch..*patch + 1),
                })
                .collect();
            spans[index] = lanes.first().map_or(0, |l| l.1.start)..lanes.last().map_or(0, |l| l.1.end);
            all[index] = lanes;
        }
        all
    }
}
