//! One type for all volumes, and the one list of them: names on the command line, how each is fitted, what each answers.
//!
//! A new volume is one file in `volume/` and one line in the list below.

mod pairs;

use crate::bound::{Bound, FitError, Measure, Parameter, Support};
use crate::min_box::{BoxRequest, smallest_box};
use crate::sets::{Both, box_around};
use crate::volume::{
    Aabb, Cone, Cylinder, Dop6, Dop8, Dop10, Dop12, Dop14, Dop18, Dop20, Dop24, Dop26, HullVolume, Lss, Obb,
    Prism, Rss, Shell, SlabVolume, Sphere, Zonotope,
};
use kontakt_math::{DVec3, Pose};

/// A kind of volume: its name on the command line and how it is fitted.
#[derive(Clone, Copy, Debug)]
pub struct VolumeKind {
    /// Name on the command line and in reports.
    pub name: &'static str,
    fit: Fit,
}

/// Takes points and index triples into them (none for a mere point set).
type Fit = fn(&[DVec3], &[[u32; 3]]) -> Result<AnyVolume, FitError>;

impl VolumeKind {
    /// A volume of this kind around a mesh: every face is inside. Without triangles, around the points.
    /// Indices out of range are an error for kinds that look at the faces; convex kinds need only the points.
    pub fn fit(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<AnyVolume, FitError> {
        (self.fit)(points, triangles)
    }

    /// All kinds, in the order of the list.
    pub fn all() -> &'static [VolumeKind] {
        KINDS
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<&'static VolumeKind> {
        KINDS.iter().find(|kind| kind.name == name)
    }
}

/// A convex volume holds a face when it holds its corners.
fn by_points<V: Bound>(points: &[DVec3]) -> Result<V, FitError> {
    V::fit(points)
}

