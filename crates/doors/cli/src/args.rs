//! What was typed: plain data, no files opened yet.

mod batch;
mod broad;
mod ccd;
mod check;
mod completions;
mod convex;
mod distance;
mod drag;
mod hierarchy;
mod man;
mod moving;
mod path;
mod query;
mod simulate;
mod study;
mod take_out;

pub(crate) use crate::reading::Reading;
pub(crate) use batch::{Batch, BatchQuery};
pub(crate) use broad::Broad;
pub(crate) use ccd::{Ccd, MESH_METHODS};
pub(crate) use check::Check;
pub(crate) use completions::Completions;
pub(crate) use convex::{Convex, ConvexQuery};
pub(crate) use distance::Distance;
pub(crate) use drag::Drag;
pub(crate) use hierarchy::{Hierarchy, HierarchyAction, HierarchyBuild, HierarchyInfo, PACKED};
pub(crate) use man::Man;
pub(crate) use moving::{Between as MovingBetween, CERTIFIED, Moving};
pub(crate) use path::Path;
pub(crate) use query::Query;
pub(crate) use simulate::Simulate;
pub(crate) use study::{Study, StudyName};
pub(crate) use take_out::TakeOut;

use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use kontakt::bounds::{BoxMethod, Objective, VolumeKind};
use kontakt::schedule::Deadline;
use std::num::NonZeroUsize;
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

/// Collision detection with proven answers.
#[derive(Debug, Parser)]
#[command(
    name = "kontakt",
    version,
    long_version = crate::version::LONG.as_str(),
    after_help = "Exit code: 0 = done, nothing forbidden found; 1 = forbidden contact, clash or failed check found; \
                  2 = error.\n\nA body of a file is named FILE:NAME wherever a file is asked for, as in assembly.glb:plug; NAME may hold \
                  `*` and `?`.\n\nTry `kontakt demo` first; it needs no file."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    output: Output,
}

impl Args {
    /// What all commands are told; the time that they may take begins now.
    pub(crate) fn common(&self) -> Common {
        let (time, pairs) = self.command.limits();
        let Output { json, out, threads, quiet, color: _ } = &self.output;
        let time_limit = time.and_then(|time| time.time_limit);
        Common {
            json: *json,
            out: out.clone(),
            threads: *threads,
            quiet: *quiet,
            time_limit,
            deadline: time_limit.map_or(Deadline::NEVER, Deadline::after),
            max_pairs: pairs.and_then(|pairs| pairs.max_pairs),
        }
    }
}

/// What all commands are told.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) json: bool,
    pub(crate) out: Option<PathBuf>,
    pub(crate) threads: Option<NonZeroUsize>,
    /// No text, no warnings beside it, no progress.
    pub(crate) quiet: bool,
    pub(crate) time_limit: Option<Duration>,
    /// When the time limit is reached.
    pub(crate) deadline: Deadline,
    pub(crate) max_pairs: Option<usize>,
}

/// Options of every command.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of every command")]
struct Output {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    json: bool,
    /// Write the results to FILE, one JSON line a result; `-` is standard output, in place of the text
    #[arg(long, global = true, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of worker threads [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<NonZeroUsize>,
    /// Print no text, no warnings and no progress, only errors; --json and --out still write
    #[arg(long, global = true)]
    quiet: bool,
    /// Colours: on a terminal, always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Colors,
}

/// When to use colours; `help::color_of` reads it before all else.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colors {
    Auto,
    Always,
    Never,
}

/// The option of commands that can end early.
#[derive(Debug, ClapArgs)]
pub(crate) struct TimeLimit {
    /// End after S seconds, counted from the start, with what is certified so far; an error if files are not yet read by then
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<Duration>,
}

