//! The point of a polyhedron nearest to another point, in six dimensions.

// The dual active-set method of Goldfarb and Idnani (1983) with the unit matrix: from the target, which is the nearest point of all, to
// the nearest point of those that keep the rows taken so far, until no row is broken. At most six rows hold the point, so every
// step is a least-squares problem of at most six columns. It is deterministic, ends, and tells when there is no such point.

/// Dimensions: three of the place, three of the turn.
pub(crate) const DIM: usize = 6;
pub(crate) type Vector = [f64; DIM];

/// A half-space: normal · z ≥ bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    pub(crate) normal: Vector,
    pub(crate) bound: f64,
}

/// Steps after which rounding must be at work.
const MOST_STEPS: usize = 400;
/// What is left of a unit normal after taking off the rows that hold the point: below this it depends on them.
const DEPENDENT: f64 = 1e-9;

/// Memory and result of projections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projection {
    /// The rows that hold the point.
    active: Vec<usize>,
    /// Their multipliers: how hard the point is pressed against each. Positive.
    forces: Vec<f64>,
    /// Orthonormal: the span of the first k active normals is that of the first k of these.
    basis: Vec<Vector>,
    /// Column k: active normal k in the basis.
    upper: Vec<Vector>,
}

pub(crate) fn dot(a: &Vector, b: &Vector) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn plus(a: &mut Vector, factor: f64, b: &Vector) {
    a.iter_mut().zip(b).for_each(|(x, y)| *x += factor * y);
}

impl Projection {
    /// The rows that hold the last point found, and how hard the point is pressed against each.
    pub(crate) fn forces(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.active.iter().copied().zip(self.forces.iter().copied())
    }

    pub(crate) fn clear(&mut self) {
        self.active.clear();
        self.forces.clear();
    }

    /// The point nearest to `target` that breaks no row by more than `tolerance`; none where there is no such point.
    pub(crate) fn nearest(&mut self, target: Vector, rows: &[HalfSpace], tolerance: f64) -> Option<Vector> {
        self.clear();
        let mut at = target;
        for _ in 0..MOST_STEPS {
            let Some((broken, lack)) = worst(&at, rows, tolerance) else { return Some(at) };
            self.take(&mut at, rows, broken, lack)?;
        }
        None
    }

    /// Moves to the nearest point that keeps the active rows and a broken one, which lacks so much; some active rows may be let go.
    fn take(&mut self, at: &mut Vector, rows: &[HalfSpace], broken: usize, mut lack: f64) -> Option<()> {
        let mut force = 0.0;
        // Each turn lets go of a row or ends.
        for _ in 0..=DIM {
            let row = &rows[broken];
            let (free, shares) = self.split(rows, &row.normal);
            let slope = dot(&free, &free);
            let depends = slope <= (DEPENDENT * DEPENDENT) * dot(&row.normal, &row.normal);
            let full = if depends { f64::INFINITY } else { lack / slope };
            let (leaving, part) = self.first_to_leave(&shares);
            if full.is_infinite() && leaving.is_none() {
                return None;
            }
            let step = full.min(part);
            if !depends {
                plus(at, step, &free);
                lack -= step * slope;
            }
            self.forces.iter_mut().zip(&shares).for_each(|(own, share)| *own -= step * share);
            force += step;
            match leaving {
                Some(place) if part < full => {
                    self.active.remove(place);
                    self.forces.remove(place);
                }
                _ => {
                    self.active.push(broken);
                    self.forces.push(force);
                    return Some(());
                }
            }
        }
        None
    }

    /// A normal without its part in the span of the active ones, and how much of each active one that part has.
    fn split(&mut self, rows: &[HalfSpace], normal: &Vector) -> (Vector, Vector) {
        self.basis.clear();
        self.upper.clear();
        for &row in &self.active {
            let (rest, column) = without(&self.basis, rows[row].normal);
            let length = dot(&rest, &rest).sqrt();
            let mut column = column;
            column[self.basis.len()] = length;
            self.basis.push(rest.map(|x| x / length));
            self.upper.push(column);
        }
        let (free, parts) = without(&self.basis, *normal);
        // Back substitution.
        let mut shares = [0.0; DIM];
        for k in (0..self.basis.len()).rev() {
            let known: f64 = (k + 1..self.basis.len()).map(|j| self.upper[j][k] * shares[j]).sum();
            shares[k] = (parts[k] - known) / self.upper[k][k];
        }
        (free, shares)
    }

