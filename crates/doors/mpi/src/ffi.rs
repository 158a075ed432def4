//! The C interface of MPI, loaded at run time. The only unsafe code of this door.
//!
//! Handles are addresses of objects in Open MPI and numbers in MPICH's family: `H` is the one or the other, so every call has the
//! library's own signature. Nothing here blocks: calls are begun, and asked whether they are done.
#![allow(unsafe_code)]

use kontakt_distributed::CommError;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{c_char, c_int, c_void};
use std::marker::PhantomData;

/// A handle of Open MPI.
pub(crate) type Address = *mut c_void;
/// A handle of MPICH, Intel MPI, MVAPICH.
pub(crate) type Number = c_int;

/// Longer than the status of either library (24 and 20 bytes), and aligned.
type Status = [u64; 8];

/// Same bits on every machine of a run; one tag is enough, since messages of one sender keep their order.
const TAG: c_int = 18;
const SUCCESS: c_int = 0;
/// `MPI_THREAD_FUNNELED`: other threads may compute, one talks.
const FUNNELED: c_int = 1;
/// `MPI_MAX_LIBRARY_VERSION_STRING` (256, 8192) and `MPI_MAX_ERROR_STRING` (256, 512) are not longer.
const TEXT: usize = 8192;

/// An opened library.
pub(crate) struct Opened(Library);

impl Opened {
    /// By name or path.
    pub(crate) fn new(name: &str) -> Result<Opened, String> {
        // SAFETY: loading runs the library's initialisers; it is an MPI named by the user or by its usual name. Global, because the
        // plugins of Open MPI look for its symbols.
        unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) }
            .map(Opened)
            .map_err(|error| error.to_string())
    }

    /// Whether it is Open MPI: it exports its communicator.
    pub(crate) fn is_open_mpi(&self) -> bool {
        self.address("ompi_mpi_comm_world").is_some()
    }

    fn address(&self, symbol: &str) -> Option<Address> {
        // SAFETY: only the address is taken, nothing is read or called through it.
        unsafe { self.0.get::<Address>(symbol.as_bytes()) }.ok().map(libloading::os::unix::Symbol::into_raw)
    }
}

/// Communicator, type of bytes, and the handler that returns errors.
pub(crate) struct Constants<H> {
    world: H,
    byte: H,
    errors_return: H,
}

impl Constants<Address> {
    pub(crate) fn of_open_mpi(library: &Opened) -> Option<Constants<Address>> {
        Some(Constants {
            world: library.address("ompi_mpi_comm_world")?,
            byte: library.address("ompi_mpi_byte")?,
            errors_return: library.address("ompi_mpi_errors_return")?,
        })
    }
}

impl Constants<Number> {
    /// Fixed by the common ABI of MPICH's family.
    pub(crate) fn of_mpich() -> Constants<Number> {
        Constants { world: 0x4400_0000, byte: 0x4c00_010d, errors_return: 0x5400_0001 }
    }
}

macro_rules! functions {
    ($($name:ident = $symbol:literal ($($argument:ty),*);)*) => {
        struct Functions<H> { $($name: unsafe extern "C" fn($($argument),*) -> c_int,)* }

        impl<H> Functions<H> {
            fn load(library: &Opened) -> Result<Functions<H>, String> {
                Ok(Functions { $($name: {
                    // SAFETY: the signature is that of the MPI standard, with this library's type of handles.
                    let found = unsafe { library.0.get::<unsafe extern "C" fn($($argument),*) -> c_int>($symbol.as_bytes()) };
                    *found.map_err(|_| $symbol.to_string())?
                },)* })
            }
        }
    };
}

functions! {
    init_thread = "MPI_Init_thread" (*mut c_int, *mut c_void, c_int, *mut c_int);
    finalize = "MPI_Finalize" ();
    abort = "MPI_Abort" (H, c_int);
    set_errhandler = "MPI_Comm_set_errhandler" (H, H);
    comm_rank = "MPI_Comm_rank" (H, *mut c_int);
    comm_size = "MPI_Comm_size" (H, *mut c_int);
    isend = "MPI_Isend" (*const c_void, c_int, H, c_int, c_int, H, *mut H);
    irecv = "MPI_Irecv" (*mut c_void, c_int, H, c_int, c_int, H, *mut H);
    iprobe = "MPI_Iprobe" (c_int, c_int, H, *mut c_int, *mut Status);
    get_count = "MPI_Get_count" (*const Status, H, *mut c_int);
    test = "MPI_Test" (*mut H, *mut c_int, *mut Status);
    iallgatherv = "MPI_Iallgatherv" (*const c_void, c_int, H, *mut c_void, *const c_int, *const c_int, H, H, *mut H);
    error_string = "MPI_Error_string" (c_int, *mut c_char, *mut c_int);
    version = "MPI_Get_library_version" (*mut c_char, *mut c_int);
}

