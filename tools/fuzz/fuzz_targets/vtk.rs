#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kontakt_fuzz::read(kontakt_io::Format::Vtk, bytes));
