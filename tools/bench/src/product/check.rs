//! kontakt's side of the questions about whole assemblies.

use crate::clock::{timed, wall_timed};
use crate::contest::{Contender, Sample};
use kontakt::scene::{Class, Deviation, Limits, Rules, Scene};
use kontakt_load::{LoadOptions, Parts};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use testbodies::assembly::{Part, gltf};

/// What a check came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    pub(crate) forbidden: usize,
    pub(crate) near: usize,
    /// CPU seconds of all threads together.
    pub(crate) cpu: f64,
}

/// `kontakt check --deviation auto` of a glTF file with these parts, on so many threads; its time is that on the wall where there are
/// several. The file is read beforehand, as every command reads it; hierarchies are built then too.
pub(crate) fn contender(
    parts: &[Part],
    threads: usize,
) -> Result<Contender<'static, Checked>, Box<dyn Error>> {
    let scene = read(&gltf(parts))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let check = move || -> Result<Sample<Checked>, String> {
        let rules = Rules { deviation: Deviation::Estimated, ..Rules::default() };
        let (wall, (cpu, report)) =
            pool.install(|| wall_timed(|| timed(|| scene.check(rules.clone(), &Limits::NONE))));
        let near = report.pair_count() - report.ignored_count() - report.count(Class::Separate);
        let checked = Checked { forbidden: report.forbidden_count(), near, cpu };
        Ok((if threads == 1 { cpu } else { wall }, checked))
    };
    Ok(Contender::new("kontakt", check))
}

/// The parts of a file, read as by every command.
fn read(text: &str) -> Result<Scene, Box<dyn Error>> {
    let path: PathBuf = std::env::temp_dir().join(format!("kontakt-bench-{}.gltf", std::process::id()));
    fs::write(&path, text)?;
    let parts = Parts::load(std::slice::from_ref(&path), &LoadOptions::default());
    fs::remove_file(&path)?;
    Ok(parts?.scene)
}
