//! Keeping what was compiled for the next time.

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

/// The environment variable that names the folder of [`Cache::user`].
const FOLDER: &str = "CUDA_RT_NVRTC_CACHE_DIR";
/// The environment variable that turns all caches off.
const DISABLE: &str = "CUDA_RT_NVRTC_CACHE_DISABLE";

/// Where what was compiled is kept.
///
/// An entry is found again by the text of the program and of all its headers, its name, options and name expressions,
/// the release and the file of the compiler, what is compiled to, and for which device. Only what compiled is kept,
/// with its log.
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
/// They are part of what an entry is found by, with all that they include in turn: a header that changed since is noticed. NVRTC
/// does not say which files it reads, so this is told from the texts. A program is not cached if one of them includes what cannot
/// be told so, a name that is a macro for example. [`Program::trust_includes`] caches it nevertheless. Comments and strings count
/// as text: a directive in them is followed too, and may be one that cannot be told if it begins a line.
///
/// Nothing is stored if a file changed while the program was compiled, even if it is as before when that ends. Contents are
/// compared, and under Unix also device, inode, length and both times of each file. A folder that was searched in vain is
/// compared by the same: a file may have been in it only meanwhile. So any new, renamed or removed file in such a folder
/// counts as a change ([`Uncached::Changed`]), and the next compilation stores the program. Two cases are not noticed if all
/// is as before at the end:
///
/// - The changes come so soon after one another, and after the last change before, that the file system gives them the same
///   time. File systems under Linux count in steps of a few milliseconds, FAT in steps of 2 seconds.
/// - A folder, or a link to a folder, was another one meanwhile, and what was in it did not change. The same is true of a
///   link that another link leads to.
///
/// Under Unix a process reads and digests each file once. It keeps what it found, up to 8 MiB in all, and recognises the
/// file by device, inode, length, modification time and change time. A file whose times are less than a minute old is
/// read at every lookup: a second change could leave its times as they are. The folders are searched at every lookup. A
/// change is missed if it leaves the length and both times as they were. That takes a file system that keeps no change
/// times, or a program that writes through a shared memory mapping. Elsewhere than under Unix, every lookup reads all
/// files.
///
/// A program is not cached either if `__DATE__`, `__TIME__` or `__TIMESTAMP__` stands anywhere in its texts, name
/// expressions or options, or with [`debug`](super::CompileOptions::debug), or with
/// [other options](super::CompileOptions::raw) that make the compiler read or write files.
///
/// # On disk
///
/// An entry is written to a file of its own, which then takes its place at once; processes may share a folder, and the
/// last to compile wins. Folders and files are made for this user alone. An entry that is damaged, or that is anything
/// but a file which this user alone, or the system's administrator, can write, is not used, and replaced. Nothing
/// removes entries: the folder may be deleted at any time. Files of processes that ended while they wrote are removed
/// after an hour, when something is stored.
///
/// # Trust
///
/// What is found is loaded as if the compiler had just made it, machine code too, which the driver does not check. So
/// whoever can put files into the folder can do as much as this process. Under Unix the folder is looked at each time:
/// if it is neither this user's nor the system's administrator's, or if its mode lets others write into it, nothing is
/// read of it or written into it ([`CacheOutcome::Failed`] says so). A folder may be reached by a symbolic link, an
/// entry may not.
///
/// Under Windows access lists are not looked at. `%LOCALAPPDATA%` belongs to its user. Name no other folder that other users can
/// write to.
///
/// That leaves this user's own programs. Entries have a digest against damage, not against forgery: a program that
/// writes files in this user's name can forge one, this process among them, and without `unsafe`. That is the trust
/// which the system has in a user's files anyway: the same program can change this one's executable, or write to
/// `/proc/self/mem`, and no wall inside this process changes that. Name no folder that downloads or other data which is
/// not trusted are written to.
///
/// # Environment
///
/// `CUDA_RT_NVRTC_CACHE_DIR` names the folder of [`Cache::user`]. `CUDA_RT_NVRTC_CACHE_DISABLE`, set to anything but
/// nothing and `0`, turns all caches off.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cache(Place);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    User,
    Folder(PathBuf),
    Off,
}

/// What the cache had to do with something that was compiled.
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
    /// Nothing: it is off.
    Off,
    /// Nothing: this program cannot be cached.
    Uncached(Uncached),
    /// It was in there. Nothing was compiled.
    Found,
    /// It was not in there, and is now.
    Stored,
    /// What was in there could not be used, and has been replaced.
    Replaced,
    /// It could not be kept, for this reason: the folder cannot be written to, for example, or others can write into it.
    Failed(Box<str>),
}

/// Why a program is not cached.
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
    /// It is for a debugger.
    Debug,
    /// It has this option, which reads or writes files that this crate cannot tell.
    Option(Box<str>),
    /// It includes what cannot be told from its text: this line says it, or this file.
    Include(Box<str>),
    /// It may depend on the date or the time: this name stands for it.
    Clock(Box<str>),
    /// A file that it includes [changed](Cache#files-that-a-program-includes) while it was compiled, or appeared, even if
    /// only for a time. A folder in which a file was looked for in vain counts too.
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
                formatter.write_str("stored in the cache, in the place of something unusable")
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
            Uncached::Include(text) => write!(formatter, "what it includes cannot be told: {text}"),
            Uncached::Clock(name) => write!(formatter, "it may depend on {name}"),
            Uncached::Changed => formatter
                .write_str("a file that it includes, or a folder searched for one, changed meanwhile"),
        }
    }
}

impl Cache {
    /// The user's own: `cuda-rt/nvrtc` in the folder where the system wants caches to be (`$XDG_CACHE_HOME` or
    /// `~/.cache` under Linux, `%LOCALAPPDATA%` under Windows), or the folder that
    /// [`CUDA_RT_NVRTC_CACHE_DIR`](Cache#environment) names.
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

    /// In this folder, whatever [`CUDA_RT_NVRTC_CACHE_DIR`](Cache#environment) says. It is made when it is needed. What is
    /// in it is [trusted](Cache#trust).
    pub fn in_folder(folder: impl Into<PathBuf>) -> Cache {
        Cache(Place::Folder(folder.into()))
    }

    /// None.
    pub const fn off() -> Cache {
        Cache(Place::Off)
    }

    /// The folder; `None` if the cache is off, by itself or by the [environment](Cache#environment), or if the system
    /// has no place for it.
    pub fn folder(&self) -> Option<PathBuf> {
        self.place().ok()
    }

    /// The folder, or what comes of there being none.
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

    /// Looks for a program.
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

/// What came of looking for a program.
pub(super) enum Lookup {
    Found(Compiled),
    Missed(Missed),
}

/// What to do with a program when it is compiled.
pub(super) enum Missed {
    /// Nothing.
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
    /// Keeps what was compiled, as far as that is possible.
    pub(super) fn keep(self, program: &Program, text: &Text, compiled: Compiled) -> Compiled {
        let outcome = match self {
            Missed::Known(outcome) => outcome,
            Missed::At { folder, key, stamps, outcome, library } => {
                // The compiler may have read other files than those that the key is made of, or files that were not
                // there. They may be gone again, which the stamps tell.
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
