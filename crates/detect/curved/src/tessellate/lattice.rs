//! A whole closed surface over a lattice of its parameters, where no edge says where to begin.

use super::Limits;
use super::border::Corner;
use super::domain::Domain;
use super::face::{FaceMesh, FaceTriangle, Trouble};
use crate::brep::Face;
use crate::surface::Surface;
use kontakt_math::DVec3;

/// Values of both parameters, ascending, the ends of the domain among them.
pub(super) struct Lattice {
    domain: Domain,
    values: [Vec<f64>; 2],
    /// How the surface closes along each parameter.
    ends: [Ends; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// It ends where it begins.
    Meet,
    /// Both are poles.
    Poles,
}

impl Lattice {
    /// The coarsest one over a closed surface; none where it is open.
    pub(super) fn over(surface: &Surface) -> Option<Lattice> {
        let domain = Domain::of(surface);
        let values: [Vec<f64>; 2] = match surface {
            Surface::Nurbs(nurbs) => nurbs.breaks().map(<[f64]>::to_vec),
            Surface::Revolution { curve, .. } => {
                let [from, to] = curve.domain();
                [vec![0.0, domain.periods()[0]?], vec![from, to]]
            }
            _ => return None,
        };
        if values.iter().flatten().any(|value| !value.is_finite()) {
            return None;
        }
        // Fewer than three steps around would fold up.
        let values = values.map(|values| halved(&values, |_| true)).map(|values| halved(&values, |_| true));
        let lattice = Lattice { domain, values, ends: [Ends::Meet; 2] };
        let end = |axis: usize| {
            if lattice.domain.periods()[axis].is_some() {
                Some(Ends::Meet)
            } else {
                (lattice.is_pole(axis, 0) && lattice.is_pole(axis, lattice.steps(axis)))
                    .then_some(Ends::Poles)
            }
        };
        let ends = [end(0)?, end(1)?];
        (ends != [Ends::Poles; 2]).then_some(Lattice { ends, ..lattice })
    }

    /// Halves steps until no triangle is farther from the surface than a deviation.
    pub(super) fn fine(mut self, limits: Limits) -> Result<Lattice, Trouble> {
        let Limits { deviation, most, deadline } = limits;
        let mut pacer = deadline.pacer();
        loop {
            if self.steps(0).saturating_mul(self.steps(1)).saturating_mul(2) > most {
                return Err(Trouble::TooMany);
            }
            let mut long: [Vec<bool>; 2] = [0, 1].map(|axis| vec![false; self.steps(axis)]);
            for i in 0..self.steps(0) {
                for j in 0..self.steps(1) {
                    pacer.tick()?;
                    let (u, v) = (self.step(0, i), self.step(1, j));
                    if self.domain.box_sagitta([u, v]) <= deviation {
                        continue;
                    }
                    let [h, k] = [u[1] - u[0], v[1] - v[0]];
                    let bounds = self.domain.bounds_over(u, v);
                    // Along both where both bend alike.
                    let (along_u, along_v) = (bounds.uu * h * h, bounds.vv * k * k);
                    long[0][i] |= along_u * 4.0 >= along_v;
                    long[1][j] |= along_v * 4.0 >= along_u;
                }
            }
            if !long.iter().flatten().any(|&long| long) {
                return Ok(self);
            }
            self.values = [0, 1].map(|axis: usize| halved(&self.values[axis], |step| long[axis][step]));
        }
    }

    /// Its triangles.
    pub(super) fn mesh(self, face: &Face) -> FaceMesh {
        let [across, along] = [self.steps(0), self.steps(1)];
        let mut corners = Vec::with_capacity((across + 1) * (along + 1));
        for j in 0..=along {
            for i in 0..=across {
                let at = [self.values[0][i], self.values[1][j]];
                corners.push(Corner { id: None, position: self.domain.point(at), at });
            }
        }
        let corner = |i: usize, j: usize| {
            let [i, j] = [self.shared(0, i, j), self.shared(1, j, i)];
            j * (across + 1) + i
        };
        let mut triangles = Vec::with_capacity(2 * across * along);
        for j in 0..along {
            for i in 0..across {
                let deviation = self.domain.box_sagitta([self.step(0, i), self.step(1, j)]);
                for mut places in [[[i, j], [i + 1, j], [i + 1, j + 1]], [[i, j], [i + 1, j + 1], [i, j + 1]]]
                {
                    if !face.outward {
                        places.swap(1, 2);
                    }
                    let ends = places.map(|[i, j]| corner(i, j));
                    let parameters = places.map(|[i, j]| [self.values[0][i], self.values[1][j]]);
                    // Corners that are shared may be off by what a seam or a pole does not close.
                    let off =
                        |k: usize| (self.domain.point(parameters[k]) - corners[ends[k]].position).length();
                    let deviation = deviation + off(0).max(off(1)).max(off(2)) * (1.0 + 1e-12);
                    triangles.push(FaceTriangle { corners: ends, parameters, deviation });
                }
            }
        }
        FaceMesh { domain: self.domain, corners, triangles, gap: 0.0, gap_at: DVec3::ZERO }
    }

    fn steps(&self, axis: usize) -> usize {
        self.values[axis].len() - 1
    }

    fn step(&self, axis: usize, index: usize) -> [f64; 2] {
        [self.values[axis][index], self.values[axis][index + 1]]
    }

    /// Which place along a parameter stands for this one: that where the surface ends is the one where it begins, and those of a pole, where the
    /// other parameter is at an end, are all one.
    fn shared(&self, axis: usize, index: usize, other: usize) -> usize {
        let at_end = other == 0 || other == self.steps(1 - axis);
        match (self.ends[axis], self.ends[1 - axis]) {
            (_, Ends::Poles) if at_end => 0,
            (Ends::Meet, _) if index == self.steps(axis) => 0,
            _ => index,
        }
    }

    /// Whether the surface is one point where a parameter has a value.
    fn is_pole(&self, axis: usize, index: usize) -> bool {
        let place = |other: f64| {
            let mut at = [other; 2];
            at[axis] = self.values[axis][index];
            self.domain.point(at)
        };
        let middle = self.values[axis].len() / 2;
        let others = &self.values[1 - axis];
        let first = place(others[0]);
        let size = {
            let mut at = [others[0]; 2];
            at[axis] = self.values[axis][middle];
            (self.domain.point(at) - first).length()
        };
        others.iter().all(|&other| (place(other) - first).length() <= 1e-9 * size)
    }
}

/// Values with the middles of some steps.
fn halved(values: &[f64], chosen: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut all = Vec::with_capacity(2 * values.len());
    for (index, pair) in values.windows(2).enumerate() {
        all.push(pair[0]);
        if chosen(index) {
            all.push(0.5 * (pair[0] + pair[1]));
        }
    }
    all.extend(values.last());
    all
}
