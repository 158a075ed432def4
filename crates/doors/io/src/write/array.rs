//! Lists of numbers as files for viewers hold them.

use crate::snapshot::{Field, Snapshot, Values};
use kontakt_math::DVec3;
use std::io::{self, Write};

/// A number of a kind that VTK names.
pub(super) trait Number: Copy {
    /// As XML files call it.
    const KIND: &'static str;
    /// As legacy files call it.
    const OLD_KIND: &'static str;
    type Bytes: AsRef<[u8]>;
    fn little(self) -> Self::Bytes;
    fn big(self) -> Self::Bytes;
    /// The shortest text that gives the same number back.
    fn text(self, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! number {
    ($type:ty, $kind:literal, $old:literal, $bytes:literal, $format:literal) => {
        impl Number for $type {
            const KIND: &'static str = $kind;
            const OLD_KIND: &'static str = $old;
            type Bytes = [u8; $bytes];
            fn little(self) -> [u8; $bytes] {
                self.to_le_bytes()
            }
            fn big(self) -> [u8; $bytes] {
                self.to_be_bytes()
            }
            fn text(self, out: &mut dyn Write) -> io::Result<()> {
                write!(out, $format, self)
            }
        }
    };
}
number!(f64, "Float64", "double", 8, "{:?}");
number!(i64, "Int64", "vtktypeint64", 8, "{}");
number!(i32, "Int32", "int", 4, "{}");
number!(u32, "UInt32", "unsigned_int", 4, "{}");
number!(u8, "UInt8", "unsigned_char", 1, "{}");

/// Numbers of one of these kinds.
pub(super) enum Numbers<'a> {
    F64(&'a [f64]),
    I64(Vec<i64>),
    I32(Vec<i32>),
    U32(&'a [u32]),
    U8(Vec<u8>),
}

/// Calls generic code with the list inside.
macro_rules! with_list {
    ($numbers:expr, $list:ident => $body:expr) => {
        match $numbers {
            $crate::write::array::Numbers::F64($list) => $body,
            $crate::write::array::Numbers::I64($list) => $body,
            $crate::write::array::Numbers::I32($list) => $body,
            $crate::write::array::Numbers::U32($list) => $body,
            $crate::write::array::Numbers::U8($list) => $body,
        }
    };
}

impl<'a> Numbers<'a> {
    pub(super) fn of_points(points: &'a [DVec3]) -> Numbers<'a> {
        Numbers::F64(bytemuck::cast_slice(points))
    }

    /// The numbers and how many of them are one value.
    pub(super) fn of_field(field: &Field<'a>) -> (Numbers<'a>, usize) {
        match field.values {
            Values::Scalars(values) => (Numbers::F64(values), 1),
            Values::Vectors(values) => (Numbers::of_points(values), 3),
            Values::Ids(values) => (Numbers::U32(values), 1),
        }
    }

    /// Whole numbers in 32 bits where all are small enough.
    pub(super) fn of_signed(values: Vec<i64>) -> Numbers<'a> {
        match values.iter().map(|&value| i32::try_from(value)).collect() {
            Ok(small) => Numbers::I32(small),
            Err(_) => Numbers::I64(values),
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        fn of<T: Number>(_: &[T]) -> &'static str {
            T::KIND
        }
        with_list!(self, list => of(list))
    }

    pub(super) fn old_kind(&self) -> &'static str {
        fn of<T: Number>(_: &[T]) -> &'static str {
            T::OLD_KIND
        }
        with_list!(self, list => of(list))
    }

    pub(super) fn little(&self) -> Vec<u8> {
        fn of<T: Number>(list: &[T]) -> Vec<u8> {
            let mut bytes = Vec::with_capacity(size_of_val(list));
            for value in list {
                bytes.extend_from_slice(value.little().as_ref());
            }
            bytes
        }
        with_list!(self, list => of(list))
    }

    pub(super) fn write_big(&self, out: &mut dyn Write) -> io::Result<()> {
        fn of<T: Number>(list: &[T], out: &mut dyn Write) -> io::Result<()> {
            list.iter().try_for_each(|value| out.write_all(value.big().as_ref()))
        }
        with_list!(self, list => of(list, out))
    }

    /// Text, so many numbers a line.
    pub(super) fn write_text(&self, out: &mut dyn Write, a_line: usize) -> io::Result<()> {
        fn of<T: Number>(list: &[T], out: &mut dyn Write, a_line: usize) -> io::Result<()> {
            for row in list.chunks(a_line) {
                for (i, value) in row.iter().enumerate() {
                    out.write_all(if i == 0 { b"" } else { b" " })?;
                    value.text(out)?;
                }
                out.write_all(b"\n")?;
            }
            Ok(())
        }
        with_list!(self, list => of(list, out, a_line))
    }
}

/// The points of all cells, where each cell ends among them, and kinds as VTK numbers them.
pub(super) struct CellLists {
    pub(super) corners: Vec<i64>,
    pub(super) ends: Vec<i64>,
    pub(super) kinds: Vec<u8>,
}

impl CellLists {
    pub(super) fn of(snapshot: &Snapshot<'_>) -> CellLists {
        let count = snapshot.cell_count();
        let mut lists = CellLists {
            corners: Vec::with_capacity(4 * count),
            ends: Vec::with_capacity(count),
            kinds: Vec::with_capacity(count),
        };
        snapshot.each_cell(|kind, corners| {
            lists.corners.extend(corners.iter().map(|&corner| i64::from(corner)));
            lists.ends.push(lists.corners.len().cast_signed() as i64);
            lists.kinds.push(kind);
        });
        lists
    }
}
