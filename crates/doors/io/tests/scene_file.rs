//! Scene files: what they mean, and what is wrong with them, by line.

use kontakt_io::{SceneFile, SceneSource, SceneWay, read_scene_bytes};
use kontakt_math::DVec3;
use std::path::Path;

fn read(text: &str) -> Result<SceneFile, String> {
    read_scene_bytes(text.as_bytes(), "s.toml", Path::new("folder")).map_err(|error| error.to_string())
}

const WHOLE: &str = r#"
[rules]
clearance = 0.5
ignore = ["bolt*:plate"]
allow = ["pin:bush=0.02"]

[[group]]
name = "hand"
group = "arm"
at = [0, 0, 1]

[[group]]
name = "arm"
turn = { axis = [0, 0, 2], degrees = 90 }

[[body]]
file = "parts/gripper.stl"
group = "hand"
on = ["robot"]
with = ["cell", "part"]

[[body]]
name = "ball"
shape = { sphere = { radius = 2 }, margin = 0.5 }
quaternion = [0, 0, 0, 1]
on = ["part"]

[[motion]]
of = "arm"
along = [1, 0, 0]
turn = { axis = [0, 0, 1], degrees = -90, through = [1, 1, 0] }
times = [2, 4]
"#;

#[test]
fn a_scene_file_says_what_is_where() {
    let scene = read(WHOLE).unwrap();
    let names: Vec<&str> = scene.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["arm", "hand"], "the outer group first");
    assert!((scene.groups[0].pose.apply(DVec3::X) - DVec3::Y).length() < 1e-15);
    assert_eq!(scene.bodies[0].name, "gripper", "named like its file");
    let SceneSource::File(file) = &scene.bodies[0].what else { panic!() };
    assert_eq!(file, Path::new("folder/parts/gripper.stl"));
    assert!(matches!(scene.bodies[1].what, SceneSource::Shape(_)));
    let [gripper, ball] = [&scene.bodies[0], &scene.bodies[1]].map(|body| (body.on, body.with));
    assert!(gripper.1 & ball.0 != 0 && ball.1 & gripper.0 != 0);
    assert!(gripper.1 & gripper.0 == 0, "the robot is not looked at with itself");
    let SceneWay::Typed { along, turn: Some((_, angle, through)), times } = scene.motions[0].way else {
        panic!()
    };
    assert_eq!((along, through, times), (DVec3::X, Some(DVec3::new(1.0, 1.0, 0.0)), [2.0, 4.0]));
    assert!((angle + std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    assert_eq!(scene.rules.clearance, Some(0.5));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let body = "[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n";
    for (text, words) in [
        ("[[body]]\nname = \"a\"\n", "line 1: malformed: `a` needs either a `file` or a `shape`"),
        ("[[body]]\nshape = { sphere = { radius = 1 } }", "line 1: malformed: a body needs a `name`"),
        ("[[body]]\nnam = \"a\"\n", "line 2: malformed: unknown field `nam`"),
        ("[[bodies]]\n", "unknown field `bodies`"),
        ("[rules]\nclearance = -1", "`clearance` must be finite"),
        ("[rules]\nclearance = nan", "`clearance` must be finite"),
        ("[[group]]\nname = \"g\"\ngroup = \"g\"", "group `g` hangs below itself"),
        (
            "[[group]]\nname = \"g\"\ngroup = \"h\"\n[[group]]\nname = \"h\"\ngroup = \"g\"",
            "line 1: malformed: group `g` hangs",
        ),
        (
            "[[group]]\nname = \"g\"\n[[group]]\nname = \"h\"\ngroup = \"f\"",
            "line 3: malformed: there is no group `f`; there are: g, h",
        ),
        ("[[group]]\nname = \"g\"\nat = [nan, 0, 0]", "line 1: malformed"),
        ("[[group]]\nname = \"g\"\nat = [1, 2]", "line 3: malformed"),
        ("[[group]]\nname = \"g\"\nquaternion = [0, 0, 0, 2]", "line 1: malformed"),
        ("[[group]]\nname = \"\"", "a name is empty"),
        ("[[motion]]\nof = \"x\"", "a motion needs a `file`, `along` or `turn`"),
        ("[[motion]]\nof = \"x\"\nalong = [inf, 0, 0]", "numbers must be finite"),
        ("[[motion]]\nof = \"x\"\nalong = [1, 0, 0]\ntimes = [1, 1]", "`times` are two finite numbers"),
        ("[[motion]]\nof = \"x\"\nturn = { axis = [0, 0, 0], degrees = 9 }", "not of length 0"),
        ("[[motion]]\nof = \"x\"\nfile = \"missing.txt\"", "folder/missing.txt: cannot be read"),
        ("[[body]]\nname = \"a\"\nshape = { ball = { radius = 1 } }", "line 1: malformed: the shape of `a`"),
        (
            "[[body]]\nname = \"a\"\nshape = { sphere = { radius = -1 } }",
            "line 1: malformed: the shape of `a`",
        ),
        ("a = [", "line 1"),
    ] {
        let problem = read(text).unwrap_err();
        assert!(
            problem.starts_with("s.toml, line")
                || problem.contains("must be finite")
                || problem.contains("missing"),
            "{problem}"
        );
        assert!(problem.contains(words), "{text}\n{problem}");
    }
    let twice = read(&format!("{body}{body}")).unwrap_err();
    assert!(twice.contains("line 4: malformed: the name `a` is taken already, in line 1"), "{twice}");
    assert!(read_scene_bytes(b"a = \"\xff\"", "s.toml", Path::new("")).is_err());
}

#[test]
fn damage_is_told_and_never_a_panic() {
    for end in 0..WHOLE.len() {
        let _ = read(&WHOLE[..end]);
    }
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..3000 {
        let mut bytes = WHOLE.as_bytes().to_vec();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(0..bytes.len());
            bytes[at] = random.u8(..);
        }
        let _ = read_scene_bytes(&bytes, "s.toml", Path::new(""));
    }
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(read(&deep).is_err());
    let layers: String = (0..40).map(|k| format!("\"l{k}\"")).collect::<Vec<_>>().join(", ");
    let many = format!("[[body]]\nname = \"a\"\nshape = {{ sphere = {{ radius = 1 }} }}\non = [{layers}]");
    assert!(read(&many).unwrap_err().contains("more than 31 layers"), "{}", read(&many).unwrap_err());
}

/// A chain of groups in the wrong order takes no longer than in the right one.
#[test]
fn ten_thousand_nested_groups() {
    let groups: String = (0..10_000)
        .rev()
        .map(|k| match k {
            0 => "[[group]]\nname = \"g0\"\n".to_owned(),
            k => format!("[[group]]\nname = \"g{k}\"\ngroup = \"g{}\"\n", k - 1),
        })
        .collect();
    let scene = read(&groups).unwrap();
    assert!(scene.groups.iter().enumerate().all(|(k, group)| group.name == format!("g{k}")));
}
