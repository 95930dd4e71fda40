//! Diagnostics of the driver about failures.

use super::Catalogue;
use crate::world::World;
use core::time::Duration;
use cuda_rt::checkpoint::{CustomStorage, Process};
use cuda_rt::coredump::{self, CoredumpFlags, CoredumpGuard};
use cuda_rt::error_log::{self, LogGuard, LogPosition};

fn guard(_: &World) -> LogGuard {
    error_log::on_message(|_, _| ()).unwrap()
}

fn position(_: &World) -> LogPosition {
    LogPosition::current().unwrap()
}

/// Checks that the position can still be read.
fn reads(position: &mut LogPosition, _: &World) {
    position.read().unwrap();
}

/// Returns a value without an operation of the driver.
fn stored(_: &World) -> CustomStorage {
    // SAFETY: null is allowed.
    unsafe { CustomStorage::from_raw(core::ptr::null()) }
}

fn coredump_guard(_: &World) -> CoredumpGuard {
    coredump::on_start(|_| ()).unwrap()
}

pub(super) fn add(c: &mut Catalogue) {
    c.of(guard, |_, _| ())
        .answers("LogGuard::as_raw; LogGuard: Debug", |guard, _| format!("{guard:?} {:?}", guard.as_raw()))
        .consumes("LogGuard::close", |guard, _| guard.close())
        .drops("LogGuard: Drop");
    c.of(position, reads)
        .answers(
            "LogPosition::{as_raw, from_raw}; LogPosition: {Clone, Debug, Drop, PartialEq}",
            |position, _| {
                assert_eq!(LogPosition::from_raw(position.as_raw()), position.clone());
                format!("{position:?}")
            },
        )
        .refuses("LogPosition::read", |position, _| position.read())
        .refuses("LogPosition::write", |position, _| position.write("/dev/null"));
    c.free()
        .refuses("LogPosition::current", |_, _| LogPosition::current())
        .refuses("error_log::on_message", |_, _| error_log::on_message(|_, _| ()))
        .refuses("error_log::read_all", |_, _| error_log::read_all())
        .refuses("error_log::write_all", |_, _| error_log::write_all("/dev/null"));
    c.of(stored, |_, _| ())
        .answers("CustomStorage::{devices, from_raw}; CustomStorage: {Debug, Drop}", |storage, _| {
            format!("{storage:?} {:?}", storage.devices())
        })
        // SAFETY: the driver is not called.
        .consumes("CustomStorage::complete", |storage, _| unsafe { storage.complete() });
    c.of(coredump_guard, |_, _| ())
        .answers("CoredumpGuard::as_raw; CoredumpGuard: Debug", |guard, _| {
            format!("{guard:?} {:?}", guard.as_raw())
        })
        .consumes("CoredumpGuard::close", |guard, _| guard.close())
        .drops("CoredumpGuard: Drop");
    c.free()
        .refuses("coredump::on_start", |_, _| coredump::on_start(|_| ()))
        .refuses("coredump::on_complete", |_, _| coredump::on_complete(|_| ()))
        .answers("coredump::global; Context::coredump_settings", |_, w| {
            format!("{:?} {:?}", coredump::global(), w.context.coredump_settings())
        })
        .refuses("CoredumpSettings::is_enabled", |_, _| coredump::global().is_enabled())
        .refuses("CoredumpSettings::set_enabled", |_, w| w.context.coredump_settings().set_enabled(true))
        .refuses("CoredumpSettings::flags", |_, w| w.context.coredump_settings().flags())
        .refuses("CoredumpSettings::set_flags", |_, _| {
            coredump::global().set_flags(CoredumpFlags::LIGHTWEIGHT)
        })
        .refuses("CoredumpSettings::aborts_process", |_, _| coredump::global().aborts_process())
        .refuses("CoredumpSettings::set_aborts_process", |_, _| coredump::global().set_aborts_process(true))
        .refuses("CoredumpSettings::is_lightweight", |_, _| coredump::global().is_lightweight())
        .refuses("CoredumpSettings::set_lightweight", |_, _| coredump::global().set_lightweight(true))
        .refuses("CoredumpSettings::has_user_trigger", |_, _| coredump::global().has_user_trigger())
        .refuses("CoredumpSettings::set_user_trigger", |_, _| coredump::global().set_user_trigger(true))
        .refuses("CoredumpSettings::file", |_, w| w.context.coredump_settings().file())
        .refuses("CoredumpSettings::set_file", |_, _| coredump::global().set_file("file"))
        .refuses("CoredumpSettings::pipe", |_, _| coredump::global().pipe())
        .refuses("CoredumpSettings::set_pipe", |_, _| coredump::global().set_pipe("pipe"))
        .answers("Process::{from_id, current}", |_, _| {
            std::collections::HashSet::from([Process::from_id(1), Process::current()])
        })
        .refuses("Process::state", |_, _| Process::current().state())
        .refuses("Process::restore_thread_id", |_, _| Process::current().restore_thread_id())
        .refuses("Process::lock", |_, _| Process::current().lock(Some(Duration::from_secs(1))))
        .refuses("Process::checkpoint", |_, _| {
            // SAFETY: the call is refused.
            unsafe { Process::current().checkpoint() }
        })
        .refuses("Process::restore", |_, _| {
            // SAFETY: the call is refused.
            unsafe { Process::current().restore(&[]) }
        })
        .refuses("Process::unlock", |_, _| Process::current().unlock())
        .refuses("Process::checkpoint_to_custom_storage", |_, _| {
            Process::from_id(1).checkpoint_to_custom_storage()
        })
        .refuses("Process::restore_from_custom_storage", |_, _| {
            Process::from_id(1).restore_from_custom_storage(&[])
        });
}
