#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kontakt_fuzz::smallest_box::of_points(bytes));
