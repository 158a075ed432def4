//! What a user must know of the bodies of a scene before its check is believed.

use crate::words::counted;
use kontakt_scene::{Scene, SceneBody};

/// A sentence for every kind of body of which less is seen than one might think.
pub fn warned(scene: &Scene) -> Vec<String> {
    [open_bodies(scene), crossing_bodies(scene), bodies_at_odds(scene)].into_iter().flatten().collect()
}

/// Bodies with a hole have no inside: nobody looks for what lies in them, which a user must know.
fn open_bodies(scene: &Scene) -> Option<String> {
    let is_open = |body: &SceneBody| body.body.surface().is_some_and(|mesh| !mesh.is_closed());
    let open: Vec<usize> = (0..scene.bodies().len()).filter(|&body| is_open(&scene.bodies()[body])).collect();
    about(
        scene,
        &open,
        "is not closed and has no inside, so what lies in there is not seen",
        "are not closed and have no inside, so what lies in there is not seen",
    )
}

/// Nor has what they cover twice.
fn crossing_bodies(scene: &Scene) -> Option<String> {
    about(
        scene,
        &scene.self_crossing(),
        "crosses or doubles itself: what it covers twice counts as outside, and its interference is not measured",
        "cross or double themselves: what they cover twice counts as outside, and their interference is not measured",
    )
}

/// A solid within a solid may be meant as such, and is read as a cavity.
fn bodies_at_odds(scene: &Scene) -> Option<String> {
    about(
        scene,
        &scene.shells_at_odds(),
        "has a shell that is turned the wrong way round: a shell within another counts as a cavity, what is in there as outside",
        "have shells that are turned the wrong way round: a shell within another counts as a cavity, what is in there as outside",
    )
}

/// Something that is so of one body, or of several, with the first names.
fn about(scene: &Scene, bodies: &[usize], one: &str, several: &str) -> Option<String> {
    const SHOWN: usize = 3;
    let names: Vec<&str> =
        bodies.iter().take(SHOWN).map(|&body| scene.bodies()[body].name.full.as_str()).collect();
    let more = if bodies.len() > SHOWN { ", …" } else { "" };
    let said = if bodies.len() == 1 { one } else { several };
    (!bodies.is_empty())
        .then(|| format!("{} {said}: {}{more}", counted(bodies.len(), "body", "bodies"), names.join(", ")))
}