/// A started MPI. Not to be sent to other threads: only the one that started it may talk.
pub(crate) struct Mpi<H> {
    call: Functions<H>,
    handles: Constants<H>,
    /// Kept loaded as long as its functions are known.
    _library: Opened,
    _here: PhantomData<*mut ()>,
}

/// Something under way, with the memory that the library reads or writes meanwhile.
///
/// Dropped before it is done, it leaks that memory: the library may still use it.
pub(crate) struct Pending<H> {
    request: H,
    done: bool,
    /// Sent, received, and counts and displacements of a gather. A vector's contents do not move with the struct.
    lent: [Vec<u8>; 2],
    layout: [Vec<c_int>; 2],
}

impl<H> Drop for Pending<H> {
    fn drop(&mut self) {
        if !self.done {
            std::mem::forget(std::mem::take(&mut self.lent));
            std::mem::forget(std::mem::take(&mut self.layout));
        }
    }
}

impl<H> Pending<H> {
    /// What was received, once it is done.
    pub(crate) fn into_received(mut self) -> Vec<u8> {
        if self.done { std::mem::take(&mut self.lent[1]) } else { Vec::new() }
    }
}

impl<H: Copy> Mpi<H> {
    /// Starts MPI; `Err` names a symbol that is missing.
    pub(crate) fn start(library: Opened, handles: Constants<H>) -> Result<Result<Mpi<H>, CommError>, String> {
        let call = Functions::load(&library)?;
        let mpi = Mpi { call, handles, _library: library, _here: PhantomData };
        let mut provided = 0;
        // SAFETY: both pointers to arguments may be null; `provided` is a place for an int.
        let code = unsafe {
            (mpi.call.init_thread)(std::ptr::null_mut(), std::ptr::null_mut(), FUNNELED, &raw mut provided)
        };
        // SAFETY: handles are this library's own, and MPI is started.
        let outcome = mpi.checked("MPI_Init_thread", code).and_then(|()| {
            mpi.checked("MPI_Comm_set_errhandler", unsafe {
                (mpi.call.set_errhandler)(mpi.handles.world, mpi.handles.errors_return)
            })
        });
        Ok(outcome.map(|()| mpi))
    }

    /// Rank and size.
    pub(crate) fn place(&self) -> Result<(usize, usize), CommError> {
        let (mut rank, mut size) = (0, 0);
        // SAFETY: two places for ints.
        self.checked("MPI_Comm_rank", unsafe { (self.call.comm_rank)(self.handles.world, &raw mut rank) })?;
        // SAFETY: as above.
        self.checked("MPI_Comm_size", unsafe { (self.call.comm_size)(self.handles.world, &raw mut size) })?;
        Ok((usize::try_from(rank).unwrap_or(0), usize::try_from(size).unwrap_or(1)))
    }

    /// Begins to send.
    pub(crate) fn send(&self, to: usize, bytes: Vec<u8>) -> Result<Pending<H>, CommError> {
        let count = length(bytes.len())?;
        let mut pending = self.pending([bytes, Vec::new()], [Vec::new(), Vec::new()]);
        // SAFETY: `count` bytes are there and stay until the request is done, or for ever (`Pending`).
        let code = unsafe {
            let (buffer, byte, world) =
                (pending.lent[0].as_ptr().cast(), self.handles.byte, self.handles.world);
            (self.call.isend)(buffer, count, byte, length(to)?, TAG, world, &raw mut pending.request)
        };
        self.begun("MPI_Isend", code, pending)
    }

    /// Begins to receive a message of a rank, if there is one.
    pub(crate) fn receive(&self, from: usize) -> Result<Option<Pending<H>>, CommError> {
        let (mut there, mut count, mut status) = (0, 0, Status::default());
        let world = self.handles.world;
        // SAFETY: places for an int and a status.
        let code = unsafe { (self.call.iprobe)(length(from)?, TAG, world, &raw mut there, &raw mut status) };
        self.checked("MPI_Iprobe", code)?;
        if there == 0 {
            return Ok(None);
        }
        // SAFETY: the status was filled by the probe.
        let code = unsafe { (self.call.get_count)(&raw const status, self.handles.byte, &raw mut count) };
        self.checked("MPI_Get_count", code)?;
        let bytes = vec![0; usize::try_from(count).unwrap_or(0)];
        let mut pending = self.pending([Vec::new(), bytes], [Vec::new(), Vec::new()]);
        // SAFETY: room for the message that the probe saw, which is the next one of that rank, since only this thread receives; it stays
        // until the request is done, or for ever.
        let code = unsafe {
            let buffer = pending.lent[1].as_mut_ptr().cast();
            (self.call.irecv)(
                buffer,
                count,
                self.handles.byte,
                length(from)?,
                TAG,
                world,
                &raw mut pending.request,
            )
        };
        self.begun("MPI_Irecv", code, pending).map(Some)
    }

