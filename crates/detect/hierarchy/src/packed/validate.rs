//! Checks every claim of a packed hierarchy, exactly.

use super::Packed;
use super::error::Flaw;
use super::node::{Child, WIDTH, WideNode};
use super::scale::Scale;
use crate::faces::Faces;
use kontakt_math::{DVec3, Dyadic};
use kontakt_schedule::{Deadline, Expired};
use std::ops::Range;

/// Why a check came to no good end.
enum Ended {
    Flaw(Flaw),
    Late(Expired),
}

impl From<Flaw> for Ended {
    fn from(flaw: Flaw) -> Ended {
        Ended::Flaw(flaw)
    }
}

impl From<Expired> for Ended {
    fn from(expired: Expired) -> Ended {
        Ended::Late(expired)
    }
}

impl Packed {
    /// Checks every claim: lists and slots, the shape of the tree, axes, and in exact arithmetic that each child encloses
    /// each triangle below. Takes time in the order of triangles × depth.
    pub fn validate(&self, faces: Faces) -> Result<(), Flaw> {
        let late = Flaw::Lists { what: "no time was given to check them" };
        self.validate_until(faces, Deadline::NEVER).unwrap_or(Err(late))
    }

    /// The same, given up at a deadline.
    pub fn validate_until(&self, faces: Faces, deadline: Deadline) -> Result<Result<(), Flaw>, Expired> {
        match self.validated(faces, deadline) {
            Ok(()) => Ok(Ok(())),
            Err(Ended::Flaw(flaw)) => Ok(Err(flaw)),
            Err(Ended::Late(expired)) => Err(expired),
        }
    }

    fn validated(&self, faces: Faces, deadline: Deadline) -> Result<(), Ended> {
        self.check_lists(faces)?;
        let runs = self.check_shape(|_, _| Ok(()))?;
        let exact = Exact::new(self);
        for (index, node) in self.nodes.iter().enumerate() {
            // The root's triangles are all: a look a node is rare enough.
            deadline.check()?;
            check_numbers(index as u32, node)?;
            for (lane, child) in node.children().enumerate() {
                let run = match child {
                    Child::Inner(inner) => runs[inner as usize].clone(),
                    Child::Leaf { first, count } => first..first + count,
                    Child::Empty => 0..0,
                };
                self.check_lane(faces, &exact, (index as u32, lane as u32), run)?;
            }
        }
        Ok(())
    }

    fn check_lists(&self, faces: Faces) -> Result<(), Flaw> {
        let count = faces.triangles.len();
        if self.nodes.is_empty() || count == 0 {
            return Err(Flaw::Lists { what: "there are no nodes or no triangles" });
        }
        if self.order.len() != count || self.corners.len() != count {
            return Err(Flaw::Lists { what: "the slots are not as many as the triangles" });
        }
        if !self.origin.is_finite() {
            return Err(Flaw::Lists { what: "the origin is not finite" });
        }
        if self.exponent.abs() > 1100 {
            return Err(Flaw::Lists { what: "the exponent is out of range" });
        }
        let mut seen = vec![false; count];
        for (slot, &triangle) in self.order.iter().enumerate() {
            match seen.get_mut(triangle as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(Flaw::Permutation { triangle, times: 2 }),
            }
            if self.corners[slot] != faces.triangles[triangle as usize] {
                return Err(Flaw::Corners { slot: slot as u32 });
            }
        }
        Ok(())
    }

