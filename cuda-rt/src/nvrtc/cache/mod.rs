//! Cache of compiled programs.

mod entry;
mod files;
mod folder;
mod includes;
mod key;
mod pasting;
mod reading;

use super::program::Text;
use super::{Compiled, Program, Target};
use core::fmt;
use cuda_sys::nvrtc::{Library, Version};
use entry::Found;
use files::Stamp;
use folder::{Closed, Folder};
use key::Key;
use std::path::{Path, PathBuf};

/// Environment variable with the folder of [`Cache::user`].
const FOLDER: &str = "CUDA_RT_NVRTC_CACHE_DIR";
/// Environment variable that disables all caches.
const DISABLE: &str = "CUDA_RT_NVRTC_CACHE_DISABLE";

/// Cache of compiled programs.
///
/// The key of an entry consists of the text of the program and of all its headers, its name, its options and its name
/// expressions. The release of the compiler and the target are also part of the key. Under Linux, the size and the
/// modification time of the compiler's file are part of it too: another build of the same release has other entries. With line
/// information, the current directory is also part of the key. Only programs that compiled are stored, with their logs.
///
/// ```
/// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{Cache, CacheOutcome, Program, Target};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// let program = Program::new("extern \"C\" __global__ void nothing() {}").cache(Cache::in_folder(folder));
/// let compiled = program.compile(Target::ptx(ComputeCapability::new(8, 0)))?;
/// # if std::env::var_os("CUDA_RT_NVRTC_CACHE_DISABLE").is_some() { return Ok(()) }
/// assert_eq!(*compiled.cache_outcome(), CacheOutcome::Stored);
/// let again = program.compile(Target::ptx(ComputeCapability::new(8, 0)))?;
/// assert_eq!(*again.cache_outcome(), CacheOutcome::Found);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Files that a program includes
///
/// The key includes the contents of all included files, also of indirectly included ones: a changed header is noticed. NVRTC does
/// not report the files that it reads, so this crate determines them from the texts. If an include cannot be determined, for
/// example because a name is a macro, the program is not cached. [`Program::trust_includes`] caches it nevertheless. Comments and
/// strings count as text: a directive in them is followed, too. If it begins a line and cannot be determined, the program is not
/// cached.
///
/// If an included file changed while the program was compiled, the result is not stored ([`Uncached::Changed`]). The next
/// compilation stores the program. The paths and contents of the files before and after the compilation are compared. Outside
/// Unix nothing else is compared, so a change that was undone in between is not noticed.
///
/// Under Unix, device, inode, length and both times of each file are also compared. So a change is noticed even if the contents
/// at the end are the same as before. A folder that was searched in vain is compared in the same way: a file may have existed in
/// it only meanwhile. So any new, renamed or removed file in such a folder counts as a change. Two cases are not noticed if the
/// state at the end is the same as before:
///
/// - The changes and the last change before them are so close together that the file system gives them the same time.
///   File systems under Linux count in steps of a few milliseconds, FAT in steps of 2 seconds.
/// - A folder, or a link to a folder, was replaced meanwhile, and the content of the original folder did not change. The same
///   holds for a link that another link leads to.
///
/// Under Unix a process reads and digests each file once. It keeps the results, up to 8 MiB in all, and recognises a file by
/// device, inode, length, modification time and change time. A file whose times are less than a minute old is read at every
/// lookup: a second change could leave its times the same. The folders are searched at every lookup. A change is missed if the
/// length and both times stay the same. This requires a file system without change times, or a program that writes through a
/// shared memory mapping. On other systems, every lookup reads all files.
///
/// A program is also not cached in the following cases:
///
/// - `__DATE__`, `__TIME__` or `__TIMESTAMP__` occurs in its texts, name expressions or options.
/// - The option [`debug`](super::CompileOptions::debug) is set.
/// - [Another option](super::CompileOptions::raw) makes the compiler read or write files.
///
/// # On disk
///
/// An entry is written to a new file, which then replaces the old one atomically. Processes may share a folder; the last to
/// compile wins. Folders and files are created for this user alone. A damaged entry is ignored, and a new one replaces it. The
/// same holds for an entry that is a link or a pipe, or that users other than this user and the system's administrator can
/// write. A folder with the name of an entry cannot be replaced: the outcome is [`CacheOutcome::Failed`]. Entries are never
/// removed: the folder may be deleted at any time. When an entry is stored, files of processes that ended while they wrote are
/// removed if they are an hour old.
///
/// # Trust
///
/// A cached program is loaded as if the compiler had just made it. This includes machine code, which the driver does not check.
/// So a user who can put files into the folder can do as much as this process. Under Unix the folder is checked each time. It
/// must belong to this user or to the system's administrator, and its mode must let only its owner write into it. A folder into
/// which its group can write, such as one created under the umask `002`, is refused: the group's members are not
/// looked up. If the folder is refused, nothing is read from it or written to it, and the outcome is [`CacheOutcome::Failed`]. A
/// folder may be reached by a symbolic link, an entry may not.
///
/// Under Windows access lists are not checked. `%LOCALAPPDATA%` belongs to its user. Do not name another folder that other users
/// can write to.
///
/// This user's own programs remain. Entries have a digest against damage, not against forgery: a program that writes files in
/// this user's name can forge an entry. This process is one of them, even without `unsafe`. The system trusts a user's files
/// anyway: the same program can change this one's executable, or write to `/proc/self/mem`, and nothing in this process can
/// prevent that. Do not name a folder to which downloads or other untrusted data are written.
///
/// # Environment
///
/// `CUDA_RT_NVRTC_CACHE_DIR` sets the folder of [`Cache::user`]. If `CUDA_RT_NVRTC_CACHE_DISABLE` is set to anything but an empty
/// text or `0`, all caches are disabled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cache(Place);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    User,
    Folder(PathBuf),
    Off,
}

