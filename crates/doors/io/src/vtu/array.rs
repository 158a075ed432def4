//! Arrays of numbers in VTU files: text, base64, bytes at the file's end; plain or compressed by zlib.

use super::xml::Tag;
use crate::base64;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::number::{integer, is_blank, number};
use kontakt_shapes::memory::reserve;

/// What the file says of all its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) is_big: bool,
    /// Width of the numbers in front of bytes: 4 or 8.
    pub(super) head: usize,
    pub(super) is_compressed: bool,
    /// Appended bytes are letters.
    pub(super) is_base64: bool,
}

/// How numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float(usize),
    Int(usize),
    Uint(usize),
}

impl Kind {
    pub(super) fn of(tag: &Tag<'_>) -> Result<Kind, Fault> {
        match tag.attribute("type").unwrap_or_default() {
            b"Float32" => Ok(Kind::Float(4)),
            b"Float64" => Ok(Kind::Float(8)),
            b"Int8" => Ok(Kind::Int(1)),
            b"Int16" => Ok(Kind::Int(2)),
            b"Int32" => Ok(Kind::Int(4)),
            b"Int64" => Ok(Kind::Int(8)),
            b"UInt8" => Ok(Kind::Uint(1)),
            b"UInt16" => Ok(Kind::Uint(2)),
            b"UInt32" => Ok(Kind::Uint(4)),
            b"UInt64" => Ok(Kind::Uint(8)),
            other => {
                Err(Problem::Unsupported(format!("numbers of type {:?}", excerpt(other))).at(tag.place()))
            }
        }
    }

    fn width(self) -> usize {
        match self {
            Kind::Float(width) | Kind::Int(width) | Kind::Uint(width) => width,
        }
    }
}

/// Numbers as the file has them.
pub(super) enum Numbers {
    Floats(Vec<f64>),
    Whole(Vec<i64>),
}

/// Numbers from text.
pub(super) fn of_text(text: &[u8], kind: Kind, place: Place) -> Result<Numbers, Fault> {
    let words = text.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty());
    let fault = |problem: Problem| problem.at(place);
    if let Kind::Float(_) = kind {
        let mut values = Vec::new();
        for word in words {
            reserve(&mut values, 1)?;
            values.push(number(word).map_err(fault)?);
        }
        return Ok(Numbers::Floats(values));
    }
    let mut values = Vec::new();
    for word in words {
        reserve(&mut values, 1)?;
        values.push(integer(word).map_err(fault)?);
    }
    Ok(Numbers::Whole(values))
}

/// Numbers from letters that begin with their head; what follows them is not looked at. The head of compressed data is a text of its
/// own, that of plain data belongs to them.
pub(super) fn of_letters(text: &[u8], kind: Kind, form: Form, place: Place) -> Result<Numbers, Fault> {
    let text = text.trim_ascii();
    let letters = |bytes: usize| bytes.div_ceil(3).checked_mul(4);
    let part = |from: usize, bytes: Option<usize>| -> Result<(Vec<u8>, usize), Fault> {
        let end = bytes.and_then(letters).and_then(|length| length.checked_add(from));
        let part = end.and_then(|end| text.get(from..end)).ok_or_else(|| short(place))?;
        let no_letters = || Problem::malformed("letters that are no base64").at(place);
        Ok((base64::decode(part)?.ok_or_else(no_letters)?, from + part.len()))
    };
    let (mut first, _) = part(0, Some(form.head))?;
    first.truncate(form.head);
    let count = usize::try_from(unsigned(&first, form)).map_err(|_| short(place))?;
    if !form.is_compressed {
        return of_bytes(&part(0, count.checked_add(form.head))?.0, kind, form, place);
    }
    let head_length = count.checked_add(3).and_then(|n| n.checked_mul(form.head));
    let (mut bytes, end) = part(0, head_length)?;
    bytes.truncate(head_length.unwrap_or(0));
    let mut lengths = bytes.chunks_exact(form.head).skip(3).map(|head| usize::try_from(unsigned(head, form)));
    let body = lengths.try_fold(0_usize, |sum, length| sum.checked_add(length.ok()?));
    let (mut body, _) = part(end, body)?;
    reserve(&mut bytes, body.len())?;
    bytes.append(&mut body);
    of_bytes(&bytes, kind, form, place)
}

