//! Where a body's mass is: what a push does to it. Numbers here are for looks, not for proofs.

use kontakt_math::{DMat3, DVec3};
use kontakt_mesh::Mesh;

/// Centre of mass, and inertia about it divided by the mass, in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    pub(crate) centre: DVec3,
    /// Symmetric, positive definite.
    pub(crate) per_mass: DMat3,
}

impl Inertia {
    /// Of a solid box.
    pub(crate) fn of_box(low: DVec3, high: DVec3) -> Inertia {
        let square = (high - low) * (high - low) / 12.0;
        let least = 1e-6 * square.max_element();
        Inertia::from_moments(0.5 * low + 0.5 * high, DMat3::from_diagonal(square.max(DVec3::splat(least))))
    }

    /// From the mean of (x − c)(x − c)ᵀ.
    fn from_moments(centre: DVec3, moments: DMat3) -> Inertia {
        let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
        Inertia { centre, per_mass: DMat3::from_diagonal(DVec3::splat(trace)) - moments }
    }

    /// Of a closed mesh at even density; of an open one, or one whose faces do not all look outward, that of the box around it.
    pub(crate) fn of_mesh(mesh: &Mesh, low: DVec3, high: DVec3) -> Inertia {
        let of_box = Inertia::of_box(low, high);
        if !mesh.is_closed() {
            return of_box;
        }
        let size = (high - low).max_element();
        let middle = of_box.centre;
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for triangle in 0..mesh.faces().triangles().len() {
            // Tetrahedra to the middle: six times the volume is d, the mean of x is s/4, that of xxᵀ is (Σvvᵀ + ssᵀ)/20.
            let v = mesh.faces().triangle_points(triangle).map(|x| (x - middle) / size);
            let (d, s) = (v[0].dot(v[1].cross(v[2])), v[0] + v[1] + v[2]);
            volume += d / 6.0;
            first += s * (d / 24.0);
            let squares = outer(v[0]) + outer(v[1]) + outer(v[2]) + outer(s);
            second += squares * (d / 120.0);
        }
        let mean = first / volume;
        let moments = second * (1.0 / volume) - outer(mean);
        let found = Inertia::from_moments(middle + mean * size, moments * (size * size));
        let sound = volume > 1e-9 && mean.abs().max_element() <= 0.5 && found.is_positive(size * size);
        if sound { found } else { of_box }
    }

    /// Whether no direction has next to no inertia.
    fn is_positive(&self, scale: f64) -> bool {
        let least = 1e-9 * scale;
        self.per_mass.is_finite()
            && self.per_mass.x_axis.x > least
            && DMat3::determinant(&self.per_mass) > least * least * least
    }
}

fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_inertia_of_a_block() {
        let half = DVec3::new(1.0, 2.0, 0.5);
        let mesh = testbodies::moving::block(half);
        let solid = Inertia::of_mesh(&mesh, -half, half);
        let known = Inertia::of_box(-half, half);
        assert!(solid.centre.length() < 1e-12);
        assert!((solid.per_mass - known.per_mass).abs_diff_eq(DMat3::ZERO, 1e-12), "{solid:?} {known:?}");
    }
}
