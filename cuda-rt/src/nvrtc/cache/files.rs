//! Files that programs include: their contents, kept for the process.
//!
//! A file is recognised by its device and inode, its length, and its modification and change times. Each lookup opens the file
//! and queries these through the handle. With a file server, this checks that the answer is current.
//!
//! After two changes in quick succession, a file may have the same times. So content is kept only if the times were
//! [old](SETTLED) when the file was read: every later change gives the file later times. Programs can set a modification time,
//! but not a change time. Outside Unix, files have no change time and are read at each lookup.

use super::reading::{self, Found};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{Error, Read};
use std::path::Path;
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

/// Age in seconds that a file's times must have when it is read. File systems round times to up to 2 seconds (FAT), and a file
/// server's clock may differ from this machine's.
const SETTLED: i64 = 60;

/// Limit of the kept memory, in bytes. All headers of a toolkit take a tenth of it.
const MOST_BYTES: usize = 8 << 20;

/// Content of a file, with the file's identity and state before it was read.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) stamp: Option<Stamp>,
    pub(super) digest: [u8; 32],
    pub(super) found: Arc<Found>,
}

impl Content {
    fn of(text: &[u8]) -> Content {
        let found = Arc::new(reading::read(text));
        Content { stamp: None, digest: Sha256::digest(text).into(), found }
    }

    /// Returns the approximate memory of the content.
    fn bytes(&self) -> usize {
        let name = |header: &reading::Header| size_of_val(header) + header.name.capacity();
        let headers: usize = self.found.headers.iter().map(name).sum();
        size_of::<(Inode, Content, Found)>()
            + headers
            + self.found.unclear.as_ref().map_or(0, String::capacity)
    }
}

/// Identity of a file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(not(unix), allow(dead_code))]
struct Inode {
    device: u64,
    number: u64,
}

/// The length of a file, and its times in seconds and nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
struct State {
    len: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl State {
    /// Returns whether every later change gives the file other times.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let last = self.modified.max(self.changed).0;
        i64::try_from(now).is_ok_and(|now| now.saturating_sub(last) > SETTLED)
    }
}

/// Identity and state of a file, a folder or a link. If two stamps are equal, it did not change in between, unless all changes
/// were in one step of the file system's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::nvrtc) struct Stamp {
    inode: Inode,
    state: State,
}

impl Stamp {
    #[cfg(unix)]
    pub(super) fn of(file: &Metadata) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let inode = Inode { device: file.dev(), number: file.ino() };
        let modified = (file.mtime(), file.mtime_nsec());
        let changed = (file.ctime(), file.ctime_nsec());
        Some(Stamp { inode, state: State { len: file.len(), modified, changed } })
    }

    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Option<Stamp> {
        None
    }
}

/// The files of the process.
pub(super) static FILES: Files = Files::new(MOST_BYTES);

#[derive(Debug)]
pub(super) struct Files {
    /// No thread waits for this lock: if it is locked, the file is read. In the child of a fork it may stay locked forever.
    known: RwLock<Known>,
    #[cfg(test)]
    test: tests::Probe,
}

#[derive(Debug)]
struct Known {
    contents: BTreeMap<Inode, Content>,
    bytes: usize,
    most_bytes: usize,
}

impl Files {
    pub(super) const fn new(most_bytes: usize) -> Files {
        Files {
            known: RwLock::new(Known { contents: BTreeMap::new(), bytes: 0, most_bytes }),
            #[cfg(test)]
            test: tests::Probe::new(),
        }
    }