/// Numbers from bytes that begin with their head; what follows them is not looked at.
pub(super) fn of_bytes(bytes: &[u8], kind: Kind, form: Form, place: Place) -> Result<Numbers, Fault> {
    let inflated;
    let bytes = if form.is_compressed {
        inflated = inflate(bytes, form, place)?;
        inflated.as_slice()
    } else {
        let (head, rest) = bytes.split_at_checked(form.head).ok_or_else(|| short(place))?;
        let length = usize::try_from(unsigned(head, form)).map_err(|_| short(place))?;
        rest.get(..length).ok_or_else(|| short(place))?
    };
    if !bytes.len().is_multiple_of(kind.width()) {
        return Err(
            Problem::WrongCount(format!("{} bytes for numbers of {}", bytes.len(), kind.width())).at(place)
        );
    }
    let each = bytes.chunks_exact(kind.width());
    if let Kind::Float(width) = kind {
        let mut values = Vec::new();
        reserve(&mut values, each.len())?;
        for bytes in each {
            let bits = unsigned(bytes, form);
            let value =
                if width == 4 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
            if !value.is_finite() {
                return Err(Problem::NotFinite.at(place));
            }
            values.push(value);
        }
        return Ok(Numbers::Floats(values));
    }
    let mut values = Vec::new();
    reserve(&mut values, each.len())?;
    values.extend(each.map(|bytes| whole(bytes, kind, form)));
    Ok(Numbers::Whole(values))
}

fn short(place: Place) -> Fault {
    Problem::Truncated("in the middle of its numbers".into()).at(place)
}

/// Up to eight bytes as a number.
fn unsigned(bytes: &[u8], form: Form) -> u64 {
    let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    if form.is_big { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) }
}

fn whole(bytes: &[u8], kind: Kind, form: Form) -> i64 {
    let value = unsigned(bytes, form);
    let spare = 64 - 8 * bytes.len() as u32;
    match kind {
        // The sign comes with the shift.
        Kind::Int(_) => (value << spare).cast_signed() >> spare,
        _ => i64::try_from(value).unwrap_or(i64::MAX),
    }
}

/// Blocks, each compressed on its own: their number, the length of one before, of the last (0 if as the others), then of each after.
fn inflate(bytes: &[u8], form: Form, place: Place) -> Result<Vec<u8>, Fault> {
    let mut heads = bytes.chunks_exact(form.head);
    let mut head = || {
        let bytes = heads.next().ok_or_else(|| short(place))?;
        usize::try_from(unsigned(bytes, form)).map_err(|_| short(place))
    };
    let (blocks, full, last) = (head()?, head()?, head()?);
    let mut lengths = Vec::new();
    for _ in 0..blocks {
        let length = head()?;
        reserve(&mut lengths, 1)?;
        lengths.push(length);
    }
    let mut rest = &bytes[(blocks + 3) * form.head..];
    let mut all = Vec::new();
    for (block, &length) in lengths.iter().enumerate() {
        let packed = rest.get(..length).ok_or_else(|| short(place))?;
        rest = &rest[length..];
        let wanted = if block + 1 == blocks && last > 0 { last } else { full };
        let wrong = || Problem::malformed(format!("block {block} of compressed bytes is damaged")).at(place);
        // Inflating makes at most some thousand bytes of one: what a head promises beyond is never allocated.
        let most = wanted.min(packed.len().saturating_mul(1100));
        let mut plain =
            miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, most).map_err(|_| wrong())?;
        if plain.len() != wanted {
            return Err(wrong());
        }
        reserve(&mut all, plain.len())?;
        all.append(&mut plain);
    }
    Ok(all)
}