/// The option of commands that count or list pairs of triangles.
#[derive(Debug, ClapArgs)]
pub(crate) struct PairLimit {
    /// Find at most N pairs of triangles; counts that were cut say so
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    max_pairs: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what this program can do, on bodies it makes itself
    Demo,
    /// Bodies of files: faces, topology, what is missing, size
    Info(Info),
    /// Convert between formats (by the endings of the file names); curved faces become triangles with a certified deviation
    Convert(Convert),
    /// Fit a bounding volume
    Bound(Bound),
    /// Build and save hierarchies, look at saved ones
    Hierarchy(Hierarchy),
    /// Every pair of bodies: what clashes, what touches, how much clearance is left
    Check(Check),
    /// How far two bodies are apart, and where
    Distance(Distance),
    /// Rays against a body, points beside or inside it
    Query(Query),
    /// One body at many poses against another: contact, pairs, distance, clearance
    Batch(Batch),
    /// Pairs of convex shapes: distance, penetration depth, contacts
    Convex(Convex),
    /// Moving vertex–face and edge–edge pairs, or a deforming mesh: what touches, and when first
    Ccd(Ccd),
    /// First contact of two moving bodies, proven, for many motions
    Moving(Moving),
    /// A recorded motion against a scene: proven free, or where it touches
    Path(Path),
    /// A straight way out for a part, proven free, or what holds it
    TakeOut(TakeOut),
    /// A recorded hand moves a body, which stops at contact and slides along what it touches, and never enters it
    Drag(Drag),
    /// A crowd of moving boxes: all pairs that touch, step by step, by any broad phase
    Broad(Broad),
    /// Simulate what a scenario file describes: gases, piles, deformable bodies
    Simulate(Simulate),
    /// Regenerate a study of docs/studies
    Study(Study),
    /// A script that completes commands and options in a shell
    Completions(Completions),
    /// Manual pages, one a command
    Man(Man),
}

impl Command {
    /// The name of the JSON that it prints, and the version of its fields: `docs/json.md` lists them.
    pub(crate) fn schema(&self) -> String {
        let name = match self {
            Command::Demo => "demo",
            Command::Info(_) => "info",
            Command::Convert(_) => "convert",
            Command::Bound(_) => "bound",
            Command::Hierarchy(hierarchy) => match hierarchy.action {
                HierarchyAction::Build(_) => "hierarchy-build",
                HierarchyAction::Info(_) => "hierarchy-info",
            },
            Command::Check(_) => "check",
            Command::Distance(_) => "distance",
            Command::Query(_) => "query",
            Command::Batch(_) => "batch",
            Command::Convex(_) => "convex",
            Command::Ccd(ccd) if ccd.from.is_some() => "ccd-mesh",
            Command::Ccd(_) => "ccd",
            Command::Moving(_) => "moving",
            Command::Path(_) => "path",
            Command::TakeOut(_) => "take-out",
            Command::Drag(_) => "drag",
            Command::Broad(_) => "broad",
            Command::Simulate(_) => "simulate",
            Command::Study(_) => "study",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
        };
        format!("kontakt.{name}/1")
    }

    /// All files that it reads, as typed.
    pub(crate) fn inputs(&self) -> Vec<&FilePath> {
        let all: Vec<&PathBuf> = match self {
            Command::Demo
            | Command::Broad(_)
            | Command::Study(_)
            | Command::Completions(_)
            | Command::Man(_) => Vec::new(),
            Command::Info(info) => info.files.iter().collect(),
            Command::Convert(convert) => vec![&convert.input],
            Command::Bound(bound) => vec![&bound.file],
            Command::Hierarchy(hierarchy) => match &hierarchy.action {
                HierarchyAction::Build(build) => vec![&build.file],
                HierarchyAction::Info(info) => vec![&info.file],
            },
            Command::Check(check) => check.files.iter().collect(),
            Command::Distance(distance) => vec![&distance.a, &distance.b],
            Command::Query(query) => {
                std::iter::once(&query.file).chain(&query.rays).chain(&query.points).collect()
            }
            Command::Batch(batch) => vec![&batch.a, &batch.b, &batch.poses],
            Command::Convex(convex) => vec![&convex.file],
            Command::Simulate(asked) => vec![&asked.scenario],
            Command::Ccd(ccd) => ccd.files.iter().chain(&ccd.from).chain(&ccd.to).collect(),
            Command::Moving(moving) => vec![&moving.a, &moving.b, &moving.motions_a, &moving.motions_b],
            Command::Path(path) => path.moving.iter().chain(&path.against).chain(&path.motion).collect(),
            Command::TakeOut(asked) => asked.moving.iter().chain(&asked.against).collect(),
            Command::Drag(drag) => {
                let files = drag.scene.iter().chain(&drag.moving).chain(&drag.against);
                files.chain(std::iter::once(&drag.hand)).collect()
            }
        };
        all.into_iter().map(PathBuf::as_path).collect()
    }

