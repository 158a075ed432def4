//! Memory taken by the thread that runs: for tests of what must take none.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: testkit::counting::Counting = testkit::counting::Counting;
//!
//! let before = testkit::counting::taken();
//! drop(Box::new(1));
//! assert_eq!(testkit::counting::taken() - before, 1);
//! ```
#![allow(unsafe_code, reason = "an allocator that counts and hands on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// How often this thread has taken memory, growth of what it had included.
#[must_use]
pub fn taken() -> u64 {
    TAKEN.get()
}

fn count() {
    TAKEN.set(TAKEN.get() + 1);
}

/// The system's allocator, counted.
#[derive(Debug)]
pub struct Counting;

// SAFETY: all is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller vouches.
        unsafe { System.realloc(at, layout, size) }
    }
}