    /// Begins to gather what all ranks give, `counts` bytes of each.
    pub(crate) fn gather(&self, own: Vec<u8>, counts: &[usize]) -> Result<Pending<H>, CommError> {
        let sent = length(own.len())?;
        let whole: usize = counts.iter().sum();
        length(whole)?;
        let sizes = counts.iter().map(|&count| length(count)).collect::<Result<Vec<c_int>, CommError>>()?;
        let starts = sizes.iter().scan(0, |sum, size| {
            let start = *sum;
            *sum += size;
            Some(start)
        });
        let layout = [sizes.clone(), starts.collect()];
        let mut pending = self.pending([own, vec![0; whole]], layout);
        // SAFETY: all four buffers are as long as said (every rank gathered the counts before) and stay until the request is done, or for ever.
        let code = unsafe {
            let (byte, world) = (self.handles.byte, self.handles.world);
            let (from, to) = (pending.lent[0].as_ptr().cast(), pending.lent[1].as_mut_ptr().cast());
            let (sizes, starts) = (pending.layout[0].as_ptr(), pending.layout[1].as_ptr());
            (self.call.iallgatherv)(
                from,
                sent,
                byte,
                to,
                sizes,
                starts,
                byte,
                world,
                &raw mut pending.request,
            )
        };
        self.begun("MPI_Iallgatherv", code, pending)
    }

    /// Whether it is done.
    pub(crate) fn is_done(&self, pending: &mut Pending<H>) -> Result<bool, CommError> {
        if !pending.done {
            let (mut flag, mut status) = (0, Status::default());
            // SAFETY: a request that was begun and is not done yet; places for an int and a status.
            let code = unsafe { (self.call.test)(&raw mut pending.request, &raw mut flag, &raw mut status) };
            self.checked("MPI_Test", code)?;
            pending.done = flag != 0;
        }
        Ok(pending.done)
    }

    /// Ends MPI; the process may go on.
    pub(crate) fn finalize(&self) {
        // SAFETY: started, and not used after this: the caller is being dropped.
        let _ = unsafe { (self.call.finalize)() };
    }

    /// Ends all ranks, this one too.
    pub(crate) fn abort(&self) {
        // SAFETY: allowed at any time after the start.
        let _ = unsafe { (self.call.abort)(self.handles.world, 2) };
    }

    /// The library's name and version.
    pub(crate) fn version(&self) -> String {
        // SAFETY: the text fits the buffer.
        text(|buffer, length| unsafe { (self.call.version)(buffer, length) })
    }

    fn pending(&self, mut lent: [Vec<u8>; 2], layout: [Vec<c_int>; 2]) -> Pending<H> {
        // An empty vector points to address 1, which is MPI_IN_PLACE to Open MPI: every buffer gets a real address.
        for buffer in &mut lent {
            buffer.reserve(1);
        }
        // Any handle serves as a place for the request: the library overwrites it.
        Pending { request: self.handles.world, done: false, lent, layout }
    }

    fn begun(&self, call: &'static str, code: c_int, pending: Pending<H>) -> Result<Pending<H>, CommError> {
        self.checked(call, code).map(|()| pending)
    }

    fn checked(&self, call: &'static str, code: c_int) -> Result<(), CommError> {
        if code == SUCCESS {
            return Ok(());
        }
        // SAFETY: the text fits the buffer.
        let why = text(|buffer, length| unsafe { (self.call.error_string)(code, buffer, length) });
        Err(CommError::Transport { call, why })
    }
}

/// Numbers of MPI are ints.
fn length(count: usize) -> Result<c_int, CommError> {
    c_int::try_from(count).map_err(|_| CommError::TooLong { bytes: count, most: c_int::MAX as usize })
}

fn text(fill: impl FnOnce(*mut c_char, *mut c_int) -> c_int) -> String {
    let mut bytes = vec![0_u8; TEXT + 1];
    let mut length = 0;
    let _ = fill(bytes.as_mut_ptr().cast(), &raw mut length);
    bytes.truncate(usize::try_from(length).unwrap_or(0).min(TEXT));
    let all = String::from_utf8_lossy(&bytes);
    all.lines().next().unwrap_or_default().trim_end_matches('\0').trim().to_string()
}
