//! glTF 2.0: a tree of nodes with meshes, as JSON with buffers beside it or as one binary file (GLB).
//!
//! Every node with triangles becomes a body in scene coordinates, its transform baked in. Skins and morph targets are counted
//! and not applied. Rotations within single precision of quarter, eighth or twelfth turns are taken as these (`turn`).

mod buffers;
mod document;
mod placement;
mod scene;
mod turn;

use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed};
use buffers::Buffers;
use document::Document;
use kontakt_shapes::memory::{probe, reserve};
use scene::SceneReader;

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// Beginnings of the names of extensions that a file may require without changing what its triangles are.
const HARMLESS: [&str; 6] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "MSFT_texture_",
];

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    let mut bytes = Vec::new();
    if let Some(size) = input.size {
        reserve(&mut bytes, usize::try_from(size).unwrap_or(usize::MAX))?;
    }
    input.reader.read_to_end(&mut bytes).map_err(Problem::Io)?;
    let (json, binary) = if bytes.starts_with(MAGIC) { open_container(&bytes)? } else { (&bytes[..], None) };
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    // What is made of the text is no longer than it, and making it cannot fail.
    probe(json.len())?;
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let problem = if error.is_eof() {
            Problem::Truncated("the JSON text is not complete".into())
        } else {
            Problem::malformed(error.to_string())
        };
        problem.at(Place::Line(error.line() as u64))
    })?;
    check_version(&document)?;
    let buffers = Buffers::new(&document, binary, input.directory);
    SceneReader::new(&document, &buffers, input.options.most_elements).read()
}

fn check_version(document: &Document) -> Result<(), Fault> {
    if !document.asset.version.starts_with("2.") {
        let version = excerpt(document.asset.version.as_bytes());
        return Err(Problem::Unsupported(format!("glTF version {version:?}")).into());
    }
    let harmless = |name: &String| HARMLESS.iter().any(|start| name.starts_with(start));
    match document.extensions_required.iter().find(|name| !harmless(name)) {
        Some(name) => Err(Problem::Unsupported(format!("extension {:?}", excerpt(name.as_bytes()))).into()),
        None => Ok(()),
    }
}

/// The JSON and binary chunks of a GLB file.
fn open_container(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let cut_off = |at: usize| {
        Problem::Truncated("the container is not complete".into()).at(Place::Byte(bytes.len().min(at) as u64))
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else { return Err(cut_off(4)) };
    if version != 2 {
        return Err(Problem::Unsupported(format!("GLB version {version}")).at(Place::Byte(4)));
    }
    if length as usize > bytes.len() {
        return Err(cut_off(bytes.len()));
    }
    if (length as usize) < bytes.len() {
        let what = format!("the header says {length} bytes, the file has {}", bytes.len());
        return Err(Problem::WrongCount(what).at(Place::Byte(8)));
    }
    let (mut at, mut json, mut binary) = (12, None, None);
    while at < bytes.len() {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else { return Err(cut_off(at)) };
        let start = at + 8;
        let Some(chunk) = bytes.get(start..).and_then(|rest| rest.get(..size as usize)) else {
            return Err(cut_off(start));
        };
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BINARY_CHUNK if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at = start + size as usize;
    }
    match json {
        Some(json) => Ok((json, binary)),
        None => Err(Problem::malformed("no JSON in the container").at(Place::Byte(12))),
    }
}
