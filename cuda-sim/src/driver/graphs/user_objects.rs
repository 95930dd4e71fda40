//! User objects of the program, which are destroyed when nothing refers to them any more.
//!
//! The program, graphs, executables and launches hold references. The destructor runs in the call that released the
//! last reference, before that call returns. If the end of a launch released it, the destructor runs on a thread of the
//! driver. It must not call the driver.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::queues::host_function::HostWork;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_uint, c_void};
use cuda_sys::{
    CUgraph, CUhostFn, CUresult, CUuserObject, CUuserObject_flags_enum as Flags,
    CUuserObjectRetain_flags_enum as RetainFlags,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// User object of the program.
pub(crate) struct UserObject {
    /// Number of references. Negative if more were released than existed: then the object is never destroyed
    /// (measured).
    count: i64,
    destructor: HostWork,
}

/// References to a user object.
pub(crate) type Held = (Handle, u32);

/// Thread on which a destructor runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DestroyedBy {
    /// Call in progress.
    Caller,
    Driver,
}

impl State {
    /// Returns the object that a program names. Hardware accepts a destroyed one.
    fn user_object(&mut self, object: CUuserObject) -> Answer<&mut UserObject> {
        self.user_objects.get_mut(Handle::of(object)).ok_or(INVALID)
    }

    /// Adds references to objects.
    pub(crate) fn retain_objects(&mut self, held: &[Held]) {
        for (object, count) in held {
            if let Some(object) = self.user_objects.get_mut(*object) {
                object.count += i64::from(*count);
            }
        }
    }

    /// Releases references to objects.
    pub(crate) fn release_objects(&mut self, held: &[Held], by: DestroyedBy) {
        for (handle, count) in held {
            let Some(object) = self.user_objects.get_mut(*handle) else { continue };
            object.count -= i64::from(*count);
            if object.count != 0 {
                continue;
            }
            let Some(object) = self.user_objects.remove(*handle) else { continue };
            let destructor = object.destructor;
            match by {
                DestroyedBy::Caller => self.destructors.push(destructor),
                DestroyedBy::Driver => {
                    // No operation ends with the destructor.
                    self.host_calls.push(0, Handle::NULL, destructor.call());
                }
            }
        }
    }

    /// Returns one reference to each object that a graph and the graphs inside it hold.
    pub(crate) fn objects_of_graph(&self, graph: Handle) -> Vec<Held> {
        let (mut objects, mut open) = (Vec::new(), vec![graph]);
        while let Some(graph) = open.pop().and_then(|graph| self.graphs.get(graph)) {
            objects.extend(graph.objects.iter().map(|(object, _)| (*object, 1)));
            let nodes = graph.nodes.iter().filter_map(|node| self.nodes.get(*node));
            open.extend(nodes.flat_map(|node| node.operation.inner_graphs()));
        }
        objects
    }
}

/// Checks a number of references.
fn check_count(count: c_uint) -> Answer {
    if count == 0 || count > i32::MAX as u32 { Err(INVALID) } else { Ok(()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    to: *mut CUuserObject,
    data: *mut c_void,
    destructor: CUhostFn,
    count: c_uint,
    flags: c_uint,
) -> Answer {
    check_out(to)?;
    let function = destructor.ok_or(INVALID)?;
    // The only existing flag is required. A count that is too large is not refused here (measured).
    if flags != Flags::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC.0 || count == 0 {
        return Err(INVALID);
    }
    let destructor = HostWork { function, data };
    let object = call.state.user_objects.insert(UserObject { count: count.into(), destructor });
    // SAFETY: the program's promise.
    unsafe { put(to, object.pointer()) }
}

pub(crate) fn retain(call: &mut Call<'_>, object: CUuserObject, count: c_uint) -> Answer {
    check_count(count)?;
    call.state.user_object(object)?.count += i64::from(count);
    Ok(())
}

pub(crate) fn release(call: &mut Call<'_>, object: CUuserObject, count: c_uint) -> Answer {
    check_count(count)?;
    call.state.user_object(object)?;
    call.state.release_objects(&[(Handle::of(object), count)], DestroyedBy::Caller);
    Ok(())
}

/// Adds references of a graph: new ones, or those of the program. The number of the program's references is not checked
/// (measured).
pub(crate) fn retain_by_graph(
    call: &mut Call<'_>,
    graph: CUgraph,
    object: CUuserObject,
    count: c_uint,
    flags: c_uint,
) -> Answer {
    check_count(count)?;
    let moves = match RetainFlags(flags) {
        RetainFlags(0) => false,
        RetainFlags::CU_GRAPH_USER_OBJECT_MOVE => true,
        _ => return Err(INVALID),
    };
    call.state.graph(graph)?;
    let found = call.state.user_object(object)?;
    if !moves {
        found.count += i64::from(count);
    }
    let object = Handle::of(object);
    let Some(graph) = call.state.graphs.get_mut(Handle::of(graph)) else { return Err(INVALID) };
    match graph.objects.iter_mut().find(|(held, _)| *held == object) {
        Some((_, held)) => *held = held.saturating_add(count),
        None => graph.objects.push((object, count)),
    }
    Ok(())
}

/// Releases references of a graph. The number of the graph's references is not checked (measured).
pub(crate) fn release_by_graph(
    call: &mut Call<'_>,
    graph: CUgraph,
    object: CUuserObject,
    count: c_uint,
) -> Answer {
    check_count(count)?;
    call.state.graph(graph)?;
    call.state.user_object(object)?;
    let object = Handle::of(object);
    let Some(graph) = call.state.graphs.get_mut(Handle::of(graph)) else { return Err(INVALID) };
    if let Some((_, held)) = graph.objects.iter_mut().find(|(held, _)| *held == object) {
        *held = held.saturating_sub(count);
    }
    graph.objects.retain(|(_, held)| *held > 0);
    call.state.release_objects(&[(object, count)], DestroyedBy::Caller);
    Ok(())
}
