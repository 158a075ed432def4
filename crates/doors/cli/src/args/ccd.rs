//! What was typed after `kontakt ccd`.

use super::length;
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, ValueEnum};
use kontakt::soft_ccd::{Kind, lab};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Ccd {
    /// Files of queries, see below
    #[arg(required = true, value_name = "CSV")]
    pub(crate) files: Vec<PathBuf>,
    /// What moves [default: from the name of the file's folder]
    #[arg(long, value_enum, value_name = "K")]
    pub(crate) kind: Option<KindName>,
    /// How to decide, see below
    #[arg(long, value_name = "M", default_value = "certified", value_parser = PossibleValuesParser::new(method_names()))]
    pub(crate) method: String,
    /// Count coming within D as contact (certified; false verdicts are not counted then)
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) separation: Option<f64>,
    /// Greatest width of the bounds of a time of contact
    #[arg(long, value_name = "W", value_parser = length, allow_negative_numbers = true, default_value = "1e-9")]
    pub(crate) width: f64,
}

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
    ["certified", "exact"].into_iter().chain(lab::Method::ALL.map(lab::Method::name)).collect()
}

const HELP: &str = "\
Eight lines a query: xnum,xden,ynum,yden,znum,zden,truth with each coordinate a fraction that is exactly a double; first four points at
t = 0, then the same at t = 1. Vertex-face: the vertex, then the triangle; edge-edge: the two ends of one edge, then of the other.
truth is 1 where they touch (closed sets) at some time in [0, 1].

Methods:
  certified   filter, subdivision and exact signs: no false verdict, times proven
  exact       the exact stage alone: the same answers, slower
  others      laboratory: the theses' approximations in plain doubles, with their known misses

--separation D asks when the gap is first D or less. What is called free is proven farther; a gap up to a millionth of D more may be
called a hit.

Exit code 1: a verdict differs from the file's truth.

Example: kontakt ccd ccd/unit-tests/vertex-face/*.csv --json";
