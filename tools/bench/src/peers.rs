//! Which peers are here: compiled or started on demand, or why not.

use crate::peer::Peer;
use crate::suite::Suite;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The peers that live in processes of their own. Those absent carry the reason.
pub(crate) struct Peers {
    /// `Min_sphere_of_spheres_d`.
    pub(crate) cgal_sphere: Result<Peer, String>,
    /// `oriented_bounding_box`.
    pub(crate) cgal_box: Result<Peer, String>,
    /// The boxes of `Open3D`'s two methods.
    pub open3d_box: Result<Peer, String>,
    /// trimesh's readers.
    pub(crate) trimesh_load: Result<Peer, String>,
    /// Pairs of meshes by FCL as Debian builds it.
    pub(crate) fcl: Result<Peer, String>,
    /// Pairs of meshes by coal as its wheel is built.
    pub(crate) coal: Result<Peer, String>,
    /// Embree's builders.
    pub(crate) embree: Result<Peer, String>,
    /// Convex bodies by libccd.
    pub(crate) libccd: Result<Peer, String>,
    /// Moving primitives by the IPC toolkit's Python package.
    pub(crate) ipctk: Result<Peer, String>,
    /// Curved bodies by OCCT's Python package.
    pub(crate) occt: Result<Peer, String>,
}

impl Peers {
    /// Compiles what the suite needs (into the target directory, again only when the source is newer) and starts it.
    pub(crate) fn start(suite: Suite) -> Self {
        let unasked = || Err("not part of this benchmark".to_owned());
        let mut peers = Peers {
            cgal_sphere: unasked(),
            cgal_box: unasked(),
            open3d_box: unasked(),
            trimesh_load: unasked(),
            fcl: unasked(),
            coal: unasked(),
            embree: unasked(),
            libccd: unasked(),
            ipctk: unasked(),
            occt: unasked(),
        };
        match suite {
            Suite::Bounds => {
                // CGAL's own build adds -frounding-math wherever its filtered predicates are used; the sphere code
                // uses none and is up to a quarter faster without, so it gets the faster build.
                peers.cgal_sphere = start_native("cgal_sphere", &[NATIVE], &GMP);
                let flags = [NATIVE, "-frounding-math", "-DCGAL_EIGEN3_ENABLED", EIGEN];
                peers.cgal_box = start_native("cgal_box", &flags, &GMP);
                peers.open3d_box = start_python("open3d_box.py");
                peers.trimesh_load = start_python("trimesh_load.py");
            }
            Suite::Mesh | Suite::Build => {
                // Not -march=native: Eigen's alignment would differ from the library's.
                peers.fcl = start_native("fcl_mesh", &[EIGEN], &["-lfcl", "-lccd"]);
                peers.coal = start_coal("coal_mesh", &[]);
                if suite == Suite::Build {
                    peers.embree = start_native("embree_build", &[NATIVE], &["-lembree3"]);
                }
            }
            Suite::Broad | Suite::World | Suite::Piles | Suite::Check | Suite::Soft => {}
            Suite::Ccd => peers.ipctk = start_python("ipctk_ccd.py"),
            Suite::Curved => peers.occt = start_occt(),
            Suite::Moving => peers.fcl = start_native("fcl_moving", &[EIGEN], &["-lfcl", "-lccd"]),
            Suite::Convex => {
                // With the alignment of the libraries' own builds, what is in headers may be built for this machine.
                let flags = [EIGEN, NATIVE, ALIGNMENT];
                peers.fcl = start_native("fcl_convex", &flags, &["-lfcl", "-lccd"]);
                peers.coal = start_coal("coal_convex", &[NATIVE, ALIGNMENT]);
                peers.libccd = start_native("libccd_convex", &[NATIVE], &["-lccd", "-lm"]);
            }
        }
        peers
    }

    /// Name and version of those present; name and reason of those absent.
    pub(crate) fn describe(&self, suite: Suite) -> (Vec<String>, Vec<String>) {
        let parry = "parry3d, parry3d-f64 0.31 (crates)".to_owned();
        let (crates, all) = match suite {
            Suite::Bounds => (
                vec!["miniball 0.5 (crate)".to_owned(), parry],
                vec![
                    ("CGAL Min_sphere_of_spheres_d", &self.cgal_sphere),
                    ("CGAL oriented_bounding_box", &self.cgal_box),
                    ("Open3D", &self.open3d_box),
                    ("trimesh", &self.trimesh_load),
                ],
            ),
            Suite::Ccd => (Vec::new(), vec![("ipctk", &self.ipctk)]),
            Suite::Broad | Suite::World => (vec![parry], Vec::new()),
            Suite::Piles => (vec!["rapier3d, rapier3d-f64 0.36 (crates)".to_owned()], Vec::new()),
            Suite::Check => (Vec::new(), Vec::new()),
            Suite::Soft => (vec!["rapier3d 0.36 (crate)".to_owned()], Vec::new()),
            Suite::Curved => (Vec::new(), vec![("OCCT", &self.occt)]),
            Suite::Moving => (vec![parry], vec![("FCL", &self.fcl)]),
            Suite::Mesh => (vec![parry], vec![("FCL", &self.fcl), ("coal", &self.coal)]),
            Suite::Convex => {
                (vec![parry], vec![("libccd", &self.libccd), ("FCL", &self.fcl), ("coal", &self.coal)])
            }
            Suite::Build => (
                vec![parry, "obvhs 0.4, bvh 0.13 (crates)".to_owned()],
                vec![("FCL", &self.fcl), ("coal", &self.coal), ("Embree", &self.embree)],
            ),
        };
        let mut present = crates;
        let mut absent = Vec::new();
        for (name, peer) in all {
            match peer {
                Ok(peer) if name.starts_with("CGAL") => present.push(format!("{name} ({})", peer.title)),
                Ok(peer) => present.push(peer.title.clone()),
                Err(reason) => absent.push(format!("{name}: skipped, {reason}")),
            }
        }
        (present, absent)
    }
}

