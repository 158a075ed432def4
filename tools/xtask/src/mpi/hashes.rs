//! Ranks × threads × resumed on other ranks: one state of a pile. `KONTAKT_STEPS` asks for more steps than a few, and for all combinations.

use super::{Starter, told_hashes, with_ranks};
use std::path::Path;
use std::process::Command;

/// Balls, cubes and capsules of two octaves of sizes, some of which fall asleep.
const PILE: &str = "kind = \"pile\"\nseed = 4\nuntil_rest = false\nsleep = true\nfriction = 0.3\n[container]\nbase = 6.0\n[drop]\ncount = 150\n\
    [[grains]]\nshape = { sphere = { radius = 0.5 } }\n[[grains]]\nshape = { box = { half = [0.5, 0.4, 0.3] } }\n\
    [[grains]]\nshape = { capsule = { half_length = 0.3, radius = 0.3 } }\n[[grains]]\nshape = { sphere = { radius = 0.2 } }\n";
/// The solver's default.
const TIME_STEP: f64 = 5e-3;

/// How ranks are made: by an `mpirun`, or as threads.
#[derive(Clone, Copy)]
enum Ranks {
    Processes(Starter),
    Threads,
}

struct Runs<'r> {
    kontakt: &'r Path,
    folder: &'r Path,
    whole: u64,
}

impl Runs<'_> {
    /// The hash at the end; on the way states are saved, from which the next may go on.
    fn hash(&self, how: Ranks, [ranks, threads]: [&str; 2], to: u64, resume: bool) -> Result<String, String> {
        let text = format!("time = {}\n{PILE}", to as f64 * TIME_STEP);
        let file = self.folder.join("pile.toml");
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        let mut command = match how {
            Ranks::Processes(starter) => {
                let mut command = Command::new(starter.0);
                with_ranks(&mut command, starter, ranks);
                command.arg(self.kontakt);
                command
            }
            Ranks::Threads => Command::new(self.kontakt),
        };
        command.arg("simulate").arg(&file).args(["--json", "--threads", threads]);
        command.arg("-o").arg(self.folder.join("out"));
        command.args(["--checkpoint-every", &(self.whole / 4).max(1).to_string()]);
        command.args(resume.then_some("--resume"));
        if matches!(how, Ranks::Threads) {
            command.args(["--ranks", ranks]);
        }
        let output = command.output().map_err(|error| error.to_string())?;
        let told = told_hashes(&String::from_utf8_lossy(&output.stdout));
        match told.as_slice() {
            [hash] => Ok(hash.clone()),
            _ => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        }
    }
}

pub(super) fn check(starter: Starter, kontakt: &Path) -> Result<(), String> {
    if !kontakt.is_file() {
        return Ok(());
    }
    let asked = std::env::var("KONTAKT_STEPS").ok().and_then(|text| text.parse().ok());
    let folder = std::env::temp_dir().join(format!("kontakt-hashes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let runs = Runs { kontakt, folder: &folder, whole: asked.unwrap_or(160) };
    let outcome = compared(&runs, starter, asked.is_some());
    // What is left over in a folder for such things does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    outcome.map_err(|why| format!("{}, one hash: {why}", starter.0))
}

fn compared(runs: &Runs, starter: Starter, all: bool) -> Result<(), String> {
    let meant = runs.hash(Ranks::Threads, ["1", "1"], runs.whole, false)?;
    let mut count = 1;
    for (k, ranks) in ["1", "2", "3", "4"].into_iter().enumerate() {
        for (j, threads) in ["1", "2", "8"].into_iter().enumerate() {
            if !all && j != k % 3 {
                continue;
            }
            for how in [Ranks::Processes(starter), Ranks::Threads] {
                let whole = runs.hash(how, [ranks, threads], runs.whole, false)?;
                // Half of it on other ranks and threads, the rest on these.
                let others = [["3", "4", "1", "2"][k], ["8", "1", "2"][j]];
                runs.hash(how, others, runs.whole / 2, false)?;
                let resumed = runs.hash(how, [ranks, threads], runs.whole, true)?;
                if whole != meant || resumed != meant {
                    return Err(format!(
                        "{ranks} ranks, {threads} threads: {whole}, resumed {resumed}, instead of {meant}"
                    ));
                }
                count += 2;
            }
        }
    }
    println!(
        "{}: {count} runs of {} steps, whole and resumed, came to one state: {}",
        starter.0,
        runs.whole,
        meant.trim()
    );
    Ok(())
}
