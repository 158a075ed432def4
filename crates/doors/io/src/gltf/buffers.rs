//! Buffers of a glTF document and the numbers in them.

use super::document::{Accessor, BufferView, Document, Sparse};
use crate::base64;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Loads a buffer when it is first used.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    binary: Option<&'a [u8]>,
    directory: Option<&'a Path>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
}

/// Type of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Number {
    fn of(component_type: u32) -> Option<Number> {
        Some(match component_type {
            5120 => Number::I8,
            5121 => Number::U8,
            5122 => Number::I16,
            5123 => Number::U16,
            5125 => Number::U32,
            5126 => Number::F32,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::U32 | Number::F32 => 4,
        }
    }

    pub(super) fn is_index(self) -> bool {
        matches!(self, Number::U8 | Number::U16 | Number::U32)
    }

    /// The bytes in front as an unsigned number of that width.
    fn index(self, raw: &[u8]) -> u32 {
        match *raw {
            [a, b, c, d, ..] if self.bytes() == 4 => u32::from_le_bytes([a, b, c, d]),
            [a, b, ..] if self.bytes() == 2 => u32::from(u16::from_le_bytes([a, b])),
            [a, ..] => u32::from(a),
            [] => 0,
        }
    }

    /// The value of the bytes in front; normalised integers become −1..1 or 0..1.
    fn value(self, raw: &[u8], normalized: bool) -> f64 {
        let scale = |value: f64, most: f64| if normalized { (value / most).max(-1.0) } else { value };
        match *raw {
            [a, b, c, d, ..] if self == Number::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, ..] if self == Number::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, ..] if self == Number::U16 => scale(f64::from(u16::from_le_bytes([a, b])), 65535.0),
            [a, b, ..] if self == Number::I16 => scale(f64::from(i16::from_le_bytes([a, b])), 32767.0),
            [a, ..] if self == Number::U8 => scale(f64::from(a), 255.0),
            [a, ..] if self == Number::I8 => scale(f64::from(i8::from_le_bytes([a])), 127.0),
            _ => 0.0,
        }
    }
}

/// The rows of an accessor, checked to lie within their buffer.
pub(super) struct Rows<'a> {
    pub(super) count: usize,
    pub(super) number: Number,
    normalized: bool,
    /// Empty when all rows are zero but for the sparse ones.
    bytes: &'a [u8],
    stride: usize,
    /// Rows to replace, ascending, and their values.
    sparse: Option<(Vec<u32>, &'a [u8])>,
}

impl Rows<'_> {
    /// Row `i` of N numbers, N being what the accessor was asked for with.
    #[inline]
    pub(super) fn row<const N: usize>(&self, i: usize) -> [f64; N] {
        let raw = self.raw(i, N * self.number.bytes());
        let step = self.number.bytes();
        std::array::from_fn(|k| self.number.value(raw.get(k * step..).unwrap_or(&[]), self.normalized))
    }

    /// Row `i` of an accessor of indices.
    #[inline]
    pub(super) fn index(&self, i: usize) -> u32 {
        self.number.index(self.raw(i, self.number.bytes()))
    }

    /// The bytes of row `i` and what follows; empty for a row of zeros.
    #[inline]
    fn raw(&self, i: usize, size: usize) -> &[u8] {
        let replaced = self.sparse.as_ref().and_then(|(ids, values)| {
            let at = ids.binary_search(&(i as u32)).ok()?;
            values.get(at * size..)
        });
        replaced.or_else(|| self.bytes.get(i * self.stride..)).unwrap_or(&[])
    }
}

impl<'a> Buffers<'a> {
    pub(super) fn new(document: &'a Document, binary: Option<&'a [u8]>, directory: Option<&'a Path>) -> Self {
        let loaded = document.buffers.iter().map(|_| OnceCell::new()).collect();
        Buffers { document, binary, directory, loaded }
    }