/// The action of the cache for a compiled program.
///
/// ```
/// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{Cache, CacheOutcome, Program, Target};
///
/// let compiled = Program::new("").cache(Cache::off()).compile(Target::ptx(ComputeCapability::new(8, 0)))?;
/// assert_eq!(compiled.cache_outcome().to_string(), "the cache is off");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheOutcome {
    /// Disabled cache.
    Off,
    /// Program that cannot be cached.
    Uncached(Uncached),
    /// Entry found; nothing was compiled.
    Found,
    /// No entry found; the program was compiled and stored.
    Stored,
    /// Unusable entry, which was replaced.
    Replaced,
    /// Failure to store the program, with the reason: for example, the folder is read-only, or other users can write into it.
    Failed(Box<str>),
}

/// Reason why a program is not cached.
///
/// ```
/// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{Cache, CacheOutcome, CompileOptions, Program, Target, Uncached};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// let program = Program::new("").options(CompileOptions::new().debug(true)).cache(Cache::in_folder(folder));
/// let compiled = program.compile(Target::ptx(ComputeCapability::new(8, 0)))?;
/// # if std::env::var_os("CUDA_RT_NVRTC_CACHE_DISABLE").is_some() { return Ok(()) }
/// assert_eq!(*compiled.cache_outcome(), CacheOutcome::Uncached(Uncached::Debug));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Uncached {
    /// Program for a debugger.
    Debug,
    /// Option that reads or writes files that this crate cannot determine.
    Option(Box<str>),
    /// Include that the text does not determine: the line, or the file.
    Include(Box<str>),
    /// Name that stands for the date or the time.
    Clock(Box<str>),
    /// Included file that [changed](Cache#files-that-a-program-includes) or appeared while the program was compiled, even if only
    /// temporarily. A folder that was searched in vain counts too.
    Changed,
}

impl fmt::Display for CacheOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheOutcome::Off => formatter.write_str("the cache is off"),
            CacheOutcome::Uncached(reason) => write!(formatter, "not cached: {reason}"),
            CacheOutcome::Found => formatter.write_str("found in the cache"),
            CacheOutcome::Stored => formatter.write_str("stored in the cache"),
            CacheOutcome::Replaced => {
                formatter.write_str("stored in the cache, in place of an unusable entry")
            }
            CacheOutcome::Failed(reason) => write!(formatter, "could not be stored in the cache: {reason}"),
        }
    }
}

impl fmt::Display for Uncached {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncached::Debug => formatter.write_str("it is for a debugger"),
            Uncached::Option(option) => write!(formatter, "option {option} may read or write files"),
            Uncached::Include(text) => write!(formatter, "its included files cannot be determined: {text}"),
            Uncached::Clock(name) => write!(formatter, "it may depend on {name}"),
            Uncached::Changed => formatter
                .write_str("a file that it includes, or a folder searched for one, changed meanwhile"),
        }
    }
}

