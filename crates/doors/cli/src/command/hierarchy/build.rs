//! `kontakt hierarchy build`: a hierarchy for each body of a file, saved with its mesh.

use crate::args::{Common, HierarchyBuild, PACKED};
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use crate::text;
use kontakt::bounds::VolumeKind;
use kontakt::bounds::hausdorff::HausdorffLimit;
use kontakt::hierarchy::store::{Entry, Facts};
use kontakt::hierarchy::{Faces, Packed};
use kontakt::io::{Format, write_stored_until};
use kontakt::schedule::Deadline;
use kontakt::shapes::Body;
use kontakt_lab_hierarchy::build::{Arity, Plan, build_any};
use kontakt_lab_hierarchy::measure::Over;
use kontakt_load::load;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Instant;

/// From this many faces on, a node is split even if that does not improve it.
const SMIN: usize = 8;
/// Most children where their number is free.
const VMAX: usize = 6;
/// How far apart the bounds of a measured Hausdorff distance may be, relative.
const HAUSDORFF: HausdorffLimit = HausdorffLimit { absolute: 0.0, relative: 0.01, max_cells: 20_000 };

pub(crate) fn run(asked: &HierarchyBuild, common: &Common) -> Result<BuildReport, Failure> {
    if Format::of(&asked.output) != Some(Format::Kh) {
        let problem = "a hierarchy is saved in a file that ends in .kh".to_owned();
        return Err(Failure::Unusable { path: asked.output.clone(), problem });
    }
    let way = Way::of(asked, common.deadline)?;
    let loaded = load::load(&asked.file, &asked.reading.options(common.deadline))?.whole()?;
    let bodies: Vec<Body> = loaded.bodies.into_iter().map(|one| one.body).collect();
    let mut built = Vec::with_capacity(bodies.len());
    for body in &bodies {
        built.push(progress::during(format!("building the hierarchy of {}", body.name), || {
            way.build(body, common.deadline)
        })?);
    }
    let entries: Vec<Entry> = bodies
        .iter()
        .zip(&built)
        .map(|(body, (tree, facts))| Entry { name: &body.name, faces: &body.faces, tree, facts })
        .collect();
    let bytes = progress::during(format!("writing {}", asked.output.display()), || {
        write_stored_until(&asked.output, &entries, common.deadline)
    })
    .map_err(|error| Failure::Write { path: asked.output.clone(), error })?;
    let describe = |(body, (_, facts)): (Body, (Packed, Facts))| Built {
        name: body.name,
        triangles: body.faces.triangles().len(),
        facts,
    };
    Ok(BuildReport {
        file: asked.file.display().to_string(),
        output: asked.output.display().to_string(),
        bytes,
        bodies: bodies.into_iter().zip(built).map(describe).collect(),
    })
}

/// How to build.
enum Way {
    Packed,
    Laboratory { plan: Box<Plan>, volume: &'static VolumeKind, arity: String, hausdorff: bool },
}

impl Way {
    fn of(asked: &HierarchyBuild, deadline: Deadline) -> Result<Way, Failure> {
        let refuse = |what: String| Failure::Usage(what);
        let shaped =
            asked.arity.is_some() || asked.improve.is_some() || asked.volume.is_some() || asked.hausdorff;
        let method = match asked.method.as_deref() {
            Some(PACKED) if shaped => {
                let what = "the packed builder has its own volumes and arity: choose another --method, or leave out \
                            --arity, --improve, --volume and --hausdorff";
                return Err(refuse(what.to_owned()));
            }
            None if !shaped => return Ok(Way::Packed),
            Some(PACKED) => return Ok(Way::Packed),
            named => named,
        };
        let mut plan = match method {
            Some(name) => Plan::by(name).map_err(|error| refuse(error.to_string()))?,
            None => Plan::default(),
        };
        plan.deadline = deadline;
        let arity = match (asked.arity, asked.improve) {
            (_, Some(alpha)) => {
                if !(alpha > 0.0 && alpha <= 1.0) {
                    return Err(refuse(format!("--improve {alpha}: the rate must be above 0 and at most 1")));
                }
                plan.arity = Arity::Improve { alpha, smin: SMIN, vmax: VMAX };
                format!("2 to {VMAX}, improving by {alpha}")
            }
            (asked, None) => {
                let parts = asked.unwrap_or(2);
                if !(2..=VMAX).contains(&parts) {
                    return Err(refuse(format!("--arity {parts}: a node has 2 to {VMAX} children")));
                }
                plan.arity = Arity::Fixed(parts);
                parts.to_string()
            }
        };
        let arity = plan.method.own_arity.map_or(arity, |own| own.to_string());
        let name = asked.volume.as_deref().unwrap_or("obb");
        let volume = VolumeKind::named(name).ok_or_else(|| refuse(format!("unknown volume {name}")))?;
        Ok(Way::Laboratory { plan: Box::new(plan), volume, arity, hausdorff: asked.hausdorff })
    }