    /// The active row whose force vanishes first, and the step until then.
    fn first_to_leave(&self, shares: &Vector) -> (Option<usize>, f64) {
        let mut first = (None, f64::INFINITY);
        for (place, (force, share)) in self.forces.iter().zip(shares).enumerate() {
            if *share > 1e-12 && force / share < first.1 {
                first = (Some(place), (force / share).max(0.0));
            }
        }
        first
    }
}

/// A vector without its parts along orthonormal ones, taken off twice against rounding; and these parts.
fn without(basis: &[Vector], mut vector: Vector) -> (Vector, Vector) {
    let mut parts = [0.0; DIM];
    for _ in 0..2 {
        for (part, unit) in parts.iter_mut().zip(basis) {
            let along = dot(&vector, unit);
            *part += along;
            plus(&mut vector, -along, unit);
        }
    }
    (vector, parts)
}

/// The row broken most, and by how much.
fn worst(at: &Vector, rows: &[HalfSpace], tolerance: f64) -> Option<(usize, f64)> {
    let mut worst = (None, tolerance);
    for (place, row) in rows.iter().enumerate() {
        let lack = row.bound - dot(&row.normal, at);
        if lack > worst.1 {
            worst = (Some(place), lack);
        }
    }
    worst.0.map(|place| (place, worst.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(dice: &mut fastrand::Rng) -> Vector {
        std::array::from_fn(|_| 2.0 * dice.f64() - 1.0)
    }

    /// The conditions of Karush, Kuhn and Tucker hold, which for a convex problem are all there is to check.
    #[test]
    fn the_point_is_the_nearest() {
        let mut dice = fastrand::Rng::with_seed(1);
        let (mut projection, mut held) = (Projection::default(), 0);
        for round in 0..5000 {
            let count = dice.usize(0..40);
            let mut rows: Vec<HalfSpace> = (0..count)
                .map(|_| HalfSpace { normal: random(&mut dice), bound: -0.2 * dice.f64() })
                .collect();
            // Rows that repeat others, and rows that lie in few dimensions.
            if round % 3 == 0 {
                rows.extend_from_within(..);
            }
            if round % 4 == 0 {
                for row in &mut rows {
                    row.normal[3..].fill(0.0);
                }
            }
            let target = random(&mut dice);
            let at = projection.nearest(target, &rows, 1e-12).unwrap();
            let mut rest: Vector = std::array::from_fn(|k| at[k] - target[k]);
            for (row, force) in projection.forces() {
                assert!(force > -1e-12, "round {round}");
                plus(&mut rest, -force, &rows[row].normal);
                assert!((dot(&rows[row].normal, &at) - rows[row].bound).abs() < 1e-9);
                held += 1;
            }
            assert!(rest.iter().all(|x| x.abs() < 1e-9), "round {round}: {rest:?}");
            assert!(rows.iter().all(|row| dot(&row.normal, &at) > row.bound - 1e-9), "round {round}");
        }
        assert!(held > 5000, "{held}");
    }

    #[test]
    fn no_point_is_told() {
        let mut up = HalfSpace { normal: [0.0; DIM], bound: 0.5 };
        up.normal[2] = 1.0;
        let down = HalfSpace { normal: up.normal.map(|x| -x), bound: 0.5 };
        let mut projection = Projection::default();
        assert!(projection.nearest([0.0; DIM], &[up, down], 1e-12).is_none());
        let down = HalfSpace { bound: -0.5, ..down };
        assert!(projection.nearest([0.0; DIM], &[up, down], 1e-12).is_some());
    }
}
