//! Owners of the cache's folder, and files in it that are no entries.

use crate::cache::{entries, folder, in_folder, outcome};
use cuda_rt::nvrtc::{CacheOutcome, Program};
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A program, and the file of its entry.
fn stored(folder: &Path) -> (Program, PathBuf) {
    let program = in_folder(folder);
    assert_eq!(outcome(&program), CacheOutcome::Stored);
    (program, entries(folder).remove(0))
}

#[test]
fn a_folder_that_others_can_write_into_is_not_used() {
    let folder = folder();
    let refused = |program: &Program, reason: &str| match outcome(program) {
        CacheOutcome::Failed(said) => {
            assert_eq!(*said, format!("{}: {reason}", folder.path().display()));
        }
        other => panic!("{other}"),
    };
    let (program, path) = stored(folder.path());
    let other = in_folder(folder.path()).name("other.cu");
    for mode in [0o777, 0o1777, 0o770, 0o702] {
        set_mode(folder.path(), mode);
        let reason = format!("others than its owner can write into it: its mode is {mode:o}");
        refused(&program, &reason);
        refused(&other, &reason);
    }
    assert_eq!(entries(folder.path()), [path], "nothing was written either");
    set_mode(folder.path(), 0o755);
    assert_eq!(outcome(&program), CacheOutcome::Found, "that others read it does no harm");
    if chown(folder.path(), Some(65534), None).is_ok() {
        refused(&program, "user 65534 owns it, and this process is of user 0");
    }
}

#[test]
fn a_link_leads_to_a_folder_and_not_to_an_entry() {
    let (folder, elsewhere) = (folder(), folder());
    let (program, path) = stored(folder.path());
    let target = elsewhere.path().join("downloaded");
    std::fs::rename(&path, &target).unwrap();
    symlink(&target, &path).unwrap();
    assert_eq!(outcome(&program), CacheOutcome::Replaced);
    assert!(path.symlink_metadata().unwrap().is_file());
    assert!(target.exists());
    assert_eq!(outcome(&program), CacheOutcome::Found);
    let link = elsewhere.path().join("link");
    symlink(folder.path(), &link).unwrap();
    assert_eq!(outcome(&in_folder(&link)), CacheOutcome::Found);
    // The folder that the link leads to counts.
    set_mode(folder.path(), 0o777);
    assert!(matches!(outcome(&in_folder(&link)), CacheOutcome::Failed(_)));
}

#[test]
fn pipe_in_place_of_a_cache_entry_does_not_block() {
    let folder = folder();
    let (_, path) = stored(folder.path());
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (sender, receiver) = mpsc::channel();
    let place = folder.path().to_owned();
    std::thread::spawn(move || sender.send(outcome(&in_folder(&place))));
    let outcome = receiver.recv_timeout(Duration::from_secs(60));
    assert_eq!(outcome.expect("it waits for a writer of the pipe"), CacheOutcome::Replaced);
    assert!(path.symlink_metadata().unwrap().is_file());
}

#[test]
fn files_of_ended_processes_are_removed() {
    let folder = folder();
    let minutes = |count: u64| SystemTime::now() - Duration::from_secs(60 * count);
    let make = |name: &str, time: SystemTime| {
        let path = folder.path().join(name);
        std::fs::File::create(&path).unwrap().set_modified(time).unwrap();
        path
    };
    let old = make(".abc123.nvrtc.part", minutes(70));
    let mut kept = vec![
        make(".abc124.nvrtc.part", minutes(50)),   // may be written to
        make(".download.nvrtc.part", minutes(70)), // of another program
        make(".abc123.part", minutes(70)),
        make("abc1234.nvrtc.part", minutes(70)),
        make(".abc125.nvrtc.part", minutes(0) + Duration::from_secs(7200)),
    ];
    let below = folder.path().join(".abc126.nvrtc.part");
    std::fs::create_dir(&below).unwrap();
    kept.push(below);
    assert_eq!(outcome(&in_folder(folder.path())), CacheOutcome::Stored);
    assert!(!old.exists());
    assert!(kept.iter().all(|path| path.exists()), "{:?}", entries(folder.path()));
    assert_eq!(entries(folder.path()).len(), kept.len() + 1);
}
