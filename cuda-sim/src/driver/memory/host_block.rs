//! Blocks of host memory, which can be shared with other processes of the same computer.
//!
//! On Linux, a block is a mapping of its own. To share it, the driver moves it to an unnamed file and maps the file in
//! its place, so that the addresses do not change. Other processes find that file among the open files of this one.

#![allow(unsafe_code)]

/// Name by which another process finds a shared block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name {
    /// Process that shares it, and the number of the file there.
    pub(crate) process: u32,
    pub(crate) file: i32,
    /// Number that distinguishes the file from all others with the same file number.
    pub(crate) nonce: u64,
}

/// Reason why the block of another process cannot be mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The block does not exist, or no longer exists.
    Gone,
    /// The system refuses to map it.
    NotMapped,
}

pub(crate) use system::Block;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    use super::{Name, Refusal};
    use crate::driver::memory::host_page::host_page;
    use crate::driver::memory::memory_syscalls::{
        ANONYMOUS, FIXED, PRIVATE, READ_AND_WRITE, SHARED, has_fixed_size, mapped, memory_file, mmap, munmap,
    };
    use core::ptr::{NonNull, null_mut};
    use std::fs::{File, read_link};
    use std::hash::{BuildHasher, Hasher, RandomState};
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::fs::FileExt;

    /// Host bytes, initially zero. Their addresses do not change as long as this value lives.
    pub(crate) struct Block {
        start: NonNull<u8>,
        len: usize,
        /// File of a shared block.
        file: Option<(OwnedFd, u64)>,
    }

    // SAFETY: it owns its bytes, and returns no references to them.
    unsafe impl Send for Block {}
    // SAFETY: as above; only `&mut` changes anything.
    unsafe impl Sync for Block {}

    impl Block {
        /// Alignment of blocks.
        pub(crate) const ALIGN: u64 = 4096;
        /// True if the system can share blocks.
        pub(crate) const CAN_BE_SHARED: bool = true;

        /// Creates a block of at least `len` bytes: whole pages of the host, so that a file of the same length can
        /// replace them.
        pub(crate) fn new(len: usize) -> Option<Block> {
            let len = len.checked_next_multiple_of(host_page() as usize)?;
            // SAFETY: a new mapping at an unused address.
            let start = unsafe { mmap(null_mut(), len, READ_AND_WRITE, PRIVATE | ANONYMOUS, -1, 0) };
            Some(Block { start: mapped(start)?, len, file: None })
        }

        pub(crate) fn start(&self) -> NonNull<u8> {
            self.start
        }

        pub(crate) fn len(&self) -> usize {
            self.len
        }

        /// Lets other processes map the block. No other code may access the bytes during the call. Returns `None` if
        /// the system refuses.
        pub(crate) fn share(&mut self) -> Option<Name> {
            if self.file.is_none() {
                let nonce = RandomState::new().build_hasher().finish();
                let file = memory_file(file_name(nonce), self.len as u64)?;
                self.move_into(&file)?;
                self.file = Some((file.into(), nonce));
            }
            let (file, nonce) = self.file.as_ref()?;
            Some(Name { process: std::process::id(), file: file.as_raw_fd(), nonce: *nonce })
        }

        fn move_into(&mut self, file: &File) -> Option<()> {
            // SAFETY: the bytes belong to the block, are initialised, and no code writes to them during the call.
            let bytes = unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) };
            // Pages that were never written have no memory, and need none in the file.
            const STRETCH: usize = 1 << 16;
            for (index, stretch) in bytes.chunks(STRETCH).enumerate() {
                if stretch.iter().any(|byte| *byte != 0) {
                    file.write_all_at(stretch, (index * STRETCH) as u64).ok()?;
                }
            }
            let (start, flags) = (self.start.as_ptr().cast(), SHARED | FIXED);
            // SAFETY: it replaces this block's own mapping entirely by the same bytes; the system makes all splits that
            // may fail before it unmaps anything.
            let start = unsafe { mmap(start, self.len, READ_AND_WRITE, flags, file.as_raw_fd(), 0) };
            mapped(start).map(drop)
        }

        /// Maps a block of another process.
        pub(crate) fn open(name: Name) -> Result<Block, Refusal> {
            let place = format!("/proc/{}/fd/{}", name.process, name.file);
            let is_it = |place: &str| {
                read_link(place).is_ok_and(|found| {
                    // The kernel appends that no folder contains the file.
                    found.to_str().is_some_and(|found| {
                        found.strip_prefix("/memfd:").and_then(|rest| rest.split(' ').next())
                            == Some(&file_name(name.nonce))
                    })
                })
            };
            // Checked before, because opening another file could have effects, and afterwards, because the number may
            // have been reused in between.
            if !is_it(&place) {
                return Err(Refusal::Gone);
            }
            let file = File::options().read(true).write(true).open(&place);
            let file = file.map_err(|_| Refusal::Gone)?;
            if !is_it(&format!("/proc/self/fd/{}", file.as_raw_fd())) || !has_fixed_size(&file) {
                return Err(Refusal::Gone);
            }
            let len = file.metadata().ok().and_then(|known| usize::try_from(known.len()).ok());
            len.and_then(|len| Block::map(&file, len)).ok_or(Refusal::NotMapped)
        }

        /// Maps the first `len` bytes of a file whose size does not change.
        pub(crate) fn map(file: &File, len: usize) -> Option<Block> {
            // SAFETY: a new mapping at an unused address.
            let start = unsafe { mmap(null_mut(), len, READ_AND_WRITE, SHARED, file.as_raw_fd(), 0) };
            Some(Block { start: mapped(start)?, len, file: None })
        }
    }

    impl Drop for Block {
        fn drop(&mut self) {
            // SAFETY: this block's own mapping, which is no longer used.
            let _ = unsafe { munmap(self.start.as_ptr().cast(), self.len) };
        }
    }

    fn file_name(nonce: u64) -> String {
        format!("cuda-sim-{nonce:016x}")
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod system {
    use super::{Name, Refusal};
    use core::ptr::NonNull;
    use std::alloc::{Layout, alloc_zeroed, dealloc};

    /// Host bytes, initially zero. Their addresses do not change as long as this value lives.
    pub(crate) struct Block {
        start: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: it owns its bytes, and returns no references to them.
    unsafe impl Send for Block {}
    // SAFETY: as above; nothing changes it.
    unsafe impl Sync for Block {}

    impl Block {
        /// Alignment of blocks, no larger than that of `malloc`. With a larger one, the allocator would zero and touch
        /// every byte instead of returning fresh pages.
        pub(crate) const ALIGN: u64 = 16;
        /// False, because the system cannot share blocks.
        pub(crate) const CAN_BE_SHARED: bool = false;

        pub(crate) fn new(len: usize) -> Option<Block> {
            let layout = Layout::from_size_align(len, Self::ALIGN as usize).ok().filter(|_| len > 0)?;
            // SAFETY: the size is not 0.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Block { start, layout })
        }

        pub(crate) fn start(&self) -> NonNull<u8> {
            self.start
        }

        pub(crate) fn len(&self) -> usize {
            self.layout.size()
        }

        /// Returns `None`, because blocks cannot be shared on this system.
        pub(crate) fn share(&mut self) -> Option<Name> {
            None
        }

        /// Fails, because blocks cannot be shared on this system.
        pub(crate) fn open(_: Name) -> Result<Block, Refusal> {
            Err(Refusal::NotMapped)
        }
    }

    impl Drop for Block {
        fn drop(&mut self) {
            // SAFETY: allocated in `new` with this layout.
            unsafe { dealloc(self.start.as_ptr(), self.layout) };
        }
    }
}

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    /// Returns the bytes at some positions.
    fn bytes(block: &Block, places: &[usize]) -> Vec<u8> {
        let byte = |place: &usize| {
            assert!(*place < block.len());
            // SAFETY: inside.
            let place = unsafe { block.start().add(*place) };
            // SAFETY: as above, and no other code uses it.
            unsafe { place.read() }
        };
        places.iter().map(byte).collect()
    }

    fn put(block: &Block, place: usize, byte: u8) {
        assert!(place < block.len());
        // SAFETY: inside.
        let place = unsafe { block.start().add(place) };
        // SAFETY: as above, and no other code uses it.
        unsafe { place.write(byte) };
    }

    #[test]
    fn a_shared_block_keeps_its_place_and_its_bytes() {
        let len = 1 << 21;
        let mut block = Block::new(len).unwrap_or_else(|| unreachable!("no memory"));
        let start = block.start();
        let places = [0, 70_000, 70_001, len - 1];
        put(&block, 0, 1);
        put(&block, 70_001, 2);
        put(&block, len - 1, 3);
        let name = block.share();
        assert_eq!((block.start(), block.share()), (start, name));
        assert_eq!(bytes(&block, &places), [1, 0, 2, 3]);
        let other = name.map(Block::open);
        let Some(Ok(other)) = other else { unreachable!("it is there") };
        assert_eq!((other.len(), bytes(&other, &places)), (len, vec![1, 0, 2, 3]));
        put(&other, 70_000, 4);
        put(&block, 0, 5);
        assert_eq!(bytes(&block, &places), bytes(&other, &places));
        // It outlives the block from which it was opened.
        drop(block);
        assert_eq!(bytes(&other, &places), [5, 4, 2, 3]);
        assert_eq!(name.map(|name| Block::open(name).err()), Some(Some(Refusal::Gone)));
    }

    #[test]
    fn shared_block_cannot_be_cut() {
        let mut block = Block::new(8192).unwrap_or_else(|| unreachable!("no memory"));
        let name = block.share().unwrap_or_else(|| unreachable!("no file"));
        let place = format!("/proc/self/fd/{}", name.file);
        let file = std::fs::File::options().write(true).open(place);
        let file = file.unwrap_or_else(|error| unreachable!("{error}"));
        let len = block.len() as u64;
        assert!([0, len / 2, 2 * len].into_iter().all(|len| file.set_len(len).is_err()));
        assert_eq!(file.metadata().map(|known| known.len()).ok(), Some(len));
    }

    #[test]
    fn another_file_of_the_same_number_is_left_alone() {
        let mut block = Block::new(4096).unwrap_or_else(|| unreachable!("no memory"));
        let name = block.share().unwrap_or_else(|| unreachable!("no file"));
        let others = [
            Name { nonce: !name.nonce, ..name },
            Name { file: 0, ..name },
            Name { file: -1, ..name },
            Name { process: u32::MAX, ..name },
        ];
        assert!(others.into_iter().all(|other| Block::open(other).err() == Some(Refusal::Gone)));
        assert!(Block::open(name).is_ok());
    }

    #[test]
    fn a_block_that_is_too_large_is_none() {
        assert!(Block::new(0).is_none());
        assert!(Block::new(1 << 55).is_none());
    }
}
