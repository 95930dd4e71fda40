//! Host memory that is mapped at chosen addresses, and at several addresses at once. It backs address ranges to which
//! programs map memory.
//!
//! A [`Store`] is memory without an address, as an unnamed file. A [`Window`] is a range of host addresses without
//! memory. Its parts can map parts of stores. Adjacent parts of a window are adjacent for the host, too.

#![allow(unsafe_code)]

pub(crate) use system::{Store, Window, close};

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    use crate::driver::memory::host_block::Block;
    pub(crate) use crate::driver::memory::memory_syscalls::close;
    use crate::driver::memory::memory_syscalls::{
        ANONYMOUS, FIXED, NORESERVE, NOTHING, PRIVATE, READ, READ_AND_WRITE, SHARED, has_fixed_size, mapped,
        memory_file, mmap, munmap,
    };
    use core::ffi::{c_int, c_void};
    use core::ptr::{NonNull, without_provenance_mut};
    use std::fs::{File, read_link};
    use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd};
    use std::os::unix::fs::{FileExt, MetadataExt};

    /// Prefix of the name of a store in the system.
    const PREFIX: &str = "cuda-sim-store-";

    /// Memory without an address, initially zero.
    #[derive(Debug)]
    pub(crate) struct Store {
        file: File,
        len: u64,
        /// Identity that is unique in the system.
        identity: (u64, u64),
    }

    impl Store {
        /// True if the system supports stores.
        pub(crate) const IS_THERE: bool = true;

        /// Creates a store of `len` bytes. A process that receives the memory can read the name.
        pub(crate) fn new(len: u64, name: &str) -> Option<Store> {
            Store::of(memory_file(format!("{PREFIX}{name}"), len)?)
        }

        fn of(file: File) -> Option<Store> {
            let known = file.metadata().ok()?;
            Some(Store { len: known.len(), identity: (known.dev(), known.ino()), file })
        }

        pub(crate) fn len(&self) -> u64 {
            self.len
        }

        pub(crate) fn is_same(&self, other: &Store) -> bool {
            self.identity == other.identity
        }

        /// Maps the whole store once more, at an address of its own. Returns `None` if the system refuses.
        pub(crate) fn block(&self) -> Option<Block> {
            Block::map(&self.file, self.len as usize)
        }

        /// Reads bytes of the store. Returns `None` if the system fails.
        pub(crate) fn read(&self, offset: u64, to: &mut [u8]) -> Option<()> {
            self.file.read_exact_at(to, offset).ok()
        }

        /// Writes bytes of the store. Returns `None` if the system fails.
        pub(crate) fn write(&self, offset: u64, from: &[u8]) -> Option<()> {
            self.file.write_all_at(from, offset).ok()
        }

        /// Returns a file descriptor for the store, which the program must close.
        pub(crate) fn export(&self) -> Option<c_int> {
            self.file.try_clone().ok().map(IntoRawFd::into_raw_fd)
        }

        /// Returns the store of a file descriptor that was [exported](Store::export) by this or another process, and
        /// its name.
        pub(crate) fn import(file: c_int) -> Option<(Store, String)> {
            let link = read_link(format!("/proc/self/fd/{file}")).ok()?;
            // The system appends that no folder contains the file.
            let name = link.to_str()?.strip_prefix("/memfd:")?.split(' ').next()?;
            let name = name.strip_prefix(PREFIX)?.to_owned();
            // SAFETY: the descriptor is open, as checked just now; the program keeps it open during the call.
            let file = unsafe { BorrowedFd::borrow_raw(file) }.try_clone_to_owned().ok()?;
            let file = Some(File::from(file)).filter(has_fixed_size)?;
            Some((Store::of(file)?, name))
        }
    }

    /// Host addresses, which do not change as long as this value lives.
    #[derive(Debug)]
    pub(crate) struct Window {
        start: NonNull<u8>,
        len: u64,
    }

    // SAFETY: it owns its addresses, and returns no references to the memory there.
    unsafe impl Send for Window {}

    impl Window {
        /// Reserves addresses for `len` bytes, without memory.
        pub(crate) fn new(len: u64) -> Option<Window> {
            Window::near(0, len)
        }

        /// Reserves the same at a wished address, or elsewhere if addresses there are in use.
        fn near(wish: u64, len: u64) -> Option<Window> {
            let size = usize::try_from(len).ok()?;
            let wish = without_provenance_mut(usize::try_from(wish).ok()?);
            // SAFETY: a new mapping at an unused address.
            let start = unsafe { mmap(wish, size, NOTHING, PRIVATE | ANONYMOUS | NORESERVE, -1, 0) };
            Some(Window { start: mapped(start)?, len })
        }

        /// Reserves addresses for `len` bytes at a multiple of `align`, a power of two. The program uses these addresses
        /// itself. The system grants the wished address if it is free. Otherwise, the window is elsewhere.
        pub(crate) fn for_program(wish: u64, len: u64, align: u64) -> Option<Window> {
            let mut window = Window::near(wish.next_multiple_of(align), len)?;
            if !window.span().start.is_multiple_of(align) {
                drop(window);
                window = Window::near(wish, len.checked_add(align)?)?;
                let start = window.span().start;
                window.cut(start.next_multiple_of(align) - start, len)?;
            }
            window.start.as_ptr().expose_provenance();
            Some(window)
        }

        /// Gives all addresses back except `len` bytes from an offset on.
        fn cut(&mut self, offset: u64, len: u64) -> Option<()> {
            let (before, behind) =
                (offset as usize, self.len.checked_sub(offset)?.checked_sub(len)? as usize);
            let end = self.at(offset + len);
            let start = NonNull::new(self.at(offset))?;
            if before > 0 {
                // SAFETY: a part of this window's own mapping, which was never used.
                let _ = unsafe { munmap(self.start.as_ptr().cast(), before) };
            }
            if behind > 0 {
                // SAFETY: as above.
                let _ = unsafe { munmap(end.cast(), behind) };
            }
            (self.start, self.len) = (start, len);
            Some(())
        }

        pub(crate) fn len(&self) -> u64 {
            self.len
        }

        /// Returns the address of an offset, which must be inside.
        pub(crate) fn at(&self, offset: u64) -> *mut u8 {
            self.start.as_ptr().wrapping_add(offset as usize)
        }

        /// Returns all its addresses.
        pub(crate) fn span(&self) -> core::ops::Range<u64> {
            let start = self.start.addr().get() as u64;
            start..start + self.len
        }

        /// Maps a whole store at an offset. Returns `None` if it does not fit, or if the system refuses.
        pub(crate) fn show(&mut self, offset: u64, store: &Store) -> Option<()> {
            self.show_with(READ_AND_WRITE, offset, store)
        }

        /// Maps the same, for reads only.
        pub(crate) fn show_read_only(&mut self, offset: u64, store: &Store) -> Option<()> {
            self.show_with(READ, offset, store)
        }

        fn show_with(&mut self, protection: c_int, offset: u64, store: &Store) -> Option<()> {
            let place = self.place(offset, store.len)?;
            let (len, file) = (store.len as usize, store.file.as_raw_fd());
            // SAFETY: it replaces a part of this window's own mapping.
            mapped(unsafe { mmap(place, len, protection, SHARED | FIXED, file, 0) }).map(drop)
        }

        /// Unmaps the memory at an offset.
        pub(crate) fn hide(&mut self, offset: u64, len: u64) -> Option<()> {
            let place = self.place(offset, len)?;
            let flags = PRIVATE | ANONYMOUS | NORESERVE | FIXED;
            // SAFETY: it replaces a part of this window's own mapping.
            mapped(unsafe { mmap(place, len as usize, NOTHING, flags, -1, 0) }).map(drop)
        }

        fn place(&self, offset: u64, len: u64) -> Option<*mut c_void> {
            let fits = offset.checked_add(len).is_some_and(|end| end <= self.len);
            fits.then(|| self.at(offset).cast())
        }
    }

    impl Drop for Window {
        fn drop(&mut self) {
            // SAFETY: this window's own mapping, which is no longer used.
            let _ = unsafe { munmap(self.start.as_ptr().cast(), self.len as usize) };
        }
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod system {
    use crate::driver::memory::host_block::Block;
    use core::convert::Infallible;
    use core::ffi::c_int;

    pub(crate) fn close(_: c_int) {}

    /// Memory without an address, which this system does not support.
    #[derive(Debug)]
    pub(crate) struct Store(Infallible);

    impl Store {
        /// False, because this system does not support stores.
        pub(crate) const IS_THERE: bool = false;

        pub(crate) fn new(_: u64, _: &str) -> Option<Store> {
            None
        }

        pub(crate) fn len(&self) -> u64 {
            match self.0 {}
        }

        pub(crate) fn is_same(&self, _: &Store) -> bool {
            match self.0 {}
        }

        pub(crate) fn block(&self) -> Option<Block> {
            match self.0 {}
        }

        pub(crate) fn read(&self, _: u64, _: &mut [u8]) -> Option<()> {
            match self.0 {}
        }

        pub(crate) fn write(&self, _: u64, _: &[u8]) -> Option<()> {
            match self.0 {}
        }

        pub(crate) fn export(&self) -> Option<c_int> {
            match self.0 {}
        }

        pub(crate) fn import(_: c_int) -> Option<(Store, String)> {
            None
        }
    }

    /// Host addresses of a window, which this system does not support.
    #[derive(Debug)]
    pub(crate) struct Window(Infallible);

    impl Window {
        pub(crate) fn new(_: u64) -> Option<Window> {
            None
        }

        pub(crate) fn for_program(_: u64, _: u64, _: u64) -> Option<Window> {
            None
        }

        pub(crate) fn len(&self) -> u64 {
            match self.0 {}
        }

        pub(crate) fn at(&self, _: u64) -> *mut u8 {
            match self.0 {}
        }

        pub(crate) fn span(&self) -> core::ops::Range<u64> {
            match self.0 {}
        }

        pub(crate) fn show(&mut self, _: u64, _: &Store) -> Option<()> {
            match self.0 {}
        }

        pub(crate) fn show_read_only(&mut self, _: u64, _: &Store) -> Option<()> {
            match self.0 {}
        }

        pub(crate) fn hide(&mut self, _: u64, _: u64) -> Option<()> {
            match self.0 {}
        }
    }
}

#[cfg(all(test, target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const PAGE: u64 = 1 << 16;

    fn put(window: &Window, offset: u64, byte: u8) {
        assert!(offset < window.len());
        // SAFETY: inside, and the tests map memory there; no other code uses it.
        unsafe { window.at(offset).write(byte) };
    }

    fn get(window: &Window, offset: u64) -> u8 {
        assert!(offset < window.len());
        // SAFETY: as above.
        unsafe { window.at(offset).read() }
    }

    #[test]
    fn a_store_appears_in_several_places() {
        let mut window = Window::new(8 * PAGE).unwrap();
        let (first, second) = (Store::new(PAGE, "a").unwrap(), Store::new(2 * PAGE, "b").unwrap());
        window.show(PAGE, &first).unwrap();
        window.show(2 * PAGE, &second).unwrap();
        window.show(6 * PAGE, &second).unwrap();
        put(&window, 2 * PAGE - 1, 1);
        put(&window, 2 * PAGE, 2);
        assert_eq!((get(&window, 6 * PAGE), get(&window, 7 * PAGE)), (2, 0));
        // The bytes are adjacent for the host, too. SAFETY: both bytes are mapped, and no code writes to them
        // meanwhile.
        let both = unsafe { core::slice::from_raw_parts(window.at(2 * PAGE - 1), 2) };
        assert_eq!(both, [1, 2]);
        window.hide(2 * PAGE, 2 * PAGE).unwrap();
        window.show(2 * PAGE, &first).unwrap();
        assert_eq!(get(&window, 3 * PAGE - 1), 1);
        assert!(window.show(7 * PAGE, &second).is_none() && window.hide(8 * PAGE, 1).is_none());
    }

    #[test]
    fn window_for_program_is_aligned_and_apart() {
        let wish = 0x3000_0000_0000;
        for align in [PAGE, 1 << 21, 1 << 30] {
            let windows: Vec<Window> =
                (0..3).map(|_| Window::for_program(wish, 2 * PAGE, align).unwrap()).collect();
            for (index, window) in windows.iter().enumerate() {
                let span = window.span();
                assert!(span.start.is_multiple_of(align) && window.len() == 2 * PAGE);
                let others = windows.iter().take(index).map(Window::span);
                assert!(others.into_iter().all(|other| other.end <= span.start || span.end <= other.start));
            }
        }
        // Addresses that were cut off are free again, and the rest can be used.
        let mut window = Window::for_program(1, PAGE, 1 << 30).unwrap();
        let store = Store::new(PAGE, "a").unwrap();
        window.show(0, &store).unwrap();
        put(&window, PAGE - 1, 3);
        window.show_read_only(0, &store).unwrap();
        assert_eq!(get(&window, PAGE - 1), 3);
    }

    #[test]
    fn a_store_is_found_by_its_descriptor() {
        let store = Store::new(PAGE, "some-name").unwrap();
        let file = store.export().unwrap();
        let (same, name) = Store::import(file).unwrap();
        assert!(same.is_same(&store) && same.len() == PAGE && name == "some-name");
        assert!(!Store::new(PAGE, "some-name").unwrap().is_same(&store));
        assert!([0, -1, 9999].into_iter().all(|other| Store::import(other).is_none()));
    }

    #[test]
    fn exported_store_cannot_be_cut() {
        use std::os::fd::{FromRawFd, OwnedFd};

        let store = Store::new(PAGE, "some-name").unwrap();
        // SAFETY: the descriptor belongs to this code.
        let file = std::fs::File::from(unsafe { OwnedFd::from_raw_fd(store.export().unwrap()) });
        assert!([0, PAGE - 1, PAGE + 1].into_iter().all(|len| file.set_len(len).is_err()));
        assert_eq!(file.metadata().unwrap().len(), PAGE);
    }
}
