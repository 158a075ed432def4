//! What was typed after `kontakt broad`.

use super::{TimeLimit, whole_number};
use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use kontakt::broad::Way;
use kontakt_lab_broad::{Mix, Other};

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Broad {
    /// How many boxes
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) bodies: usize,
    /// How many steps
    #[arg(long, value_name = "S", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) steps: usize,
    /// How to find pairs, see below
    #[arg(long, value_name = "M", default_value = "auto", value_parser = PossibleValuesParser::new(method_names()))]
    pub(crate) method: String,
    /// What boxes, see below
    #[arg(long, value_name = "MIX", default_value = "even", value_parser = PossibleValuesParser::new(Mix::ALL.map(Mix::name)))]
    pub(crate) mix: String,
    /// How many of them move [default: all]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) movers: Option<usize>,
    /// Another crowd of the same kind
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

fn method_names() -> Vec<&'static str> {
    Way::ALL.map(Way::name).into_iter().chain(Other::ALL.map(Other::name)).collect()
}

const HELP: &str = "\
Boxes are made, not read: cubes that fly straight between walls, by up to 0.1 along each axis in a step. After each step all pairs that
overlap or touch are found, exactly; every method finds the same. Times are processor time of one thread, the mean of a step:
`update` tells the set where the boxes are, `pairs` finds all pairs, the new and the lost. The first search is not in the mean.

Methods:
  auto             chosen by what is seen (default)
  rows             sorted rows of grids, one grid for each octave of sizes
  tree             a balanced tree of boxes
  sweep-and-prune  laboratory: three sorted lists, kept by insertion
  uniform-grid     laboratory: one grid, a box in every cell that it touches
  hash-grid        laboratory: a hashed grid for each octave of sizes
  octree-halved    laboratory: an octree whose cells are halved
  octree-median    laboratory: an octree whose content is halved
  brute-force      laboratory: all against all

Mixes:
  even             sides 0.5 to 1.5, two apart in the mean
  mixed            sides 0.02 to 20
  clustered        as even, in twenty clusters
  mixed-clustered  sides 0.02 to 20 in twenty clusters
  swarms           as even, in two swarms far apart

Examples: kontakt broad --bodies 100000 --steps 50
          kontakt broad --bodies 100000 --steps 1000 --movers 100 --json
          kontakt broad --bodies 10000 --steps 20 --method sweep-and-prune --mix mixed";
