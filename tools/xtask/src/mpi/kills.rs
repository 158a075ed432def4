//! Ranks killed on their way, by a signal that cannot be caught: others go on from the last checkpoint to the state of the run that nobody disturbed.
//! `KONTAKT_KILLS` asks for more than a few.

use super::{Starter, told_hashes, with_ranks};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of some seconds on three ranks: their names, how often they save their states, and what they are.
const RUNS: [(&str, &str, &str); 2] = [("gas", "2000", GAS), ("pile", "20", PILE)];
const GAS: &str = "kind = \"gas\"\nseed = 3\nlattice = [20, 20, 20]\nspacing = 2.0\nradius = 0.5\nspeed = 10.0\ncollisions_per_sphere = 20\n";
const PILE: &str = "kind = \"pile\"\nseed = 3\ntime = 2\nuntil_rest = false\nsleep = true\n[container]\nbase = 6.0\n[drop]\ncount = 150\n\
    [[grains]]\nshape = { sphere = { radius = 0.5 } }\n[[grains]]\nshape = { box = { half = [0.5, 0.4, 0.3] } }\n";
/// Nothing may hang longer.
const PATIENCE: Duration = Duration::from_secs(10);

struct Run<'r> {
    starter: Starter,
    kontakt: &'r Path,
    folder: &'r Path,
    every: &'r str,
}

impl Run<'_> {
    fn command(&self, ranks: &str, resume: bool) -> Command {
        let mut command = Command::new(self.starter.0);
        with_ranks(&mut command, self.starter, ranks);
        command.arg(self.kontakt).arg("simulate").arg(self.folder.join("scenario.toml")).arg("--json");
        command.arg("-o").arg(self.folder.join("out")).args(["--checkpoint-every", self.every]);
        command.args(resume.then_some("--resume"));
        command
    }

    fn hash(&self, ranks: &str, resume: bool) -> Result<Vec<String>, String> {
        let output = self.command(ranks, resume).output().map_err(|error| error.to_string())?;
        let told = told_hashes(&String::from_utf8_lossy(&output.stdout));
        match told.len() {
            1 => Ok(told),
            _ => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        }
    }
}

pub(super) fn check(starter: Starter, kontakt: &Path) -> Result<(), String> {
    if !kontakt.is_file() || !Path::new("/proc/self/stat").is_file() {
        return Ok(());
    }
    let kills = std::env::var("KONTAKT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3_u64);
    for (name, every, scenario) in RUNS {
        let folder = std::env::temp_dir().join(format!("kontakt-kills-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        std::fs::write(folder.join("scenario.toml"), scenario).map_err(|error| error.to_string())?;
        let run = Run { starter, kontakt, folder: &folder, every };
        let outcome = killed(&run, name, kills.div_ceil(RUNS.len() as u64));
        // What is left over in a folder for such things does no harm.
        let _ = std::fs::remove_dir_all(&folder);
        outcome.map_err(|why| format!("{}, {name}, killed ranks: {why}", starter.0))?;
    }
    Ok(())
}

fn killed(run: &Run, name: &str, kills: u64) -> Result<(), String> {
    let start = Instant::now();
    let whole = run.hash("3", false)?;
    let longest = start.elapsed();
    let (mut caught, mut slowest) = (0, Duration::ZERO);
    let mut random = 0x9e37_79b9_u64;
    for kill in 0..kills {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mut child = run
            .command("3", false)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        std::thread::sleep(longest.mul_f64((random >> 40) as f64 / (1_u64 << 24) as f64));
        let ranks = children(child.id());
        if let Some(rank) = ranks.get(random as usize / 7 % ranks.len().max(1)) {
            caught += u32::from(signal(*rank));
        }
        slowest = slowest.max(ended(&mut child)?);
        let resumed = run.hash(["1", "2", "3", "4"][kill as usize % 4], true)?;
        if resumed != whole {
            return Err(format!("after kill {kill}: {resumed:?} instead of {whole:?}"));
        }
    }
    println!(
        "{}, {name}: {caught} ranks of {kills} runs killed, ended after at most {:.1} s; all resumed to one state",
        run.starter.0,
        slowest.as_secs_f64()
    );
    Ok(())
}

/// The processes that another has started.
fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_parent = |process: &u32| {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // The name, in brackets, may hold anything; state and parent follow it.
        let after = text.rsplit_once(") ").map_or("", |(_, after)| after);
        after.split(' ').nth(1).and_then(|word| word.parse().ok()) == Some(parent)
    };
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(of_parent).collect()
}

fn signal(process: u32) -> bool {
    Command::new("kill").args(["-9", &process.to_string()]).status().is_ok_and(|status| status.success())
}

/// Waits for the end of a run, one of whose ranks is gone.
fn ended(child: &mut Child) -> Result<Duration, String> {
    let start = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if start.elapsed() > 3 * PATIENCE {
            let _ = child.kill();
            return Err("the other ranks hang".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(start.elapsed())
}
