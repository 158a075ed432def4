//! The Python module: built as a wheel by maturin, put into an environment of its own, and tested there.

use crate::{corpus, step};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The oldest interpreter the wheel is for; an older one is none.
const OLDEST: &str = "import sys; sys.exit(sys.version_info < (3, 10))";
const ROOM: &str = "crates/doors/python";
const NEEDED: &str = "requirements.txt";
const PEERS: &str = "requirements-peers.txt";
const BENCH: &str = "requirements-bench.txt";

/// Whether there is an interpreter, which the module's build script needs, too.
pub(crate) fn has_interpreter() -> bool {
    succeeds(Command::new("python3").args(["-c", OLDEST]))
}

/// Builds, installs and tests the module; skipped with a word where there is no interpreter, or no way to the packages that test it.
pub(crate) fn check() -> Result<(), String> {
    if !has_interpreter() {
        println!("python: skipped (no python3 of at least 3.10)");
        return Ok(());
    }
    let environment = match environment() {
        Ok(environment) => environment,
        Err(reason) => {
            println!("python: skipped ({reason})");
            return Ok(());
        }
    };
    environment.install(&["build", "--profile", "dev"])?;
    environment.test()
}

/// A virtual environment in the target directory.
pub(crate) struct Environment {
    folder: PathBuf,
}

/// The environment that the module is tested in, with the packages that its lists pin.
pub(crate) fn environment() -> Result<Environment, String> {
    Environment::with("python", &[PEERS])
}

/// Measures the module beside its peers, all as wheels in an environment of their own.
pub(crate) fn bench(arguments: &[String]) -> Result<(), String> {
    if !has_interpreter() {
        return Err("no python3 of at least 3.10".into());
    }
    let environment = Environment::with("python-bench", &[PEERS, BENCH])?;
    environment.install(&["build", "--profile", "dist"])?;
    let mut bench = environment.python();
    bench.arg(step::root().join("tools/bench/peers/python_modules.py"));
    for argument in arguments {
        match argument.as_str() {
            "--quick" => bench.arg("--quick"),
            "--write" => bench.arg("--write").arg(step::root().join("docs/benchmarks-python.md")),
            other => return Err(format!("unknown word {other:?}; known are --quick and --write")),
        };
    }
    if let Some(data) = corpus::find() {
        bench.env("KONTAKT_DATA", data);
    }
    step::run("bench python", &mut bench)
}

impl Environment {
    /// The environment of that name with what is needed and what of the other lists is to be had, made when it is missing, and anew when a
    /// list changed.
    fn with(name: &str, wished: &[&str]) -> Result<Environment, String> {
        let environment = Environment { folder: step::target().join(name) };
        let list = |name: &str| {
            let path = step::root().join(ROOM).join(name);
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut wanted = list(NEEDED)?;
        for name in wished {
            wanted += &list(name)?;
        }
        let installed = environment.folder.join("installed.txt");
        let same = std::fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted);
        if same && environment.works() {
            return Ok(environment);
        }
        println!("python: making an environment in target/{name} (once)");
        environment.make()?;
        if !environment.fill(NEEDED) {
            return Err(format!("pip cannot install what {ROOM}/{NEEDED} names"));
        }
        for list in wished {
            if !environment.fill(list) {
                println!(
                    "python: skipped what pip cannot install of {ROOM}/{list}, and what compares with it"
                );
            }
        }
        std::fs::write(&installed, wanted).map_err(|error| format!("{}: {error}", installed.display()))?;
        Ok(environment)
    }

    /// Its interpreter, in the module's room.
    fn python(&self) -> Command {
        let mut command = Command::new(self.folder.join("bin/python"));
        command.current_dir(step::root().join(ROOM)).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// Installs the packages of a list, wheels only: nothing is compiled.
    fn fill(&self, list: &str) -> bool {
        let mut install = self.python();
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install.args(["--only-binary", ":all:", "--requirement", list]);
        install.status().is_ok_and(|status| status.success())
    }

    fn works(&self) -> bool {
        succeeds(self.python().args(["-c", ""]))
    }

    /// Debian has the module `venv` in a package of its own, installed where there is none.
    fn make(&self) -> Result<(), String> {
        let make = || {
            // What an interrupted run left may be half an environment.
            let _ = std::fs::remove_dir_all(&self.folder);
            succeeds(Command::new("python3").args(["-m", "venv"]).arg(&self.folder))
        };
        if make() || (step::apt_install("python3-venv") && make()) {
            return Ok(());
        }
        Err("no virtual environment: python3-venv is missing and cannot be installed".into())
    }

    /// Makes the wheel with these words for maturin and puts it into the environment.
    pub(crate) fn install(&self, how: &[&str]) -> Result<PathBuf, String> {
        let wheels = self.folder.join("wheels");
        // Only the one made now is to be found there.
        let _ = std::fs::remove_dir_all(&wheels);
        let mut build = self.python();
        build.args(["-m", "maturin"]).args(how).args([
            "--quiet",
            "--locked",
            "--auditwheel",
            "skip",
            "--out",
        ]);
        build.arg(&wheels).arg("--target-dir").arg(step::target());
        step::run("wheel", &mut build)?;
        let wheel = std::fs::read_dir(&wheels).ok().and_then(|mut entries| entries.next()?.ok());
        let wheel = wheel.ok_or_else(|| format!("maturin made no wheel in {}", wheels.display()))?.path();
        let mut install = self.python();
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install.args(["--no-deps", "--force-reinstall"]).arg(&wheel);
        step::run("installation of the wheel", &mut install)?;
        Ok(wheel)
    }

    /// Array, oracle, command line, docstrings, guide and examples; then the stubs against the module as it is.
    fn test(&self) -> Result<(), String> {
        // Named together with the module, both share what the tests were built from.
        let packages = ["--package", "kontakt-cli", "--package", "kontakt-python"];
        let mut binary = step::cargo(["build", "--quiet"]);
        binary.args(packages);
        step::run("build of the command line", &mut binary)?;
        let mut tests = self.python();
        tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations", "5", "tests"]);
        tests.env("KONTAKT_BIN", step::target().join("debug/kontakt"));
        step::run("tests of the Python module", &mut tests)?;
        let mut stubs = self.python();
        stubs.args(["-m", "mypy.stubtest", "kontakt"]);
        // From another folder, so that the installed module is looked at and not its source.
        stubs.current_dir(&self.folder).env("MYPY_CACHE_DIR", self.folder.join("mypy"));
        step::run("stubs of the Python module", &mut stubs)
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