    /// Every node but the root has one parent before it, and the slots below each node are one run; the root's is all. What
    /// `also` checks of each node is done in the same pass.
    pub(super) fn check_shape(
        &self,
        also: impl Fn(u32, &WideNode) -> Result<(), Flaw>,
    ) -> Result<Vec<Range<u32>>, Flaw> {
        let count = self.nodes.len();
        let mut has_parent = vec![false; count];
        let mut runs = vec![0..0; count];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            also(index as u32, node)?;
            let flaw = |lane: usize, what| Flaw::Lane { node: index as u32, lane: lane as u32, what };
            let used = node.child.iter().take_while(|&&code| Child::decode(code) != Child::Empty).count();
            if used == 0 {
                return Err(flaw(0, "the node has no child"));
            }
            for lane in used..WIDTH {
                if Child::decode(node.child[lane]) != Child::Empty {
                    return Err(flaw(lane, "a child follows an empty lane"));
                }
                if (0..3).any(|k| node.half[k][lane] != -1.0) {
                    return Err(flaw(lane, "an empty lane has a box"));
                }
            }
            let mut run: Option<Range<u32>> = None;
            for (lane, &code) in node.child[..used].iter().enumerate() {
                let below = match Child::decode(code) {
                    Child::Inner(inner) => {
                        if inner as usize <= index || inner as usize >= count {
                            return Err(flaw(lane, "the child is not after its parent"));
                        }
                        if std::mem::replace(&mut has_parent[inner as usize], true) {
                            return Err(Flaw::Numbers { node: inner, what: "not exactly one parent" });
                        }
                        runs[inner as usize].clone()
                    }
                    Child::Leaf { first, count } => {
                        if count == 0 || u64::from(first) + u64::from(count) > self.order.len() as u64 {
                            return Err(flaw(lane, "the leaf has no slots or too many"));
                        }
                        first..first + count
                    }
                    Child::Empty => continue,
                };
                run = match run {
                    Some(run) if run.end != below.start => {
                        return Err(flaw(lane, "the slots below are not one run"));
                    }
                    Some(run) => Some(run.start..below.end),
                    None => Some(below),
                };
            }
            runs[index] = run.unwrap_or(0..0);
        }
        if let Some(node) = (1..count).find(|&i| !has_parent[i]) {
            return Err(Flaw::Numbers { node: node as u32, what: "not exactly one parent" });
        }
        if runs[0] != (0..self.order.len() as u32) {
            return Err(Flaw::Lists { what: "the leaves do not hold every slot once" });
        }
        Ok(runs)
    }

    fn check_lane(
        &self,
        faces: Faces,
        exact: &Exact,
        (node, lane): (u32, u32),
        run: Range<u32>,
    ) -> Result<(), Flaw> {
        for slot in run {
            for vertex in self.corners[slot as usize] {
                let point = faces.vertices[vertex as usize];
                if !exact.encloses(&self.nodes[node as usize], lane as usize, point) {
                    let triangle = self.order[slot as usize];
                    return Err(Flaw::Outside { node, lane, triangle, vertex });
                }
            }
        }
        Ok(())
    }
}

/// Products of single-precision numbers are exact in doubles and their sums are off by less than 2⁻⁵⁰.
pub(super) fn check_numbers(node: u32, numbers: &WideNode) -> Result<(), Flaw> {
    // Without branches: x·0 is 0 for every finite x and NaN for all others, which stays in a sum.
    let finite = |rows: &[[f32; WIDTH]; 3]| {
        let sums: [f32; WIDTH] =
            std::array::from_fn(|i| rows[0][i] * 0.0 + rows[1][i] * 0.0 + rows[2][i] * 0.0);
        sums.iter().sum::<f32>() == 0.0
    };
    if !(finite(&numbers.centre) && finite(&numbers.half) && numbers.origin.iter().all(|x| x.is_finite())) {
        return Err(Flaw::Numbers { node, what: "a number is not finite" });
    }
    let [x, y, z] = numbers.axes.map(|row| row.map(f64::from));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let off = [dot(x, x) - 1.0, dot(y, y) - 1.0, dot(z, z) - 1.0, dot(x, y), dot(x, z), dot(y, z)];
    // Not below the bound, so that NaN is refused.
    if !off.iter().all(|off| off.abs() <= MOST_OFF) {
        return Err(Flaw::Numbers { node, what: "the axes are not orthonormal" });
    }
    Ok(())
}

/// 2⁻²⁰ − 2⁻⁵⁰
const MOST_OFF: f64 = 1.0 / 1_048_576.0 - 1.0 / 1_125_899_906_842_624.0;

/// Exact packed coordinates.
struct Exact {
    scale: Scale,
    origin: [Dyadic; 3],
    /// 2^−exponent.
    power: Dyadic,
}

impl Exact {
    fn new(packed: &Packed) -> Exact {
        let two = dyadic(if packed.exponent > 0 { 0.5 } else { 2.0 });
        let power = (0..packed.exponent.abs()).fold(dyadic(1.0), |p, _| &p * &two);
        Exact { scale: packed.scale(), origin: packed.origin.to_array().map(dyadic), power }
    }