const OCCT: &str = "cadquery-ocp==8.0.1.1.0";
const NATIVE: &str = "-march=native";
const ALIGNMENT: &str = "-DEIGEN_MAX_ALIGN_BYTES=16";
const EIGEN: &str = "-I/usr/include/eigen3";
const GMP: [&str; 2] = ["-lgmp", "-lmpfr"];

/// A driver in C++.
fn start_native(name: &str, flags: &[&str], libraries: &[&str]) -> Result<Peer, String> {
    compile(name, flags, libraries).and_then(|program| Peer::start(Command::new(program)))
}

/// coal's wheel carries headers and library in one folder, which `KONTAKT_PEERS_COAL` names.
fn start_coal(driver: &str, flags: &[&str]) -> Result<Peer, String> {
    let folder = std::env::var("KONTAKT_PEERS_COAL")
        .map_err(|_| "KONTAKT_PEERS_COAL names no folder with coal's include/ and lib/".to_owned())?;
    let include = format!("-I{folder}/include");
    let (library, at_run_time) = (format!("-L{folder}/lib"), format!("-Wl,-rpath,{folder}/lib"));
    let flags: Vec<&str> = flags.iter().copied().chain([include.as_str(), EIGEN]).collect();
    start_native(driver, &flags, &[&library, "-lcoal", &at_run_time])
}

/// A driver in Python, run by `KONTAKT_PEERS_PYTHON` or else `python3`.
pub(crate) fn start_python(script: &str) -> Result<Peer, String> {
    let python = std::env::var_os("KONTAKT_PEERS_PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    command.arg("-B").arg(sources().join(script));
    Peer::start(command).map_err(|reason| {
        format!("{reason}; KONTAKT_PEERS_PYTHON names the interpreter that has the modules")
    })
}

/// OCCT's driver, run by `KONTAKT_PEERS_OCCT` or else by an environment of its own in the target directory, made when it is missing.
fn start_occt() -> Result<Peer, String> {
    let python = match std::env::var_os("KONTAKT_PEERS_OCCT") {
        Some(given) => PathBuf::from(given),
        None => occt_environment()?,
    };
    let mut command = Command::new(python);
    command.arg("-B").arg(sources().join("occt.py"));
    Peer::start(command)
        .map_err(|reason| format!("{reason}; KONTAKT_PEERS_OCCT names an interpreter that has cadquery-ocp"))
}

/// The interpreter of a virtual environment with the package that was measured.
fn occt_environment() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-occt");
    let python = folder.join("bin/python");
    let has_it = Command::new(&python).args(["-c", "import OCP"]).stderr(Stdio::null()).status();
    if has_it.is_ok_and(|status| status.success()) {
        return Ok(python);
    }
    println!("making an environment with cadquery-ocp (some 500 MB)");
    run_quietly(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    run_quietly(Command::new(&python).args(["-m", "pip", "install", "--quiet", OCCT]))?;
    Ok(python)
}

fn run_quietly(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|problem| problem.to_string())?;
    let last = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
    if output.status.success() { Ok(()) } else { Err(format!("no environment for OCCT: {last}")) }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

fn compile(name: &str, flags: &[&str], libraries: &[&str]) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-peers");
    std::fs::create_dir_all(&folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    let source = sources().join(name).with_extension("cpp");
    let program = folder.join(name);
    let changed = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    let shared = ["cgal_server.hpp", "mesh_server.hpp", "convex_server.hpp"];
    let newest = shared.iter().map(|header| changed(&sources().join(header))).max().flatten();
    let newest = newest.max(changed(&source));
    if changed(&program) > newest {
        return Ok(program);
    }
    let output = Command::new("g++")
        .args(["-std=c++17", "-O3", "-DNDEBUG"])
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .args(libraries)
        .output()
        .map_err(|problem| format!("g++: {problem}"))?;
    if output.status.success() {
        return Ok(program);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let first = messages
        .lines()
        .find_map(|line| line.split_once("error: "))
        .map_or("unknown error", |(_, what)| what);
    Err(format!(
        "{name}.cpp does not compile (its -dev packages installed? see tools/bench/README.md): {first}"
    ))
}