    /// Returns the content of a file. Reads the file if its content is unknown. `now` is the current time, or an earlier one.
    pub(super) fn content(&self, path: &Path, now: SystemTime) -> Result<Content, Error> {
        let mut file = std::fs::File::open(path)?;
        let stamp = file.metadata().ok().and_then(|file| Stamp::of(&file));
        if let Some(content) = stamp.and_then(|stamp| self.known(stamp)) {
            return Ok(content);
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        #[cfg(test)]
        self.test.was_read();
        // The stamp was taken before the file was read: a change since then gave the file another stamp.
        let content = Content { stamp, ..Content::of(&text) };
        if let Some(stamp) = stamp
            && stamp.state.is_settled(now)
        {
            self.keep(stamp.inode, &content);
        }
        Ok(content)
    }

    fn known(&self, stamp: Stamp) -> Option<Content> {
        let known = self.known.try_read().ok()?;
        let content = known.contents.get(&stamp.inode)?;
        (content.stamp == Some(stamp)).then(|| content.clone())
    }

    fn keep(&self, inode: Inode, content: &Content) {
        let Ok(mut known) = self.known.try_write() else { return };
        let bytes = content.bytes();
        if known.bytes + bytes > known.most_bytes {
            known.contents.clear();
            known.bytes = 0;
        }
        if bytes <= known.most_bytes {
            let before = known.contents.insert(inode, content.clone());
            known.bytes += bytes;
            known.bytes -= before.map_or(0, |before| before.bytes());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    #[cfg(unix)]
    use super::*;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Mutex;
    #[cfg(unix)]
    use std::time::Duration;

    type Work = Box<dyn FnOnce() + Send>;

    /// Probe of a test: counts readings, and runs a closure after the next one.
    pub(in super::super) struct Probe {
        reads: AtomicUsize,
        meanwhile: Mutex<Option<Work>>,
    }

    impl core::fmt::Debug for Probe {
        fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            self.reads.fmt(formatter)
        }
    }

    impl Probe {
        pub(super) const fn new() -> Probe {
            Probe { reads: AtomicUsize::new(0), meanwhile: Mutex::new(None) }
        }

        pub(super) fn was_read(&self) {
            self.reads.fetch_add(1, Ordering::Relaxed);
            let work = self.meanwhile.lock().unwrap().take();
            work.into_iter().for_each(|work| work());
        }
    }

    #[cfg(unix)]
    impl Files {
        /// Returns the number of files read since the last call.
        pub(in super::super) fn reads(&self) -> usize {
            self.test.reads.swap(0, Ordering::Relaxed)
        }
    }

    /// Returns a time at which files that are written now are old.
    #[cfg(unix)]
    pub(in super::super) fn later() -> SystemTime {
        SystemTime::now() + Duration::from_secs(60 * 60)
    }

    /// Writes a file repeatedly until its change time differs.
    #[cfg(unix)]
    pub(in super::super) fn write(path: &Path, text: &str) {
        use std::os::unix::fs::MetadataExt;
        let changed = || path.metadata().ok().map(|file| (file.ctime(), file.ctime_nsec()));
        let before = changed();
        while changed() == before {
            std::fs::write(path, text).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_read_again_if_it_was_changed_recently() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        write(&path, "1");
        let files = Files::new(MOST_BYTES);
        let now = path.metadata().unwrap().modified().unwrap();
        for (seconds, reads) in
            [(0, 1), (SETTLED as u64, 1), (SETTLED as u64 + 2, 1), (SETTLED as u64 + 2, 0), (0, 0)]
        {
            files.content(&path, now + Duration::from_secs(seconds)).unwrap();
            assert_eq!(files.reads(), reads, "{seconds}");
        }
        // Times in the future are not old.
        let ahead = now + Duration::from_secs(24 * 60 * 60);
        std::fs::File::open(&path).unwrap().set_modified(ahead).unwrap();
        for _ in 0..2 {
            files.content(&path, later()).unwrap();
            assert_eq!(files.reads(), 1);
        }
        files.content(&path, SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(files.reads(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_change_is_noticed_however_it_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (a, b, link) = (path("a.h"), path("b.h"), path("link.h"));
        let files = Files::new(MOST_BYTES);
        let old = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
        let set_old = |path: &Path| std::fs::File::open(path).unwrap().set_modified(old).unwrap();
        let look = |path: &Path| {
            let found = files.content(path, later()).unwrap();
            assert_eq!(found.digest, Content::of(&std::fs::read(path).unwrap()).digest);
            files.reads()
        };
        let both = |path: &Path| (look(path), look(path));
        write(&a, "1");
        set_old(&a);
        assert_eq!(both(&a), (1, 0));
        // The same length, with the modification time restored.
        write(&a, "2");
        set_old(&a);
        assert_eq!(both(&a), (1, 0));
        // Another file in its place, of the same length and time.
        write(&b, "3");
        set_old(&b);
        std::fs::rename(&b, &a).unwrap();
        assert_eq!(both(&a), (1, 0));
        // The same file under other names is known.
        std::fs::hard_link(&a, &b).unwrap();
        look(&a); // the link has changed it
        assert_eq!(both(&b), (0, 0));
        std::os::unix::fs::symlink(&a, &link).unwrap();
        assert_eq!(both(&link), (0, 0));
        // A link that leads elsewhere.
        std::fs::remove_file(&b).unwrap();
        write(&b, "4");
        set_old(&b);
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(&b, &link).unwrap();
        assert_eq!(both(&link), (1, 0));
        std::fs::remove_file(&b).unwrap();
        assert!(files.content(&link, later()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_change_after_the_reading_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        write(&path, "1");
        let files = Files::new(MOST_BYTES);
        let changing = path.clone();
        *files.test.meanwhile.lock().unwrap() = Some(Box::new(move || write(&changing, "2")));
        let digests: Vec<_> = (0..3).map(|_| files.content(&path, later()).unwrap().digest).collect();
        assert_eq!(files.reads(), 2);
        assert_eq!(digests, [b"1", b"2", b"2"].map(|text| Content::of(text).digest));
    }

    #[cfg(unix)]
    #[test]
    fn memory_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let most = 64 << 10;
        let files = Files::new(most);
        let look = |number: usize, text: &str| {
            let path = folder.path().join(format!("{number}.h"));
            write(&path, text);
            for _ in 0..2 {
                files.content(&path, later()).unwrap();
            }
            let known = files.known.read().unwrap();
            let bytes: usize = known.contents.values().map(Content::bytes).sum();
            assert_eq!(bytes, known.bytes);
            assert!(bytes <= most, "{bytes}");
        };
        let names = |count: usize| "#include <a_name_of_some_length.h>\n".repeat(count);
        for number in 0..100 {
            look(number, &names(number));
            look(0, &names(number % 7));
        }
        files.reads();
        look(200, &names(1));
        assert_eq!(files.reads(), 1);
        look(201, &names(most / 20));
        assert_eq!(files.reads(), 2, "it is too much to be kept");
    }

    #[cfg(unix)]
    #[test]
    fn a_locked_memory_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        write(&path, "1");
        let files = Files::new(MOST_BYTES);
        files.content(&path, later()).unwrap();
        let locked = files.known.write().unwrap();
        files.content(&path, later()).unwrap();
        drop(locked);
        assert_eq!(files.reads(), 2);
        files.content(&path, later()).unwrap();
        assert_eq!(files.reads(), 0);
    }
}
