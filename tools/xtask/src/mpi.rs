//! Ranks over a real MPI: 1 to 4 of them, more than cores where need be.

mod hashes;
mod kills;

use crate::step;
use std::path::Path;
use std::process::Command;

/// The two families of libraries: the starter and its options.
type Starter = (&'static str, &'static [&'static str]);

const STARTERS: [Starter; 2] = [("mpirun.openmpi", &["--oversubscribe"]), ("mpirun.mpich", &[])];

/// Short ones of the kinds that run on ranks.
const SCENARIOS: [(&str, &str); 2] = [
    (
        "gas.toml",
        "kind = \"gas\"\nlattice = [8, 8, 8]\nspacing = 2.0\nradius = 0.5\nspeed = 10.0\ncollisions_per_sphere = 20\n",
    ),
    (
        "pile.toml",
        "kind = \"pile\"\ntime = 0.6\nsleep = true\n[container]\nbase = 4.0\n[drop]\ncount = 40\n\
         [[grains]]\nshape = { sphere = { radius = 0.5 } }\n[[grains]]\nshape = { box = { half = [0.5, 0.5, 0.5] } }\n",
    ),
];

pub(crate) fn check() -> Result<(), String> {
    let there = works(STARTERS[0].0) || step::apt_install("openmpi-bin") && works(STARTERS[0].0);
    if !there {
        println!("mpi: Open MPI skipped (no mpirun.openmpi, and openmpi-bin cannot be installed)");
    }
    let mut build = step::cargo(["build", "--quiet", "--package", "kontakt-mpi", "--example", "conformance"]);
    step::run("build of the conformance program", &mut build)?;
    let target = step::target();
    let program = target.join("debug/examples/conformance");
    for starter in STARTERS.into_iter().filter(|starter| works(starter.0)) {
        for ranks in ["1", "2", "3", "4"] {
            let mut command = started(starter, ranks);
            step::run(&format!("{}, {ranks} ranks", starter.0), command.arg(&program))?;
        }
        // Long runs take a faster one.
        let given = std::env::var_os("KONTAKT_BINARY").map(std::path::PathBuf::from);
        let kontakt = given.unwrap_or_else(|| target.join("debug/kontakt"));
        simulations(starter, &kontakt)?;
        hashes::check(starter, &kontakt)?;
        kills::check(starter, &kontakt)?;
    }
    Ok(())
}

fn started(starter: Starter, ranks: &str) -> Command {
    // A rank that hangs ends the run after 10 s by itself; `timeout` is for a starter that does.
    let mut command = Command::new("timeout");
    command.args(["60", starter.0]);
    with_ranks(&mut command, starter, ranks);
    command
}

fn with_ranks(command: &mut Command, (_, options): Starter, ranks: &str) {
    command.args(options).args(["-n", ranks]);
    // Open MPI refuses to run as root unless told twice; containers are root.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
}

/// What a user types, with the binary that the tests built: any number of ranks comes to the same state.
fn simulations(starter: Starter, kontakt: &Path) -> Result<(), String> {
    if !kontakt.is_file() {
        println!("mpi: simulations skipped (no {}; the tests build it)", kontakt.display());
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("kontakt-ranks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for (scenario, text) in SCENARIOS {
        let file = folder.join(scenario);
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        let mut hashes = Vec::new();
        for ranks in ["1", "2", "3", "4"] {
            let mut command = started(starter, ranks);
            command.arg(kontakt).arg("simulate").arg(&file).arg("--json");
            let output = command.output().map_err(|error| format!("{}: {error}", starter.0))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let told = told_hashes(&text);
            if !output.status.success() || told.len() != 1 {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                return Err(format!("{scenario} on {ranks} ranks: {} {text}{said}", output.status));
            }
            hashes.extend(told);
        }
        if hashes.iter().any(|hash| *hash != hashes[0]) {
            return Err(format!("{scenario}: the state depends on the number of ranks: {hashes:?}"));
        }
        println!("{}, {scenario}: one state on 1 to 4 ranks", starter.0);
    }
    // What is left over in a folder for such things does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// The lines of a report that have a hash.
fn told_hashes(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains("\"hash\"")).map(String::from).collect()
}

fn works(starter: &str) -> bool {
    Command::new(starter).arg("--version").output().is_ok_and(|output| output.status.success())
}