    /// The rows of an accessor that must be of that shape with N numbers a row.
    pub(super) fn rows<const N: usize>(&self, accessor: usize, shape: &str) -> Result<Rows<'_>, Fault> {
        self.try_rows::<N>(accessor, shape).map_err(|fault| match fault.place {
            Place::Whole => fault.problem.at(Place::Element("accessor", accessor as u64)),
            _ => fault,
        })
    }

    fn try_rows<const N: usize>(&self, accessor: usize, shape: &str) -> Result<Rows<'_>, Fault> {
        let Some(accessor) = self.document.accessors.get(accessor) else {
            return Err(Problem::malformed("there is no such accessor").into());
        };
        if accessor.shape != shape {
            let found = excerpt(accessor.shape.as_bytes());
            return Err(Problem::malformed(format!("{found:?} where {shape:?} should be")).into());
        }
        let number = number_type(accessor.component_type)?;
        let size = N * number.bytes();
        let (bytes, stride) = match accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) = self.view(view, accessor.byte_offset)?;
                (bytes, stride.unwrap_or(size))
            }
            None => (&[][..], size),
        };
        if accessor.buffer_view.is_some() {
            check_fit(bytes.len(), accessor, stride, size)?;
        } else if accessor.sparse.is_none() {
            return Err(Problem::malformed("it has no data").into());
        }
        let sparse = match &accessor.sparse {
            Some(sparse) => Some(self.sparse(sparse, accessor.count, size)?),
            None => None,
        };
        Ok(Rows { count: accessor.count, number, normalized: accessor.normalized, bytes, stride, sparse })
    }

    fn sparse(&self, sparse: &Sparse, rows: usize, size: usize) -> Result<(Vec<u32>, &[u8]), Fault> {
        let number = number_type(sparse.indices.component_type.unwrap_or(0))?;
        if !number.is_index() {
            return Err(Problem::malformed("sparse indices must be unsigned").into());
        }
        let (raw, _) = self.view(sparse.indices.buffer_view, sparse.indices.byte_offset)?;
        let (values, _) = self.view(sparse.values.buffer_view, sparse.values.byte_offset)?;
        let enough =
            |have: usize, each: usize| sparse.count.checked_mul(each).is_some_and(|need| need <= have);
        if !enough(raw.len(), number.bytes()) || !enough(values.len(), size) {
            return Err(Problem::Truncated("sparse rows lie outside their buffer view".into()).into());
        }
        let ids: Vec<u32> =
            raw.chunks_exact(number.bytes()).take(sparse.count).map(|raw| number.index(raw)).collect();
        if !ids.is_sorted_by(|a, b| a < b) || ids.last().is_some_and(|&last| last as usize >= rows) {
            return Err(Problem::malformed("sparse indices are not ascending within the accessor").into());
        }
        Ok((ids, values))
    }

    /// The bytes of a view from an offset on, and its stride.
    fn view(&self, view: usize, offset: usize) -> Result<(&[u8], Option<usize>), Fault> {
        let Some(BufferView { buffer, byte_offset, byte_length, byte_stride }) =
            self.document.buffer_views.get(view)
        else {
            return Err(Problem::malformed(format!("there is no buffer view {view}")).into());
        };
        let bytes = self.buffer(*buffer)?;
        bytes
            .get(*byte_offset..)
            .and_then(|rest| rest.get(..*byte_length))
            .and_then(|view| view.get(offset..))
            .map(|bytes| (bytes, *byte_stride))
            .ok_or_else(|| Problem::Truncated(format!("buffer view {view} is larger than its buffer")).into())
    }

    fn buffer(&self, index: usize) -> Result<&[u8], Fault> {
        let Some((cell, buffer)) = self.loaded.get(index).zip(self.document.buffers.get(index)) else {
            return Err(Problem::malformed(format!("there is no buffer {index}")).into());
        };
        if cell.get().is_none() {
            let loaded = match &buffer.uri {
                Some(uri) => Cow::Owned(self.fetch(uri, buffer.byte_length)?),
                None => Cow::Borrowed(self.binary.filter(|_| index == 0).unwrap_or(&[])),
            };
            // Nobody else can have set it since.
            let _ = cell.set(loaded);
        }
        let bytes: &[u8] = cell.get().map_or(&[], |bytes| bytes);
        bytes.get(..buffer.byte_length).ok_or_else(|| {
            let what = format!("the buffer has {} of {} bytes", bytes.len(), buffer.byte_length);
            Problem::Truncated(what).at(Place::Element("buffer", index as u64))
        })
    }

    fn fetch(&self, uri: &str, length: usize) -> Result<Vec<u8>, Problem> {
        if let Some(data) = uri.strip_prefix("data:") {
            let text = data.split_once(";base64,").map(|(_, text)| text.as_bytes());
            let bytes = text.map_or(Ok(None), base64::decode)?;
            return bytes.ok_or_else(|| Problem::malformed("a data URI that is not base64"));
        }
        let path = relative_path(uri)?;
        let Some(directory) = self.directory else {
            return Err(Problem::Unsupported(format!(
                "a buffer in another file, {:?}",
                excerpt(uri.as_bytes())
            )));
        };
        let path = directory.join(path);
        let named = |error: std::io::Error| {
            Problem::Io(std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))
        };
        let mut bytes = Vec::new();
        File::open(&path).map_err(named)?.take(length as u64).read_to_end(&mut bytes).map_err(named)?;
        Ok(bytes)
    }
}

fn number_type(component_type: u32) -> Result<Number, Problem> {
    Number::of(component_type).ok_or_else(|| Problem::malformed(format!("component type {component_type}")))
}

/// All rows must lie in the bytes, without overlap.
fn check_fit(bytes: usize, accessor: &Accessor, stride: usize, size: usize) -> Result<(), Problem> {
    if stride < size {
        return Err(Problem::malformed(format!("rows of {size} bytes every {stride} bytes")));
    }
    let needed = match accessor.count {
        0 => Some(0),
        count => (count - 1).checked_mul(stride).and_then(|bytes| bytes.checked_add(size)),
    };
    if needed.is_some_and(|needed| needed <= bytes) {
        return Ok(());
    }
    Err(Problem::Truncated(format!("{} rows do not fit into {bytes} bytes", accessor.count)))
}

/// A file beside the document or in a folder below it; nothing else is opened.
fn relative_path(uri: &str) -> Result<PathBuf, Problem> {
    let refuse = || Problem::Unsupported(format!("a buffer at {:?}", excerpt(uri.as_bytes())));
    let decoded = percent_decode(uri).ok_or_else(refuse)?;
    let path = PathBuf::from(decoded);
    let below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if below && !uri.contains("://") { Ok(path) } else { Err(refuse()) }
}

fn percent_decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let hex = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(hex, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
