//! What was typed after `kontakt ccd`.

use super::{PairLimit, TimeLimit, length};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, ValueEnum};
use kontakt::soft_ccd::Kind;
use kontakt::soft_ccd::mesh::Among;
use kontakt_lab_motion::soft;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Ccd {
    /// Files of queries, see below
    #[arg(required_unless_present = "from", conflicts_with = "from", value_name = "CSV")]
    pub(crate) files: Vec<PathBuf>,
    /// A deforming mesh at the start of a step instead of files of queries: .obj .stl .ply .off .gltf .glb .kh
    #[arg(long, value_name = "MESH", requires = "to", conflicts_with = "kind")]
    pub(crate) from: Option<PathBuf>,
    /// The same mesh at the end of the step
    #[arg(long, value_name = "MESH", requires = "from")]
    pub(crate) to: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// What moves [default: from the name of the file's folder]
    #[arg(long, value_enum, value_name = "K")]
    pub(crate) kind: Option<KindName>,
    /// How to decide, see below
    #[arg(long, value_name = "M", default_value = "certified", value_parser = PossibleValuesParser::new(method_names()))]
    pub(crate) method: String,
    /// Minimum separation: count coming within D as contact (certified; false verdicts are not counted then)
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) separation: Option<f64>,
    /// Greatest width of the bounds of a time of contact
    #[arg(long, value_name = "W", value_parser = length, allow_negative_numbers = true, default_value = "1e-9")]
    pub(crate) width: f64,
    #[command(flatten)]
    pub(super) time: TimeLimit,
    #[command(flatten)]
    pub(super) pairs: PairLimit,
}

/// How contacts of a deforming mesh are searched.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "With --from and --to")]
pub(crate) struct SearchArgs {
    /// Which pairs to look at
    #[arg(long, value_enum, value_name = "PAIRS", default_value = "everything", requires = "from")]
    pub(crate) among: AmongName,
    /// Bytes for candidates on their way; the contacts do not depend on it
    #[arg(long, value_name = "BYTES", requires = "from")]
    pub(crate) memory: Option<usize>,
    /// Sides of the cells of `--method hash…` [default: mean width of the moved faces' boxes]
    #[arg(long, value_name = "SIDE", value_parser = length, allow_negative_numbers = true, requires = "from")]
    pub(crate) cell: Option<f64>,
    /// Slots of the table of `--method hash…` [default: one an entry]
    #[arg(long, value_name = "N", requires = "from")]
    pub(crate) table: Option<usize>,
}

/// Which pairs of a deforming mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AmongName {
    /// All
    Everything,
    /// Of different bodies
    Bodies,
    /// Within one body
    Selves,
}

impl From<AmongName> for Among {
    fn from(name: AmongName) -> Among {
        match name {
            AmongName::Everything => Among::Everything,
            AmongName::Bodies => Among::Bodies,
            AmongName::Selves => Among::Selves,
        }
    }
}

/// Ways to find candidates, as typed.
pub(crate) const MESH_METHODS: [&str; 6] =
    ["cells", "sweep", "hash", "hash-tube", "hash-three-tubes", "all-pairs"];

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindName {
    /// A vertex and a triangle
    VertexFace,
    /// Two edges
    EdgeEdge,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Kind {
        match name {
            KindName::VertexFace => Kind::VertexFace,
            KindName::EdgeEdge => Kind::EdgeEdge,
        }
    }
}

fn method_names() -> Vec<&'static str> {
    let queries = ["certified", "exact"].into_iter().chain(soft::Method::ALL.map(soft::Method::name));
    queries.chain(MESH_METHODS).collect()
}

const HELP: &str = "\
Eight lines a query: xnum,xden,ynum,yden,znum,zden,truth with each coordinate a fraction that is exactly a double; first four points at
t = 0, then the same at t = 1. Vertex-face: the vertex, then the triangle; edge-edge: the two ends of one edge, then of the other.
truth is 1 where they touch (closed sets) at some time in [0, 1].

Methods for queries:
  certified   filter, subdivision and exact signs: no false verdict, times proven
  exact       the exact stage alone: the same answers, slower
  others      laboratory: the theses' approximations in plain doubles, with their known misses

--separation D asks when the gap is first D or less, of queries and of meshes. What is called free is proven farther; a gap up to a
millionth of D more may be called a hit, and `excess` says how much.

Exit code 1: a verdict differs from the file's truth.

With --from and --to: the vertices of a mesh move on straight lines from the places in one file to those in the other, whose faces must be
the same. Every vertex against every face, every edge against every edge, within bodies and between them, but for features that share a
vertex; certified as above. Ways to find the pairs, all with the same contacts:
  cells              sorted rows of a grid (default)
  sweep              one sorted axis
  hash               laboratory: the thesis's spatial hash, moved points by voxel traversal, moved faces by boxes
  hash-tube          the same with faces by the tube around their centroid's way
  hash-three-tubes   the same with faces by the tubes around their corners' ways
  all-pairs          no search: for small meshes
--max-pairs N and --time-limit S end the list early; `complete` says so. Vertices and faces of a hit count from 0 in the file's order
through all of its bodies; `triangle` counts the triangles that faces are made of, and `corners` are its vertices. A hit has bounds of its
first time (certified), and, rounded, the barycentric weights of its corners or ends, the points on both sides and the normal from the
vertex or first edge to the other: in the middle of the bounds for a touch, at `t_hi` with --separation.

Examples: kontakt ccd ccd/unit-tests/vertex-face/*.csv --json
          kontakt ccd --from cloth0.ply --to cloth1.ply --json
          kontakt ccd --from cloth0.ply --to cloth1.ply --separation 0.5";
