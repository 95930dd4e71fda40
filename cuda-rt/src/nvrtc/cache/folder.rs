//! Folder of a cache, and its files: only those that this user, or the administrator, can have written.

use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Prefix and suffix of the random letters in the name of a file that is being written.
const PART: (&str, &str) = (".", ".nvrtc.part");
const PART_LETTERS: usize = 6;
/// No process takes so long to write a file.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Number of further attempts to replace a file that another process reads.
const REPLACE_TRIES: u32 = 100;

/// An existing, trusted folder.
pub(super) struct Folder {
    path: PathBuf,
    /// Handle of the checked folder, in which files are opened, whatever becomes of the path.
    #[cfg(unix)]
    handle: std::fs::File,
}

/// Reason why a folder is not used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Closed {
    #[error(transparent)]
    Error(#[from] Error),
    /// Other users can have written its content.
    #[cfg_attr(not(unix), expect(dead_code, reason = "rights are not looked at"))]
    #[error("{0}")]
    Untrusted(String),
}

/// Content of a file's place.
pub(super) enum File {
    Content(Vec<u8>),
    /// No file, or a file that cannot be read or that other users can have written.
    Unusable,
    Nothing,
}

impl Folder {
    /// Opens the folder. Creates it for this user alone if it does not exist.
    pub(super) fn make(path: &Path) -> Result<Folder, Closed> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)?;
        Folder::open(path)
    }

    #[cfg(unix)]
    pub(super) fn open(path: &Path) -> Result<Folder, Closed> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // The current folder has no name.
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let handle = std::fs::File::from(rustix::fs::open(named, flags, Mode::empty()).map_err(Error::from)?);
        match who_else(&handle.metadata()?) {
            Some(who) => Err(Closed::Untrusted(who)),
            None => Ok(Folder { path: path.to_owned(), handle }),
        }
    }

    /// Opens the folder. New folders belong to the user alone.
    #[cfg(not(unix))]
    pub(super) fn open(path: &Path) -> Result<Folder, Closed> {
        std::fs::read_dir(path)?;
        Ok(Folder { path: path.to_owned() })
    }

    #[cfg(unix)]
    fn open_file(&self, name: &str) -> Result<std::fs::File, Error> {
        use rustix::fs::{Mode, OFlags};
        // A link may lead to files that other users wrote, and a pipe would wait for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.handle, name, flags, Mode::empty())?.into())
    }

    #[cfg(not(unix))]
    fn open_file(&self, name: &str) -> Result<std::fs::File, Error> {
        std::fs::File::open(self.path.join(name))
    }

    /// Reads a file.
    pub(super) fn read(&self, name: &str) -> File {
        let mut file = match self.open_file(name) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return File::Nothing,
            Err(_) => return File::Unusable,
        };
        let mut content = Vec::new();
        if file.metadata().is_ok_and(|file| is_trusted(&file)) && file.read_to_end(&mut content).is_ok() {
            File::Content(content)
        } else {
            File::Unusable
        }
    }

    /// Writes a file atomically, for this user alone.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> Result<(), Closed> {
        self.remove_abandoned();
        let mut builder = tempfile::Builder::new();
        builder.prefix(PART.0).suffix(PART.1).rand_bytes(PART_LETTERS);
        // The temporary file is removed if anything fails.
        let mut file = builder.tempfile_in(&self.path)?;
        file.write_all(content)?;
        Ok(replace(file, &self.path.join(name))?)
    }

    /// Removes the files of processes that ended while they wrote.
    fn remove_abandoned(&self) {
        let Ok(entries) = std::fs::read_dir(&self.path) else { return };
        for entry in entries.flatten().filter(|entry| is_part(&entry.file_name())) {
            let Ok(file) = entry.metadata() else { continue };
            let age = file.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
            if file.is_file() && age.is_some_and(|age| age > ABANDONED) {
                // Another process may have been faster.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Moves a file to its place.
fn replace(mut file: tempfile::NamedTempFile, path: &Path) -> Result<(), Error> {
    let mut left = REPLACE_TRIES;
    loop {
        match file.persist(path) {
            // Windows does not replace a file while another process reads it.
            Err(error) if cfg!(windows) && error.error.kind() == ErrorKind::PermissionDenied && left > 0 => {
                left -= 1;
                file = error.file;
                std::thread::sleep(Duration::from_millis(1));
            }
            persisted => return persisted.map(drop).map_err(|error| error.error),
        }
    }
}

fn is_part(name: &std::ffi::OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let letters = name.strip_prefix(PART.0.as_bytes()).and_then(|name| name.strip_suffix(PART.1.as_bytes()));
    letters
        .is_some_and(|letters| letters.len() == PART_LETTERS && letters.iter().all(u8::is_ascii_alphanumeric))
}

/// Describes the other users that can have written a file or folder; `None` if there are none.
#[cfg(unix)]
fn who_else(what: &std::fs::Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    if ![user, 0].contains(&what.uid()) {
        return Some(format!("user {} owns it, and this process is of user {user}", what.uid()));
    }
    // Access lists for other users appear among the rights of the group.
    let mode = what.mode() & 0o7777;
    (mode & 0o022 != 0).then(|| format!("others than its owner can write into it: its mode is {mode:o}"))
}

#[cfg(unix)]
fn is_trusted(file: &std::fs::Metadata) -> bool {
    file.is_file() && who_else(file).is_none()
}

#[cfg(not(unix))]
fn is_trusted(file: &std::fs::Metadata) -> bool {
    file.is_file()
}
