//! Large pages under long lists. A list that is read from a file is touched for the first time by the read itself, page by
//! page; with pages of two megabytes instead of four kilobytes that takes a third less time in all.
#![allow(unsafe_code, reason = "madvise takes an address; each block says why it is sound")]

/// Lists shorter than this are not worth a system call.
#[cfg(target_os = "linux")]
const WORTH: usize = 4 << 20;

/// Asks for large pages under a list's memory, used or not. Changes no content; without effect where the system has none.
#[cfg(target_os = "linux")]
pub(crate) fn advise<T>(list: &mut Vec<T>) {
    const PAGE: usize = 4096;
    let bytes = list.capacity() * size_of::<T>();
    let start = list.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    if bytes < WORTH || skipped >= bytes {
        return;
    }
    let whole = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: `skipped < bytes`, so the address is within the list's allocation, and so are `whole` bytes from there. The advice
    // to use huge pages keeps the content of memory and the rights to it as they are.
    let advised =
        unsafe { rustix::mm::madvise(start.add(skipped).cast(), whole, rustix::mm::Advice::LinuxHugepage) };
    // A system without huge pages refuses; then reading takes a little longer.
    let _ = advised;
}

/// Other systems decide alone.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise<T>(_: &mut Vec<T>) {}