    /// Files that it writes beside `--out`, with the argument that names each.
    pub(crate) fn outputs(&self) -> Vec<(&'static str, &FilePath)> {
        match self {
            Command::Convert(convert) => vec![("OUT", convert.output.as_path())],
            Command::Hierarchy(hierarchy) => match &hierarchy.action {
                HierarchyAction::Build(build) => vec![("--output", build.output.as_path())],
                HierarchyAction::Info(info) => {
                    info.html.iter().map(|html| ("--html", html.as_path())).collect()
                }
            },
            Command::Drag(drag) => drag.output.iter().map(|file| ("--output", file.as_path())).collect(),
            _ => Vec::new(),
        }
    }

    /// The limits of a command, where it has them.
    fn limits(&self) -> (Option<&TimeLimit>, Option<&PairLimit>) {
        match self {
            Command::Info(info) => (Some(&info.time), Some(&info.pairs)),
            Command::Check(check) => (Some(&check.time), Some(&check.pairs)),
            Command::Batch(batch) => (Some(&batch.time), Some(&batch.pairs)),
            Command::Ccd(ccd) => (Some(&ccd.time), Some(&ccd.pairs)),
            Command::Bound(bound) => (Some(&bound.time), None),
            Command::Query(query) => (Some(&query.time), None),
            Command::Convex(convex) => (Some(&convex.time), None),
            Command::Moving(moving) => (Some(&moving.time), None),
            Command::Path(path) => (Some(&path.time), None),
            Command::TakeOut(asked) => (Some(&asked.time), None),
            Command::Drag(drag) => (Some(&drag.time), None),
            Command::Convert(convert) => (Some(&convert.time), None),
            Command::Hierarchy(hierarchy) => (Some(hierarchy.action.time()), None),
            Command::Distance(distance) => (Some(&distance.time), None),
            Command::Broad(broad) => (Some(&broad.time), None),
            Command::Simulate(asked) => (Some(&asked.time), None),
            Command::Demo | Command::Study(_) | Command::Completions(_) | Command::Man(_) => (None, None),
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Self-intersections are pairs of triangles of one body that meet beyond their common corners and edges, \
                  decided exactly.\nAt most 100000 a body are counted unless --max-pairs says otherwise; --max-pairs 0 \
                  leaves them out."
)]
pub(crate) struct Info {
    /// Files: .obj .stl .ply .off .gltf .glb .kh .step .stp .sat; `FILE:NAME` is one body
    #[arg(required = true, value_name = "FILE[:NAME]")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    time: TimeLimit,
    #[command(flatten)]
    pairs: PairLimit,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Geometry and names are kept, and nothing else: no normals, textures, colours, materials. What the format of OUT cannot\n\
                  hold is counted under `lost` in --json and named on standard error: binary STL rounds to 32-bit floats and joins\n\
                  bodies, PLY joins bodies, STL cuts polygons into triangles. .kh keeps everything, .obj all but odd names.\n\n\
                  Curved faces (STEP) become watertight triangles that lie within --deviation of the true surfaces, in millimetres;\n\
                  the deviation reached is certified and printed.\n\n\
                  Example: kontakt convert part.stl part.ply\n         kontakt convert part.step part.stl --deviation 0.01"
)]
pub(crate) struct Convert {
    /// File to read: .obj .stl .ply .off .gltf .glb .kh .step .stp .sat; `IN:NAME` is one body
    #[arg(value_name = "IN[:NAME]")]
    pub(crate) input: PathBuf,
    /// File to write: .obj .stl .ply .kh
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Write text where the format has a text and a binary form (STL, PLY) [default: binary]
    #[arg(long)]
    pub(crate) text: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    time: TimeLimit,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = BOUND_HELP)]