    fn build(&self, body: &Body, deadline: Deadline) -> Result<(Packed, Facts), Failure> {
        let faces = Faces::of(&body.faces);
        let fail = |problem: String| Failure::Hierarchy { name: body.name.clone(), problem };
        let start = Instant::now();
        match self {
            Way::Packed => {
                let tree = Packed::build_until(faces, rayon::current_num_threads(), deadline)
                    .map_err(|error| fail(error.to_string()))?;
                let facts = Facts::of_packed(&tree, start.elapsed().as_secs_f64());
                Ok((tree, facts))
            }
            Way::Laboratory { plan, volume, arity, hausdorff } => {
                let (tree, _) = build_any(faces, plan, volume).map_err(|error| fail(error.to_string()))?;
                let seconds = start.elapsed().as_secs_f64();
                let measures = if *hausdorff {
                    tree.measure_all_until(faces, HAUSDORFF, deadline)
                        .map_err(|error| fail(error.to_string()))?
                } else {
                    tree.measure_sizes()
                };
                let levels = tree.level_measures(&measures, Over::Nodes);
                let facts = Facts {
                    method: plan.method.name.to_owned(),
                    volume: volume.name.to_owned(),
                    arity: arity.clone(),
                    seconds,
                    ..Facts::default()
                }
                .with_levels(levels);
                let packed = tree.packed(faces).map_err(|error| fail(error.to_string()))?;
                Ok((packed, facts))
            }
        }
    }
}

struct Built {
    name: String,
    triangles: usize,
    facts: Facts,
}

pub(crate) struct BuildReport {
    file: String,
    output: String,
    bytes: u64,
    bodies: Vec<Built>,
}

impl Report for BuildReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = text::Table::new([
            "body",
            "triangles",
            "method",
            "volume",
            "children",
            "nodes",
            "leaves",
            "depth",
            "time",
        ]);
        for Built { name, triangles, facts } in &self.bodies {
            table.row([
                text::shortened(name),
                triangles.to_string(),
                facts.method.clone(),
                facts.volume.clone(),
                facts.arity.clone(),
                facts.nodes.to_string(),
                facts.leaves.to_string(),
                facts.depth.to_string(),
                text::duration(facts.seconds),
            ]);
        }
        table.write(out)?;
        let (file, output) = (text::one_line(&self.file), text::one_line(&self.output));
        writeln!(out, "  {file} → {output}: {} bytes", self.bytes)
    }

    fn json(&self) -> Value {
        let sum = |of: fn(&Facts) -> u64| self.bodies.iter().map(|body| of(&body.facts)).sum::<u64>();
        let bodies: Vec<Value> = self.bodies.iter().map(|body| {
            let facts = &body.facts;
            json!({
                "name": body.name, "triangles": body.triangles, "method": facts.method, "volume": facts.volume,
                "arity": facts.arity, "nodes": facts.nodes, "leaves": facts.leaves, "depth": facts.depth,
                "seconds": facts.seconds,
            })
        }).collect();
        json!({
            "file": self.file,
            "output": self.output,
            "nodes": sum(|facts| facts.nodes),
            "depth": self.bodies.iter().map(|body| body.facts.depth).max(),
            "leaves": sum(|facts| facts.leaves),
            "seconds": self.bodies.iter().map(|body| body.facts.seconds).sum::<f64>(),
            "bytes": self.bytes,
            "bodies": bodies,
        })
    }
}
