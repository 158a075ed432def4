//! Which peers are here: compiled or started on demand, or why not.

use crate::peer::Peer;
use std::path::{Path, PathBuf};
use std::process::Command;

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
}

impl Peers {
    /// Compiles what needs compiling (into the target directory, again only when the source is newer) and starts all.
    pub(crate) fn start() -> Self {
        // CGAL's own build adds -frounding-math wherever its filtered predicates are used; the sphere code uses none
        // and is up to a quarter faster without, so it gets the faster build.
        let sphere = compile("cgal_sphere", &[]);
        let eigen = ["-frounding-math", "-DCGAL_EIGEN3_ENABLED", "-I/usr/include/eigen3"];
        let small_box = compile("cgal_box", &eigen);
        Peers {
            cgal_sphere: sphere.and_then(|program| Peer::start(Command::new(program))),
            cgal_box: small_box.and_then(|program| Peer::start(Command::new(program))),
            open3d_box: start_python("open3d_box.py"),
            trimesh_load: start_python("trimesh_load.py"),
        }
    }

    /// Name and version of those present; name and reason of those absent.
    pub(crate) fn describe(&self) -> (Vec<String>, Vec<String>) {
        let mut present =
            vec!["miniball 0.5 (crate)".to_owned(), "parry3d, parry3d-f64 0.31 (crates)".to_owned()];
        let mut absent = Vec::new();
        let all = [
            ("CGAL Min_sphere_of_spheres_d", &self.cgal_sphere),
            ("CGAL oriented_bounding_box", &self.cgal_box),
            ("Open3D", &self.open3d_box),
            ("trimesh", &self.trimesh_load),
        ];
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

/// A driver in Python, run by `KONTAKT_PEERS_PYTHON` or else `python3`.
pub(crate) fn start_python(script: &str) -> Result<Peer, String> {
    let python = std::env::var_os("KONTAKT_PEERS_PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    command.arg("-B").arg(sources().join(script));
    Peer::start(command).map_err(|reason| {
        format!("{reason}; KONTAKT_PEERS_PYTHON names the interpreter that has the modules")
    })
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

fn compile(name: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-peers");
    std::fs::create_dir_all(&folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    let source = sources().join(name).with_extension("cpp");
    let program = folder.join(name);
    let changed = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    let newest = changed(&source).max(changed(&sources().join("cgal_server.hpp")));
    if changed(&program) > newest {
        return Ok(program);
    }
    let output = Command::new("g++")
        .args(["-std=c++17", "-O3", "-DNDEBUG", "-march=native"])
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .args(["-lgmp", "-lmpfr"])
        .output()
        .map_err(|problem| format!("g++: {problem}"))?;
    if output.status.success() {
        return Ok(program);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let first = messages.lines().find(|line| line.contains("error")).unwrap_or("unknown error");
    Err(format!("{} does not compile (libcgal-dev and libeigen3-dev installed?): {first}", source.display()))
}
