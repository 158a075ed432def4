//! What was typed after `kontakt drag`.

use super::path::positive;
use super::{Reading, TimeLimit};
use clap::{ArgGroup, Args as ClapArgs};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP, group(ArgGroup::new("bodies").args(["scene", "moving"]).required(true)))]
pub(crate) struct Drag {
    /// A scene file: bodies and their places (docs/scene-files.md)
    #[arg(long, value_name = "SCENE.toml", requires = "body")]
    pub(crate) scene: Option<PathBuf>,
    /// Which body of the scene is dragged
    #[arg(long, value_name = "NAME", requires = "scene")]
    pub(crate) body: Option<String>,
    /// Instead of a scene: what is dragged, FILE or `FILE:NAME`, one body
    #[arg(long, value_name = "FILE[:NAME]")]
    pub(crate) moving: Option<PathBuf>,
    /// What stands around: FILE or `FILE:NAME` [default: all other bodies of the file that --moving names a body of]
    #[arg(long, value_name = "FILE[:NAME]", num_args = 1.., requires = "moving")]
    pub(crate) against: Vec<PathBuf>,
    /// The hand: where it wants the body in the world, one pose a line: t tx ty tz qx qy qz qw, t growing from line to line
    #[arg(long, value_name = "FILE")]
    pub(crate) hand: PathBuf,
    /// How near the body comes to what it touches, about [default: a thousandth of its size]
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) skin: Option<f64>,
    /// Force a unit of length by which the hand is ahead
    #[arg(long, value_name = "K", value_parser = positive, default_value = "1", allow_negative_numbers = true)]
    pub(crate) stiffness: f64,
    /// The body keeps its orientation, whatever the hand does
    #[arg(long)]
    pub(crate) upright: bool,
    /// Write the proven motion to FILE, one pose a line as --hand has them
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Do not look at these pairs (may be repeated)
    #[arg(long, value_name = "A:B")]
    pub(crate) ignore: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

const HELP: &str = "\
The body begins where the file or the scene has it and goes to the first pose of the hand, then from one to the next, as near as
contacts let it come. Every piece of its motion is proven free of contact before it is taken: from pose to pose the `pivot` (its
centre of mass) goes straight while it turns at constant rate. `kontakt path` with that pivot checks the motion independently. It
stops half a skin before what it touches, so that it can always slide on.
How a sample of the hand ends:
  arrived    the body is where the hand is
  held       contacts hold it; `contacts` says which, with forces that balance the pull of the hand
  lagging    the hand went so far that the work allowed for one sample was not enough; the body goes on with the next one
  stuck      it is too near something to be moved with a proof
Forces are in units of stiffness times length, as if a spring of --stiffness pulled the body to the hand; turning counts by the
body's inertia. A body that starts in touch is lifted off by up to a skin before it goes on; one that starts inside something is an
error.

Example: kontakt drag --scene lamp.toml --body bulb --hand hand.txt --json
         kontakt drag --moving assembly.glb:plug --hand hand.txt --skin 0.05 -o motion.txt";
