//! Checks an assembly: `cargo run --release -p kontakt --example assembly_check -- FILE…`; without files, parts of its own.

use kontakt::prelude::*;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new();
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        for body in read(file.as_ref(), &ReadOptions::default())?.bodies {
            scene.add(&body.name, Mesh::new(body.faces)?.into(), Pose::IDENTITY);
        }
    }
    if files.is_empty() {
        let at = |x: f64, z: f64| Pose::new(DQuat::IDENTITY, DVec3::new(x, 0.0, z));
        let nut =
            || -> Result<Body, Box<dyn Error>> { Ok(Mesh::new(make::hex_nut(18.0, 8.0, 10.0, 48)?)?.into()) };
        scene.add("plate", Shape::cuboid(DVec3::new(60.0, 20.0, 5.0))?.into(), at(0.0, -9.0)?);
        scene.add("nut", nut()?, at(0.0, 0.0)?);
        scene.add("nut, too low", nut()?, at(30.0, -0.1)?);
        scene.add("rod", Shape::cylinder(12.0, 4.8)?.into(), at(0.0, 8.5)?);
    }
    let exceptions = Exceptions::among(&scene.names(), &[], &[])?;
    let rules = Rules { clearance: 0.25, exceptions, ..Rules::default() };
    let report = scene.check(rules, &Limits::NONE);
    let mut findings: Vec<&Finding> = report.findings().collect();
    findings.sort_by_key(|finding| finding.judgement.class);
    for finding in findings.iter().filter(|finding| finding.judgement.class != Class::Separate) {
        let mark = if finding.judgement.forbidden { "clash" } else { "fine" };
        let (a, b) = (report.name(finding.a), report.name(finding.b));
        let signed =
            finding.signed().map_or(String::new(), |range| format!("{:.6} … {:.6}", range.lo(), range.hi()));
        println!("{mark:5}  {a:14} {b:14} {:12} {signed}", finding.judgement.class.name());
    }
    println!("{} of {} pairs are forbidden", report.forbidden_count(), report.pair_count());
    Ok(())
}
