//! Hints for error texts: the kind of an image that was passed to the wrong function, and the right function.

use super::image::{ELF, FATBIN, MACHINE_CUDA};

/// The name of the first bytes of an image in error texts.
pub(crate) const FIRST_BYTES: &str = "the first 4 bytes";
/// The name of the processor of an ELF file in error texts.
pub(crate) const MACHINE: &str = "the machine of the ELF file";

const CUBIN: &str = ": it is a cubin, which `Module::from_cubin` and `Library::from_image` load, and \
                     `Linker::add_cubin` links";
const FAT: &str = ": it is a fat binary, which `Module::from_fatbin` and `Library::from_image` load, and \
                   `Linker::add_fatbin` links";
const HOST: &str = ": it is an ELF file for the processor of the host; `Linker::add_object` takes the device code of an \
                    object file";
const ARCHIVE: &str = ": it is an archive, which `Linker::add_library` links";
const WRAPPER: &str = ": it is the structure that points to a fat binary: hand over the fat binary itself";
const BITCODE: &str = ": it is LLVM bitcode, which has to be compiled to PTX or a cubin";
const TEXT: &str = ": it is text; if that is PTX, `Module::from_ptx` and `Library::from_ptx` load it, and `Linker::add_ptx` \
                    links it";
const MARK: &str = ": it begins with a byte order mark; PTX is ASCII without one";
const EMPTY: &str = ": there is nothing in it";
const PATH: &str =
    ": it looks like the path of a file, which `Module::from_file` and `Library::from_file` read";
const CPP: &str =
    ": it looks like CUDA C++, which is compiled by `nvrtc::Program` (feature `nvrtc`), or by nvcc to a file";

/// Returns a hint about the first four bytes of an image, which follows an error text.
fn of_magic(bytes: [u8; 4]) -> &'static str {
    match bytes {
        ELF => CUBIN,
        FATBIN => FAT,
        [b'!', b'<', b'a', b'r'] => ARCHIVE,
        [0xb1, 0x43, 0x62, 0x46] => WRAPPER,
        [b'B', b'C', 0xc0, 0xde] => BITCODE,
        [0xef, 0xbb, 0xbf, _] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => MARK,
        _ if bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => TEXT,
        _ => "",
    }
}

/// Returns a hint about an image that is not PTX, which follows an error text.
pub(crate) fn instead_of_ptx(image: &[u8]) -> &'static str {
    let contains = |word: &str| image.windows(word.len()).any(|part| part == word.as_bytes());
    let of_host = || image.get(18..20).is_some_and(|machine| machine != MACHINE_CUDA.to_le_bytes());
    match image.first_chunk().map_or("", |bytes| of_magic(*bytes)) {
        CUBIN if of_host() => HOST,
        TEXT | "" if image.trim_ascii().is_empty() => EMPTY,
        TEXT | "" if is_path(image) => PATH,
        TEXT | "" if ["__global__", "__device__", "#include"].into_iter().any(contains) => CPP,
        TEXT => "",
        known => known,
    }
}

/// Returns whether a text is one word with the extension of a file with device code.
fn is_path(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let ends = [&b".ptx"[..], b".cubin", b".fatbin", b".cu"].into_iter().any(|end| text.ends_with(end));
    ends && text.len() < 4096 && !text.contains(&b'\n')
}

/// Returns a hint about a number in an image, which follows an error text.
pub(crate) fn instead_of_field(what: &str, found: u64) -> &'static str {
    match (what, u32::try_from(found)) {
        (FIRST_BYTES, Ok(found)) => of_magic(found.to_le_bytes()),
        (MACHINE, _) => HOST,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_mistaken_for_ptx_is_named() {
        let mut elf = [0_u8; 64];
        elf[..4].copy_from_slice(&ELF);
        elf[18] = 62;
        assert_eq!(instead_of_ptx(&elf), HOST);
        elf[18] = 190;
        assert_eq!(instead_of_ptx(&elf), CUBIN);
        let cases: [(&[u8], &str); 16] = [
            (b"\x7fELF", CUBIN),
            (b"\x50\xed\x55\xba\x01", FAT),
            (b"!<arch>\n", ARCHIVE),
            (b"\xb1\x43\x62\x46", WRAPPER),
            (b"BC\xc0\xde", BITCODE),
            (b"\xef\xbb\xbf.version 7.0", MARK),
            (b"\xff\xfe.\0v\0", MARK),
            (b"", EMPTY),
            (b" \n ", EMPTY),
            (b"kernels/add.ptx", PATH),
            (b"a.cu\n", PATH),
            (b"#include <cuda_fp16.h>\n", CPP),
            (b"extern \"C\" __global__ void k() {}", CPP),
            (b".target sm_50\n.version 7.0", ""),
            (b"hello", ""),
            (b"\x00\x01\x02\x03\x04", ""),
        ];
        for (image, expected) in cases {
            assert_eq!(instead_of_ptx(image), expected, "{}", String::from_utf8_lossy(image));
        }
    }

    #[test]
    fn what_was_mistaken_for_an_image_is_named() {
        let first = |bytes: &[u8; 4]| instead_of_field(FIRST_BYTES, u32::from_le_bytes(*bytes).into());
        assert_eq!(first(b".ver"), TEXT);
        assert_eq!(first(b"//\n\n"), TEXT);
        assert_eq!(first(&FATBIN), FAT);
        assert_eq!(first(&ELF), CUBIN);
        assert_eq!(first(b"\x01\x02\x03\x04"), "");
        assert_eq!(instead_of_field(MACHINE, 62), HOST);
        assert_eq!(instead_of_field("the class of the ELF file", 1), "");
    }
}
