//! A convex body as plain numbers, and its image under a pose.

use crate::rational::{self, Rational, Vector, integer};
use crate::rigid;
use crate::twin::{Twin, TwinVector, inner, minus, outer, plus, times, twins};

/// What a body is before it is rounded, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Core {
    /// The hull of points, with index pairs whose differences include the directions of all edges, and index triples
    /// that include three corners of every face.
    Points {
        /// Any number from one on.
        points: Vec<[f64; 3]>,
        /// Pairs of indices.
        edges: Vec<[usize; 2]>,
        /// Triples of indices.
        faces: Vec<[usize; 3]>,
    },
    /// By its radii.
    Ellipsoid([f64; 3]),
    /// About z.
    Cylinder {
        /// Half the length.
        half_length: f64,
        /// Of the discs.
        radius: f64,
    },
    /// About z, apex up.
    Cone {
        /// Half the length.
        half_length: f64,
        /// Of the base.
        radius: f64,
    },
}

/// A core grown by a ball whose radius is the exact sum of two doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What is grown.
    pub core: Core,
    /// By what.
    pub radii: [f64; 2],
    /// x y z w, meant as q/|q|.
    pub rotation: [f64; 4],
    /// Where the origin goes.
    pub translation: [f64; 3],
}

impl Core {
    /// The hull of few points: all pairs and all triples.
    pub fn of_points(points: Vec<[f64; 3]>) -> Core {
        let n = points.len();
        let edges: Vec<[usize; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
        let faces = edges.iter().flat_map(|&[i, j]| (j + 1..n).map(move |k| [i, j, k])).collect();
        Core::Points { points, edges, faces }
    }

    /// A box by its half extents: corner i has the signs of the bits of i, three directions of edges, three of faces.
    pub fn cuboid(half: [f64; 3]) -> Core {
        let corner = |i: usize| std::array::from_fn(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] });
        let points = (0..8).map(corner).collect();
        Core::Points {
            points,
            edges: vec![[0, 1], [0, 2], [0, 4]],
            faces: vec![[0, 1, 2], [0, 1, 4], [0, 2, 4]],
        }
    }

    /// Whether it is a polytope.
    pub fn is_polytope(&self) -> bool {
        matches!(self, Core::Points { .. })
    }
}

/// A body in the world, in double-doubles: support points are good to some 2⁻¹⁰⁰ of the largest coordinate.
#[derive(Clone, Debug)]
pub struct Posed {
    core: Core,
    /// Of a polytope, in the world.
    pub points: Vec<TwinVector>,
    /// Columns: images of the axes.
    axes: [TwinVector; 3],
    translation: TwinVector,
    /// No point of the core is farther from the origin of the world, by any coordinate.
    pub reach: f64,
}

impl Posed {
    /// The image of the body.
    pub fn of(body: &Body) -> Posed {
        let axes =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| rotate(body.rotation, axis));
        let translation = twins(body.translation);
        let image = |p: &[f64; 3]| {
            let turned = (0..3).map(|k| times(Twin::from(p[k]), &axes[k]));
            turned.fold(translation, |sum, part| plus(&sum, &part))
        };
        let (points, own) = match &body.core {
            Core::Points { points, .. } => {
                let own = points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
                (points.iter().map(image).collect(), own)
            }
            Core::Ellipsoid(radii) => (Vec::new(), radii.iter().copied().fold(0.0, f64::max)),
            Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } => {
                (Vec::new(), half_length + radius)
            }
        };
        let away = body.translation.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        Posed { core: body.core.clone(), points, axes, translation, reach: 2.0 * own + away }
    }

    /// A point of the core farthest along the direction.
    pub fn support(&self, direction: &TwinVector) -> TwinVector {
        let local: TwinVector = std::array::from_fn(|k| inner(&self.axes[k], direction));
        let at = match &self.core {
            Core::Points { .. } => return farthest(&self.points, direction),
            Core::Ellipsoid(radii) => {
                let r = radii.map(Twin::from);
                let scaled: TwinVector = std::array::from_fn(|k| r[k] * local[k]);
                let length = inner(&scaled, &scaled).sqrt();
                if length == Twin::ZERO {
                    twins([0.0; 3])
                } else {
                    std::array::from_fn(|k| r[k] * scaled[k] / length)
                }
            }
            Core::Cylinder { half_length, radius } => {
                let [x, y] = on_circle(*radius, &local);
                [x, y, Twin::from(half_length.copysign(local[2].high))]
            }
            Core::Cone { half_length, radius } => {
                let [x, y] = on_circle(*radius, &local);
                let half = Twin::from(*half_length);
                let apex = local[2] * half;
                let base = x * local[0] + y * local[1] - apex;
                if base < apex { [Twin::ZERO, Twin::ZERO, half] } else { [x, y, -half] }
            }
        };
        (0..3).fold(self.translation, |sum, k| plus(&sum, &times(at[k], &self.axes[k])))
    }

    /// Directions of a polytope's edges.
    pub fn edges(&self) -> Vec<TwinVector> {
        match &self.core {
            Core::Points { edges, .. } => {
                edges.iter().map(|[i, j]| minus(&self.points[*j], &self.points[*i])).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Pairs of directions that span a polytope's faces.
    pub fn faces(&self) -> Vec<[TwinVector; 2]> {
        match &self.core {
            Core::Points { faces, .. } => faces
                .iter()
                .map(|[i, j, k]| {
                    [minus(&self.points[*j], &self.points[*i]), minus(&self.points[*k], &self.points[*i])]
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// A polytope's points in the world, exactly; none for other cores.
pub fn exact_points(body: &Body) -> Vec<Vector> {
    match &body.core {
        Core::Points { points, .. } => {
            points.iter().map(|p| rigid::apply(body.rotation, body.translation, *p)).collect()
        }
        _ => Vec::new(),
    }
}

/// The exact sum of all radii.
pub fn exact_radius(a: &Body, b: &Body) -> Rational {
    a.radii.iter().chain(&b.radii).map(|r| rational::exact(*r)).fold(integer(0), |sum, r| sum + r)
}

fn on_circle(radius: f64, local: &TwinVector) -> [Twin; 2] {
    let length = (local[0] * local[0] + local[1] * local[1]).sqrt();
    if length == Twin::ZERO {
        return [Twin::from(radius), Twin::ZERO];
    }
    [0, 1].map(|k| Twin::from(radius) * local[k] / length)
}

fn farthest(points: &[TwinVector], direction: &TwinVector) -> TwinVector {
    let mut best = points[0];
    let mut most = inner(direction, &best);
    for point in &points[1..] {
        let reach = inner(direction, point);
        if reach > most {
            (best, most) = (*point, reach);
        }
    }
    best
}

/// R(q/|q|)·x = x + 2(w·(v×x) + v×(v×x))/|q|²
fn rotate(q: [f64; 4], x: [f64; 3]) -> TwinVector {
    let v = twins([q[0], q[1], q[2]]);
    let w = Twin::from(q[3]);
    let square = inner(&v, &v) + w * w;
    let once = outer(&v, &twins(x));
    let bent = plus(&times(w, &once), &outer(&v, &once));
    plus(&twins(x), &times(Twin::from(2.0) / square, &bent))
}
