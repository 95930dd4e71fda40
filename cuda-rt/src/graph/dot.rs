//! Descriptions of graphs in DOT, for Graphviz.

#![allow(unsafe_code)]

use super::Graph;
use super::numbers::DotFlags;
use super::source::lock;
use crate::error::{Code, Error, OrDetail, Result};
use crate::text::c_string;
use core::sync::atomic::{AtomicU32, Ordering};
use cuda_sys::Symbol;
use std::fs;
use std::path::{Path, PathBuf};

impl Graph {
    /// Writes a description of the graph in DOT to a file. Replaces an existing file. Wraps `cuGraphDebugDotPrint`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - [`Code::OperatingSystem`]: the file cannot be written.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the path contains a NUL.
    /// - An earlier failure.
    #[doc(alias = "cuGraphDebugDotPrint")]
    pub fn write_dot(&mut self, path: impl AsRef<Path>, flags: DotFlags) -> Result<()> {
        let path = path.as_ref();
        let c_path = c_string(path.as_os_str().as_encoded_bytes())?;
        let _bound = self.context().bind(Symbol::cuGraphDebugDotPrint)?;
        let source = lock(self.source());
        let graph = source.raw()?;
        // SAFETY: the graph is live and locked, and the path is a C string.
        unsafe { check!(cuGraphDebugDotPrint(graph, c_path.as_ptr(), flags.bits())) }
            .or_detail(&[Code::OperatingSystem, Code::InvalidValue], &|| {
                format!("file `{}`, {flags:?}", path.display())
            })
    }

    /// Returns a description of the graph in DOT. Uses a temporary file. Wraps `cuGraphDebugDotPrint`.
    ///
    /// # Errors
    ///
    /// - [`File`](crate::error::ErrorKind::File): the file cannot be read, or a folder for it cannot be created.
    /// - Same as [`write_dot`](Graph::write_dot).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 3) { return Ok(()); }
    /// use cuda_rt::graph::{AddNodes, DotFlags, Graph};
    ///
    /// let mut graph = Graph::new(&context)?;
    /// graph.empty(&[])?;
    /// assert!(graph.dot(DotFlags::empty())?.starts_with("digraph"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphDebugDotPrint")]
    pub fn dot(&mut self, flags: DotFlags) -> Result<String> {
        let folder = OwnFolder::new()?;
        let file = folder.0.join("graph.dot");
        self.write_dot(&file, flags)?;
        fs::read(&file)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .map_err(|error| Error::file(&file, error.kind(), format_args!("{error}")))
    }
}

/// A new folder, which is removed with its files.
struct OwnFolder(PathBuf);

impl OwnFolder {
    fn new() -> Result<OwnFolder> {
        /// More names than other programs use.
        const ATTEMPTS: u32 = 1000;
        static LAST: AtomicU32 = AtomicU32::new(0);
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            let number = LAST.fetch_add(1, Ordering::Relaxed);
            let name = format!("cuda-rt-graph-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            // An existing folder may be another user's.
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(OwnFolder(folder)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    failure = Some(Error::file(&folder, error.kind(), format_args!("{error}")));
                }
                Err(error) => return Err(Error::file(&folder, error.kind(), format_args!("{error}"))),
            }
        }
        Err(failure.unwrap_or_else(|| {
            let folder = std::env::temp_dir();
            Error::file(&folder, std::io::ErrorKind::AlreadyExists, format_args!("no name is free"))
        }))
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // A file that is left is in a folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