macro_rules! list_of_volumes {
    ($($(#[$doc:meta])* $variant:ident($volume:ty) $fit:expr;)*) => {
        /// A volume of any kind.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyVolume {
            $($(#[$doc])* $variant($volume),)*
        }

        const KINDS: &[VolumeKind] = &[
            $(VolumeKind {
                name: <$volume as Bound>::NAME,
                fit: |points, triangles| {
                    let fit: fn(&[DVec3], &[[u32; 3]]) -> Result<$volume, FitError> = $fit;
                    fit(points, triangles).map(AnyVolume::$variant)
                },
            },)*
        ];

        $(impl From<$volume> for AnyVolume {
            fn from(volume: $volume) -> AnyVolume {
                AnyVolume::$variant(volume)
            }
        })*

        impl AnyVolume {
            /// Name of its kind.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnyVolume::$variant(_) => <$volume as Bound>::NAME,)*
                }
            }

            /// The volume as a set.
            pub(crate) fn as_support(&self) -> &dyn Support {
                match self {
                    $(AnyVolume::$variant(volume) => volume,)*
                }
            }

            /// Volume, surface, diameter.
            pub fn measure(&self) -> Measure {
                match self {
                    $(AnyVolume::$variant(volume) => volume.measure(),)*
                }
            }

            /// The doubles that define it, by name.
            pub fn parameters(&self) -> Vec<(&'static str, Parameter)> {
                match self {
                    $(AnyVolume::$variant(volume) => volume.parameters(),)*
                }
            }

            /// Encloses the exact image under the pose; of the same kind.
            #[must_use]
            pub fn transformed(&self, a_from_b: &Pose) -> AnyVolume {
                match self {
                    $(AnyVolume::$variant(volume) => AnyVolume::$variant(volume.transformed(a_from_b)),)*
                }
            }

            /// Whether the point is in the volume, erring to `true`.
            pub fn contains(&self, point: DVec3) -> bool {
                match self {
                    $(AnyVolume::$variant(volume) => volume.contains(point),)*
                }
            }

            /// Encloses both; `None` when they are of different kinds.
            #[must_use]
            pub fn merge(&self, other: &AnyVolume) -> Option<AnyVolume> {
                match (self, other) {
                    $((AnyVolume::$variant(a), AnyVolume::$variant(b)) => Some(AnyVolume::$variant(a.merge(b))),)*
                    _ => None,
                }
            }

            /// A new volume of the same kind around faces.
            fn around_again(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<AnyVolume, FitError> {
                match self {
                    $(AnyVolume::$variant(_) => <$volume>::fit_faces(points, triangles).map(AnyVolume::$variant),)*
                }
            }

            /// The kind's own test for two of a kind; `None` for a mixed pair.
            fn own_overlap(&self, other: &AnyVolume) -> Option<bool> {
                match (self, other) {
                    $((AnyVolume::$variant(a), AnyVolume::$variant(b)) => Some(a.may_overlap(b)),)*
                    _ => None,
                }
            }

            /// The kind's own lower bound for two of a kind; `None` for a mixed pair.
            fn own_gap(&self, other: &AnyVolume) -> Option<f64> {
                match (self, other) {
                    $((AnyVolume::$variant(a), AnyVolume::$variant(b)) => Some(a.gap_below(b)),)*
                    _ => None,
                }
            }
        }
    };
}

list_of_volumes! {
    /// Ball; the smallest one.
    Sphere(Sphere) |points, _| by_points(points);
    /// Axis-aligned box.
    Aabb(Aabb) |points, _| by_points(points);
    /// Oriented box; the smallest by volume that the default search finds.
    Obb(Obb) |points, _| smallest_box(points, &BoxRequest::default()).map(|found| found.obb);
    /// The axis-aligned box again, as the k-DOP it is.
    Dop6(Dop6) |points, _| by_points(points);
    /// Corner diagonals.
    Dop8(Dop8) |points, _| by_points(points);
    /// k-DOP with five directions.
    Dop10(Dop10) |points, _| by_points(points);
    /// Edge diagonals.
    Dop12(Dop12) |points, _| by_points(points);
    /// Axes and corner diagonals.
    Dop14(Dop14) |points, _| by_points(points);
    /// Axes and edge diagonals.
    Dop18(Dop18) |points, _| by_points(points);
    /// Corner and edge diagonals.
    Dop20(Dop20) |points, _| by_points(points);
    /// k-DOP with twelve directions.
    Dop24(Dop24) |points, _| by_points(points);
    /// Axes, corner and edge diagonals.
    Dop26(Dop26) |points, _| by_points(points);
    /// Slabs along any directions.
    Slabs(SlabVolume) |points, _| by_points(points);
    /// Line-swept sphere (capsule).
    Lss(Lss) |points, _| by_points(points);
    /// Rectangle-swept sphere.
    Rss(Rss) |points, _| by_points(points);
    /// Convex hull.
    Hull(HullVolume) |points, _| by_points(points);
    /// Cylinder.
    Cylinder(Cylinder) |points, _| by_points(points);
    /// Cone, whole or truncated.
    Cone(Cone) |points, _| by_points(points);
    /// Spherical shell, whole or in a cone; not convex, so it looks at the faces too.
    Shell(Shell) Shell::fit_mesh;
    /// Triangular prism.
    Prism(Prism) |points, _| by_points(points);
    /// Zonotope.
    Zonotope(Zonotope) |points, _| by_points(points);
}

impl AnyVolume {
    /// `false` is a proof that the sets are disjoint; for every pair of kinds.
    pub fn may_overlap(&self, other: &AnyVolume) -> bool {
        pairs::may_overlap(self, other)
    }

    /// **Never more** than the exact distance of the two sets; 0 when they may overlap; for every pair of kinds.
    pub fn gap_below(&self, other: &AnyVolume) -> f64 {
        pairs::gap_below(self, other)
    }
}

impl Support for AnyVolume {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.as_support().farthest(direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.as_support().reach(direction)
    }

    fn centre(&self) -> DVec3 {
        self.as_support().centre()
    }
}

/// Volumes of mixed kinds in one tree. What has to choose a kind by itself takes a box.
impl Bound for AnyVolume {
    const NAME: &'static str = "mixed";

    /// An oriented box.
    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        Obb::fit(points).map(AnyVolume::Obb)
    }

    fn fit_again(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, FitError> {
        self.around_again(points, triangles)
    }

    fn kind(&self) -> &'static str {
        self.name()
    }

    /// Of the kind that both have; an axis-aligned box around both where they differ.
    fn merge(&self, other: &Self) -> Self {
        AnyVolume::merge(self, other).unwrap_or_else(|| {
            let (low, high) = box_around(&Both(self, other));
            AnyVolume::Aabb(Aabb { min: low, max: high })
        })
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        AnyVolume::transformed(self, a_from_b)
    }

    fn measure(&self) -> Measure {
        AnyVolume::measure(self)
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        AnyVolume::parameters(self)
    }

    fn contains(&self, point: DVec3) -> bool {
        AnyVolume::contains(self, point)
    }

    fn may_overlap(&self, other: &Self) -> bool {
        pairs::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        pairs::gap_below(self, other)
    }
}