pub(crate) struct Bound {
    /// File: .obj .stl .ply .off .gltf .glb .kh .step .stp .sat; `FILE:NAME` is one body
    #[arg(value_name = "FILE[:NAME]")]
    pub(crate) file: PathBuf,
    /// Which volume to fit, or `all`
    #[arg(long, value_name = "V", value_parser = PossibleValuesParser::new(volume_names()))]
    pub(crate) volume: String,
    /// What obb, lss and rss make small; other kinds have one answer or go by volume
    #[arg(long, value_enum, default_value = "volume")]
    pub(crate) objective: ObjectiveName,
    /// How the box (`--volume obb`) is found, see below [default: fast]
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(BoxMethod::ALL.map(BoxMethod::name)))]
    pub(crate) method: Option<String>,
    /// Relative gap at which `--method exact` may stop [default: 1e-12 up to 200 hull vertices, 1e-6 above]
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub(crate) gap: Option<f64>,
    /// Fit every body of the file on its own instead of all together
    #[arg(long)]
    pub(crate) each: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    time: TimeLimit,
}

const BOUND_HELP: &str = "\
Volumes: every kind contains every vertex exactly, for the doubles that --json prints. `all` fits one of each.

Methods for --volume obb:
  fast             descents from many starts, then a search of all orientations with a capped number of steps (default)
  exact            search of all orientations until the minimum is proven to the gap asked for
  pca              axes of the covariance of the vertices
  hull-covariance  axes of the covariance of the hull's surface
  min-principal    best rectangle around the hull's direction of least variance
  max-principal    best rectangle around the hull's direction of greatest variance
  nelder-mead      simplex descent over rotations, from many starts
  powell           direction-set descent over rotations, from many starts
  dito-14          ditetrahedron on 14 extremal points
The gap printed is certified: no box is smaller by more than this share. The time is processor time of the fit alone,
without reading; the least of three for short fits.

Example: kontakt bound part.stl --volume obb --method exact --json";

/// Names that `--volume` takes.
fn volume_names() -> Vec<&'static str> {
    VolumeKind::all().iter().map(|kind| kind.name).chain([ALL_VOLUMES]).collect()
}

/// The word for one volume of each kind.
pub(crate) const ALL_VOLUMES: &str = "all";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ObjectiveName {
    Volume,
    Surface,
    Diameter,
}

impl From<ObjectiveName> for Objective {
    fn from(name: ObjectiveName) -> Objective {
        match name {
            ObjectiveName::Volume => Objective::Volume,
            ObjectiveName::Surface => Objective::Surface,
            ObjectiveName::Diameter => Objective::Diameter,
        }
    }
}

/// A length: finite and not negative.
fn length(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        Ok(_) => Err("it must be finite and not negative".into()),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value < 0.0 => Err("a time cannot be negative".into()),
        Ok(value) => {
            Duration::try_from_secs_f64(value).map_err(|_| "it must be a finite number of seconds".into())
        }
        Err(_) => Err(format!("`{text}` is not a number of seconds")),
    }
}

fn whole_number(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| "it must be a whole number, 0 or more".into())
}

/// Each is a thread, and all talk with all.
const MOST_RANKS: usize = 256;

fn ranks(text: &str) -> Result<NonZeroUsize, String> {
    let number = whole_number(text).ok().and_then(NonZeroUsize::new);
    number
        .filter(|ranks| ranks.get() <= MOST_RANKS)
        .ok_or_else(|| format!("it must be a whole number from 1 to {MOST_RANKS}"))
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let wrong = || "it must be a whole number, 1 or more; leave it out to use all cores".into();
    whole_number(text).ok().and_then(NonZeroUsize::new).ok_or_else(wrong)
}
