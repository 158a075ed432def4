//! What was typed after `kontakt convex`.

use super::{TimeLimit, length};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, ValueEnum};
use kontakt_lab_convex::StudyMethod;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Convex {
    /// Pairs of shapes: JSON, see below
    #[arg(value_name = "FILE.json")]
    pub(crate) file: PathBuf,
    /// What to ask about each pair
    #[arg(long, value_enum, value_name = "Q")]
    pub(crate) query: ConvexQuery,
    /// How it is answered, see below
    #[arg(
        long,
        value_name = "M",
        default_value = StudyMethod::DEFAULT.name(),
        value_parser = PossibleValuesParser::new(StudyMethod::ALL.map(StudyMethod::name))
    )]
    pub(crate) method: String,
    /// Contacts of separate bodies up to this far apart, for `--query contact` [default: 0]
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) gap: Option<f64>,
    /// One contact a pair, the deepest or nearest, instead of all that describe a face or edge
    #[arg(long)]
    pub(crate) single: bool,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

/// The questions about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvexQuery {
    /// Distance, normal and nearest points; [0, 0] in contact
    Distance,
    /// Distance or penetration depth, normal, points, contacts
    Contact,
    /// Only whether they meet
    Intersect,
}

impl ConvexQuery {
    /// As typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ConvexQuery::Distance => "distance",
            ConvexQuery::Contact => "contact",
            ConvexQuery::Intersect => "intersect",
        }
    }
}

const HELP: &str = "\
The file: {\"pairs\": [{\"a\": SHAPE, \"b\": SHAPE, \"pose_a\": POSE, \"pose_b\": POSE}, …]}, poses may be left out.
POSE is [tx,ty,tz,qx,qy,qz,qw]; the quaternion must have length 1 within 1e-3. SHAPE, centred at its origin, axis z, is one of
  {\"sphere\":{\"radius\":r}}                        {\"box\":{\"half\":[x,y,z]}}
  {\"capsule\":{\"half_length\":h,\"radius\":r}}       {\"cylinder\":{\"half_length\":h,\"radius\":r}}
  {\"cone\":{\"half_length\":h,\"radius\":r}}, apex up {\"ellipsoid\":{\"radii\":[x,y,z]}}
  {\"hull\":{\"points\":[[x,y,z],…]}}                {\"segment\":{\"points\":[p,q]}}
  {\"triangle\":{\"points\":[p,q,r]}}                {\"point\":{}}
  {\"half_space\":{\"normal\":[x,y,z],\"offset\":d}}   {\"union\":{\"parts\":[{\"shape\":SHAPE,\"pose\":POSE},…]}}
and may carry \"margin\": m, rounding outward. Unions may hold unions, at any depth; margins add up on the way.

Relations: separate, touching, overlapping (also where one body holds the other: `contained` is not asked for here), or
undecided with bounds. They are the same for every query and either order of the two shapes. Sharp, round and flat shapes are
decided in exact arithmetic where rounding could matter; for ellipsoids, cylinders and cones `touching` means that the certified
bounds of the distance straddle 0.
Distance and depth are certified: [lo, hi] holds the exact value. normal_error (radians) and point_error are never too small.
A depth is the length of the least shift that parts the bodies; the normal, from a to b, its direction. Of a union the depth
lies between that of its deepest parts and that of a shift that parts all of them.
Contacts carry the features that meet: vertices, edges and faces of boxes (vertex 0 is the least corner, then x, y, z count by
1, 2, 4; faces -x, +x, -y, +y, -z, +z) and of hulls and triangles in the order of their points.

Methods: default and iterative are certified; the others are for study. Their relation is the certified one too, but depth,
normal and points of overlapping bodies are what the method finds, with no bound of the error.
  default     formulas where there are any, else iterative
  iterative   no closed form for any pair, half-spaces aside: they have nothing to iterate over
  epa         expanding polytope with silhouette, relative stop and proven sphere shell, without a margin
  epa-libccd  expanding polytope as libccd has it
  mpr         Minkowski portal refinement, contact along the ray through the middles
  mpr-portal  the same, contact along the normal of the last portal

Times are for one query, in seconds, without reading and building: the mean from the processor time of the whole batch, median,
p99 and max from the monotonic clock with its own cost removed, the max being the least of three repeats. Queries run in one
thread unless --threads asks for more.

Example: kontakt convex pairs.json --query contact --json";