impl Cache {
    /// Returns the user's cache. Its folder is `cuda-rt/nvrtc` in the system's folder for caches (`$XDG_CACHE_HOME` or `~/.cache`
    /// under Linux, `%LOCALAPPDATA%` under Windows), or the folder that [`CUDA_RT_NVRTC_CACHE_DIR`](Cache#environment) names.
    ///
    /// # Examples
    ///
    /// ```
    /// if let Some(folder) = cuda_rt::nvrtc::Cache::user().folder() {
    ///     println!("{}", folder.display());
    /// }
    /// ```
    pub const fn user() -> Cache {
        Cache(Place::User)
    }

    /// Returns a cache in a folder, whatever [`CUDA_RT_NVRTC_CACHE_DIR`](Cache#environment) says. The folder is created at its
    /// first use. Its content is [trusted](Cache#trust).
    pub fn in_folder(folder: impl Into<PathBuf>) -> Cache {
        Cache(Place::Folder(folder.into()))
    }

    /// Returns a disabled cache.
    pub const fn off() -> Cache {
        Cache(Place::Off)
    }

    /// Returns the folder; `None` if the cache is disabled, by itself or by the [environment](Cache#environment), or if the
    /// system has no folder for caches.
    pub fn folder(&self) -> Option<PathBuf> {
        self.place().ok()
    }

    /// Returns the folder, or the outcome if there is none.
    fn place(&self) -> Result<PathBuf, CacheOutcome> {
        if std::env::var_os(DISABLE).is_some_and(|value| !value.is_empty() && value != "0") {
            return Err(CacheOutcome::Off);
        }
        match &self.0 {
            Place::Off => Err(CacheOutcome::Off),
            Place::Folder(folder) => Ok(folder.clone()),
            Place::User => match std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()) {
                Some(folder) => Ok(folder.into()),
                None => user_folder()
                    .ok_or_else(|| CacheOutcome::Failed("the user has no folder for caches".into())),
            },
        }
    }

    /// Looks up a program.
    pub(super) fn look_up(
        &self,
        program: &Program,
        target: Target,
        text: &Text,
        library: &'static Library,
        compiler: Version,
    ) -> Lookup {
        let folder = match self.place() {
            Ok(folder) => folder,
            Err(outcome) => return Lookup::Missed(Missed::Known(outcome)),
        };
        let (key, stamps) = match key::make(program, text, library, compiler) {
            Ok(made) => made,
            Err(reason) => return Lookup::Missed(Missed::Known(CacheOutcome::Uncached(reason))),
        };
        let found = match Folder::open(&folder) {
            Ok(open) => entry::read(&open, key, target, compiler),
            Err(closed @ Closed::Untrusted(_)) => {
                return Lookup::Missed(Missed::Known(failed(&folder, &closed)));
            }
            Err(Closed::Error(_)) => Found::Nothing,
        };
        let outcome = match found {
            Found::Entry(compiled) => return Lookup::Found(compiled.with_cache_outcome(CacheOutcome::Found)),
            Found::Unusable => CacheOutcome::Replaced,
            Found::Nothing => CacheOutcome::Stored,
        };
        Lookup::Missed(Missed::At { folder, key, stamps, outcome, library })
    }
}

fn failed(folder: &Path, reason: &impl fmt::Display) -> CacheOutcome {
    CacheOutcome::Failed(format!("{}: {reason}", folder.display()).into())
}

fn user_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.cache_dir().join("cuda-rt").join("nvrtc"))
}

/// Result of a lookup.
pub(super) enum Lookup {
    Found(Compiled),
    Missed(Missed),
}

/// Action after the compilation of a program.
pub(super) enum Missed {
    /// No action.
    Known(CacheOutcome),
    At {
        folder: PathBuf,
        key: Key,
        stamps: Vec<Option<Stamp>>,
        outcome: CacheOutcome,
        library: &'static Library,
    },
}

impl Missed {
    /// Stores the compiled program, if possible.
    pub(super) fn keep(self, program: &Program, text: &Text, compiled: Compiled) -> Compiled {
        let outcome = match self {
            Missed::Known(outcome) => outcome,
            Missed::At { folder, key, stamps, outcome, library } => {
                // The compiler may have read other files than those of the key, or files that did not exist before. They may be
                // gone again; the stamps show this.
                if key::make(program, text, library, compiled.compiler()) != Ok((key, stamps)) {
                    CacheOutcome::Uncached(Uncached::Changed)
                } else {
                    match entry::write(&folder, key, &compiled) {
                        Ok(()) => outcome,
                        Err(closed) => failed(&folder, &closed),
                    }
                }
            }
        };
        compiled.with_cache_outcome(outcome)
    }
}
