//! The driver itself: its state, and the path of every call.
//!
//! | folder | content |
//! |---|---|
//! | `entry_points` | the C functions, the exports of a release, installation |
//! | `machine` | machines, the lock, the path of a call, threads |
//! | `copies` | copies and fills |
//! | `graphics` | resources of graphics libraries, and the stand-in for OpenGL |
//! | `images` | arrays, texture and surface references and objects |
//! | `modules` | modules, libraries, the linker, functions, occupancy |
//! | `processes` | IPC, and the children of forks |
//! | `queues` | streams, events, launches, host functions, the order of work |
//! | `checks` | checks of kernels, and reports of their mistakes |
//! | `memory` | the heap, pools, page-locked, managed and virtual memory |
//! | `contexts` | devices, contexts, limits, peer access |
//! | `rules` | requirements, waits and codes of each function |
//! | `stream_order` | the order of operations of several streams, and their races |
//!
//! Each folder imports only folders below it in this table. `State` and `Call` are the exceptions: the state has objects of
//! every folder, and each folder adds methods to it.
//!
//! All state of a machine is behind one lock. Work is done in pieces while the lock is held. Two kernels or copies
//! therefore never run at the same time, and memory does not change while the engine uses it. Between two pieces the
//! lock is free for other threads.

mod call;
mod call_site;
mod checks;
mod contexts;
mod copies;
mod entry_points;
mod graphics;
mod graphs;
mod handles;
mod images;
mod machine;
mod memory;
mod modules;
mod operations;
mod processes;
mod queues;
mod rules;
mod state;
mod stream_order;

use call::{Answer, Body, Call, Continuation, ProgramCall, Waiting, check_out, put, put_if_wanted};
use machine::dispatch;
use state::State;

pub(crate) use entry_points::functions;
pub use entry_points::install::{InstallError, install, install_once, install_unless_gpu};
pub use entry_points::per_thread_default_stream::per_thread_entry_points;
pub use entry_points::resolve;
pub use entry_points::unbound_exports::not_simulated;
pub use entry_points::v1_entry_points::v1_entry_points;
pub(crate) use graphics::gl;
pub use machine::{Machine, MachineGuard};
#[cfg(feature = "nvrtc")]
pub(crate) use processes::lasting_strings::forever;
pub(crate) use queues::order::{OrderRecord, RecordedOp};
pub(crate) use queues::semaphore::SharedSemaphore;
pub use rules::{documented_codes, internal_errors};