    /// |axes·(p − origin) − centre| ≤ half for one lane, exactly.
    ///
    /// First in doubles: with everything at most 4, every operation errs by less than 2⁻⁵⁰, fewer than 16 of them by less
    /// than 2⁻⁴⁶; beyond that margin doubles decide.
    fn encloses(&self, node: &WideNode, lane: usize, x: DVec3) -> bool {
        let p = self.scale.to_packed(x);
        let q: [f64; 3] = std::array::from_fn(|j| p[j] - f64::from(node.origin[j]));
        let in_reach = |rows: &[[f32; WIDTH]; 3]| rows.iter().all(|row| row[lane].abs() <= 4.0);
        let tame = q.iter().all(|q| q.abs() <= 4.0) && in_reach(&node.centre) && in_reach(&node.half);
        (0..3).all(|k| {
            let (centre, half) = (node.centre[k][lane], node.half[k][lane]);
            let y: f64 = (0..3).map(|j| f64::from(node.axes[k][j]) * q[j]).sum();
            let room = f64::from(half) - (y - f64::from(centre)).abs();
            if tame && room.abs() > f64::powi(2.0, -46) {
                return room > 0.0;
            }
            let y = (0..3).fold(Dyadic::ZERO, |sum, j| {
                let p = &(&dyadic(x[j]) - &self.origin[j]) * &self.power;
                let q = &p - &dyadic(f64::from(node.origin[j]));
                &sum + &(&dyadic(f64::from(node.axes[k][j])) * &q)
            });
            let (centre, half) = (dyadic(f64::from(centre)), dyadic(f64::from(half)));
            y <= &centre + &half && &centre - &half <= y
        })
    }
}

/// Callers have checked that the number is finite.
fn dyadic(x: f64) -> Dyadic {
    Dyadic::new(x).unwrap_or(Dyadic::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_shapes::make;

    /// Validation sees a box that is too small by two parts in a million of the body: little more than the outward rounding of the builder.
    #[test]
    fn validation_sees_small_flaws() {
        let body = make::bumpy_ball(6, 0.3).unwrap();
        let faces = Faces::of(&body);
        let tree = Packed::build(faces, 1).unwrap();
        let (mut seen, mut tried) = (0, 0);
        for node in 0..tree.nodes().len() {
            for (lane, k) in
                (0..tree.nodes()[node].children().count()).flat_map(|lane| (0..3).map(move |k| (lane, k)))
            {
                let mut wrong = tree.clone();
                wrong.nodes[node].half[k][lane] -= 6e-7;
                tried += 1;
                seen += usize::from(matches!(wrong.validate(faces), Err(Flaw::Outside { .. })));
            }
        }
        assert!(seen * 20 > tried * 19, "{seen} of {tried}");
    }

    #[test]
    fn every_other_claim_is_checked() {
        let body = make::bumpy_ball(6, 0.3).unwrap();
        let faces = Faces::of(&body);
        let tree = Packed::build(faces, 1).unwrap();
        let flaw = |change: &dyn Fn(&mut Packed)| {
            let mut wrong = tree.clone();
            change(&mut wrong);
            wrong.validate(faces)
        };
        assert_eq!(flaw(&|_| ()), Ok(()));
        assert!(matches!(flaw(&|t| t.nodes.clear()), Err(Flaw::Lists { .. })));
        assert!(matches!(flaw(&|t| t.origin.x = f64::NAN), Err(Flaw::Lists { .. })));
        assert!(matches!(flaw(&|t| t.exponent = i32::MAX), Err(Flaw::Lists { .. })));
        assert!(matches!(flaw(&|t| t.exponent += 1), Err(Flaw::Outside { .. })));
        assert!(flaw(&|t| t.order[0] = t.order[1]).is_err());
        assert!(matches!(flaw(&|t| t.order[0] = u32::MAX), Err(Flaw::Permutation { .. })));
        assert!(matches!(flaw(&|t| t.corners[5].reverse()), Err(Flaw::Corners { slot: 5 })));
        assert!(matches!(flaw(&|t| t.nodes[1].axes[1][2] += 1e-5), Err(Flaw::Numbers { node: 1, .. })));
        assert!(matches!(flaw(&|t| t.nodes[1].centre[1][2] = f32::NAN), Err(Flaw::Numbers { node: 1, .. })));
        assert!(matches!(flaw(&|t| t.nodes[0].child[0] = 0), Err(Flaw::Lane { node: 0, .. })));
        assert!(matches!(flaw(&|t| t.nodes[0].child[0] = 0x7fff_fff0), Err(Flaw::Lane { .. })));
        assert!(matches!(flaw(&|t| t.nodes[0].child.swap(0, 1)), Err(Flaw::Lane { .. })));
        assert!(flaw(&|t| t.nodes[0].child[0] = t.nodes[0].child[1]).is_err());
        assert!(flaw(&|t| t.nodes[0].child[1] = Child::Empty.encode()).is_err());
        assert!(flaw(&|t| t.nodes.push(t.nodes[0])).is_err());
    }
}
