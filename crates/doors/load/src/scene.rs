//! A scene file made ready: its bodies read, placed in a world, its motions on one clock.

use crate::address::Address;
use crate::before::Before;
use crate::error::LoadError;
use crate::options::LoadOptions;
use crate::parts;
use crate::ready;
use crate::remarks::Remarks;
use kontakt_io::{SceneEntry, SceneFile, SceneMotion, SceneSource, SceneWay, read_scene_file_until};
use kontakt_math::{Motion, Pose};
use kontakt_pair::Body;
use kontakt_scene::{
    BodyName, Layers, Missing, NodeId, Precision, Scene, SceneBody, Timeline, Track, Turn, Way, World,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A scene file with everything it names.
pub struct SceneInput {
    /// The scene file.
    pub path: PathBuf,
    /// What it says.
    pub file: SceneFile,
    /// Its groups and bodies.
    pub world: World,
    /// The bodies where they stand, in the file's order.
    pub scene: Scene,
    /// The same in the world.
    pub nodes: Vec<NodeId>,
    layers: Vec<Layers>,
    /// Where each begins in its own file.
    pub before: Vec<Before>,
    /// What there is to say about the files of bodies.
    pub remarks: Remarks,
    /// Sentences for people.
    pub warnings: Vec<String>,
}

/// A body of a file, shared by all entries that name it.
#[derive(Clone)]
struct Loaded {
    /// What comes behind the entry's name.
    object: String,
    body: Body,
    pose: Pose,
    before: Before,
    precision: Precision,
}

impl SceneInput {
    /// Reads a scene file and the files it names, until a deadline.
    pub fn load(path: &Path, options: &LoadOptions) -> Result<SceneInput, LoadError> {
        let file = read_scene_file_until(path, options.deadline)?;
        let mut input = SceneInput {
            path: path.to_owned(),
            world: World::new(),
            scene: Scene::new(),
            nodes: Vec::new(),
            layers: Vec::new(),
            before: Vec::new(),
            remarks: Remarks::default(),
            warnings: Vec::new(),
            file: SceneFile::default(),
        };
        for group in &file.groups {
            let parent = group.parent.as_ref().and_then(|parent| input.world.find(parent));
            let added = input.world.add_group(&group.name, parent, group.pose);
            added.map_err(|error| input.unusable(&error))?;
        }
        let mut loaded: HashMap<PathBuf, Vec<Loaded>> = HashMap::new();
        for entry in &file.bodies {
            input.add(entry, &mut loaded, options)?;
        }
        input.file = file;
        Ok(input)
    }

    fn unusable(&self, error: &dyn std::error::Error) -> LoadError {
        LoadError::Unusable { path: self.path.clone(), problem: error.to_string() }
    }

    fn at_line(&self, line: u64, problem: String) -> LoadError {
        LoadError::Line { path: self.path.clone(), line: usize::try_from(line).unwrap_or(0), problem }
    }

    /// Adds the body of an entry. A file of several bodies becomes a group of them.
    fn add(
        &mut self,
        entry: &SceneEntry,
        loaded: &mut HashMap<PathBuf, Vec<Loaded>>,
        options: &LoadOptions,
    ) -> Result<(), LoadError> {
        let parent = entry.parent.as_ref().and_then(|parent| self.world.find(parent));
        let file = match &entry.what {
            SceneSource::Shape(shape) => {
                let body = SceneBody {
                    name: entry.name.as_str().into(),
                    body: shape.clone().into(),
                    pose: entry.pose,
                    faces_before: 0,
                    precision: Precision::Double,
                };
                return self.put(entry, parent, body, Before::default());
            }
            SceneSource::File(file) => file,
        };
        if !loaded.contains_key(file) {
            let bodies = self.read(file, entry, options)?;
            loaded.insert(file.clone(), bodies);
        }
        let bodies = loaded.get(file).cloned().unwrap_or_default();
        let alone = bodies.len() == 1;
        let parent = if alone {
            parent
        } else {
            let group = self.world.add_group(&entry.name, parent, entry.pose);
            Some(group.map_err(|error| self.at_line(entry.line, error.to_string()))?)
        };
        for one in bodies {
            let (full, pose) = if alone {
                (entry.name.clone(), entry.pose.then_from(&one.pose))
            } else {
                (format!("{}{}", entry.name, one.object), one.pose)
            };
            let name = BodyName { full, file: entry.name.len() };
            let body = SceneBody {
                name,
                body: one.body,
                pose,
                faces_before: one.before.faces,
                precision: one.precision,
            };
            self.put(entry, parent, body, one.before)?;
        }
        Ok(())
    }

    /// Puts a body below a group, at a pose in there.
    fn put(
        &mut self,
        entry: &SceneEntry,
        parent: Option<NodeId>,
        body: SceneBody,
        before: Before,
    ) -> Result<(), LoadError> {
        let wrong = |error: kontakt_scene::WorldError| LoadError::Line {
            path: self.path.clone(),
            line: usize::try_from(entry.line).unwrap_or(0),
            problem: error.to_string(),
        };
        let node =
            self.world.add_body(&body.name.full, parent, body.body.clone(), body.pose).map_err(&wrong)?;
        self.world.set_layers(node, Layers { on: entry.on, with: entry.with }).map_err(&wrong)?;
        let pose = self.world.pose(node).map_err(&wrong)?;
        let place = self.scene.add_body(SceneBody { pose, ..body });
        self.scene.set_layers(place, Layers { on: entry.on, with: entry.with });
        self.nodes.push(node);
        self.layers.push(Layers { on: entry.on, with: entry.with });
        self.before.push(before);
        Ok(())
    }

    /// The bodies of a file, or those of them that are meant.
    fn read(
        &mut self,
        file: &Path,
        entry: &SceneEntry,
        options: &LoadOptions,
    ) -> Result<Vec<Loaded>, LoadError> {
        let address = Address::of(file);
        let (bodies, about) = ready::load(&address, options)?;
        for Missing { name, problem } in about.model.iter().flat_map(|model| model.missing.iter().cloned()) {
            self.scene.miss(Missing { name: format!("{} ({name})", entry.name), problem });
        }
        self.remarks.add(&address.file, about);
        let prefix = address.file_name();
        let found = |body: &ready::Ready| Loaded {
            object: body.name.strip_prefix(prefix.as_str()).unwrap_or("").to_owned(),
            body: body.body(),
            pose: body.pose(),
            before: body.before,
            precision: parts::precision(&address.file, body),
        };
        Ok(bodies.iter().map(found).collect())
    }

    /// The bodies that are on no layer that one of them is looked at with, or the other way round.
    pub fn unseen_by(&self, body: usize) -> Vec<usize> {
        (0..self.layers.len()).filter(|&other| !self.layers[body].meets(self.layers[other])).collect()
    }

    /// The motions of the file, with the clock they share. What follows a recorded motion is put where that begins.
    pub fn motions(&mut self) -> Result<(Timeline, Vec<(NodeId, Motion)>), LoadError> {
        let mut tracks = Vec::new();
        for motion in &self.file.motions {
            let node = self.world.find(&motion.of).ok_or_else(|| {
                self.at_line(motion.line, format!("there is no group or body `{}` to move", motion.of))
            })?;
            let start = self.world.pose(node).map_err(|error| self.unusable(&error))?;
            let track = track(motion, start).map_err(|problem| self.at_line(motion.line, problem))?;
            tracks.push((node, motion.line, track));
        }
        let nothing = || LoadError::Unusable {
            path: self.path.clone(),
            problem: "nothing moves: write a [[motion]] with `of` and a `file`, `along` or `turn`".into(),
        };
        let clock = Timeline::around(tracks.iter().map(|(.., track)| track)).ok_or_else(nothing)?;
        let mut motions = Vec::new();
        for (node, line, track) in tracks {
            let wrong = |problem: String| self.at_line(line, problem);
            let motion = clock.motion(&track).map_err(|error| wrong(error.to_string()))?;
            let placed = self.world.place_in_world(node, motion.pose_at(0.0));
            placed.map_err(|error| self.at_line(line, error.to_string()))?;
            motions.push((node, motion));
        }
        Ok((clock, motions))
    }
}

/// The poses of a motion of something that is at a pose.
fn track(motion: &SceneMotion, start: Pose) -> Result<Track, String> {
    match &motion.way {
        SceneWay::Recorded { times, poses, how } => {
            Ok(Track { times: times.clone(), poses: poses.clone(), how: *how })
        }
        SceneWay::Typed { along, turn, times } => {
            let turn = turn.map(|(axis, angle_rad, through)| Turn {
                axis,
                through: through.unwrap_or(start.translation()),
                angle_rad,
            });
            Way { shift: *along, turn }.track(start, *times).map_err(|error| error.to_string())
        }
    }
}
