//! Signatures of kernels, read from the loaded code, for drivers that do not report them (before CUDA 12.4).
//! `function/parameters.rs` queries the driver first.

use super::ParameterInfo;
use super::image::{self, FatEntry, Kind};
use crate::list::CollectVec;
use std::sync::{Mutex, PoisonError};

/// The code of a module.
#[derive(Default)]
pub(super) struct Signatures(Mutex<State>);

#[derive(Default)]
enum State {
    /// The driver reports the signatures.
    #[default]
    Unneeded,
    Image(Box<[u8]>),
    /// Signatures of PTX, which replace the text after the first query.
    OfPtx(Vec<Signature>),
}

/// The name of a kernel and its parameters. `None` if they could not be read.
type Signature = (Box<str>, Option<Vec<ParameterInfo>>);

impl Signatures {
    /// Keeps an image, if this driver does not report signatures.
    pub(super) fn of_image(image: &[u8]) -> Signatures {
        match cuda_sys::driver() {
            Ok(driver) if !driver.has(cuda_sys::Symbol::cuFuncGetParamInfo) => {
                Signatures(Mutex::new(State::Image(image.into())))
            }
            // Without a driver no code is loaded either.
            _ => Signatures::default(),
        }
    }

    /// Returns the parameters of a kernel. `device` returns the number of the device's architecture, such as 90.
    ///
    /// # Errors
    ///
    /// The reason why they are unknown.
    pub(super) fn parameters(
        &self,
        name: &str,
        device: &dyn Fn() -> Option<u32>,
    ) -> Result<Vec<ParameterInfo>, &'static str> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Image(image) = &*state
            && Kind::of(image) == Kind::Text
        {
            *state = State::OfPtx(of_ptx(image));
        }
        let found = match &*state {
            State::Unneeded => return Err("its code was not loaded here"),
            State::OfPtx(signatures) => find(signatures, name),
            State::Image(image) if Kind::of(image) == Kind::Fatbin => {
                let device = device().ok_or("the driver does not tell the architecture of the device")?;
                of_fatbin(image, device, name)?
            }
            State::Image(image) => image::cubin_parameters(image, name),
        };
        found.ok_or("its code does not tell them in a known form")
    }
}

fn find(signatures: &[Signature], name: &str) -> Option<Vec<ParameterInfo>> {
    signatures.iter().find(|(known, _)| **known == *name).and_then(|(_, parameters)| parameters.clone())
}

/// Returns the signatures of the kernels in PTX.
fn of_ptx(text: &[u8]) -> Vec<Signature> {
    let text = String::from_utf8_lossy(text);
    cuda_ptx::entries(&text)
        // A kernel whose head cannot be read has no name here.
        .filter_map(Result::ok)
        .map(|entry| {
            let mut end = 0_usize;
            let parameter = |param: &cuda_ptx::Param<'_>| {
                if param.kind.is_opaque() {
                    return None;
                }
                let (size, align) = (usize::try_from(param.size).ok()?, usize::try_from(param.align).ok()?);
                let offset = end.checked_next_multiple_of(align)?;
                end = offset.checked_add(size)?;
                Some(ParameterInfo { offset, size })
            };
            (entry.name.into(), entry.params.iter().map(parameter).collect())
        })
        .collect_vec()
}

/// Returns the parameters of a kernel in the part of a fat binary that the driver loads on a device.
///
/// That part is the cubin of the newest architecture that fits. If none fits, it is the newest PTX.
fn of_fatbin(image: &[u8], device: u32, name: &str) -> Result<Option<Vec<ParameterInfo>>, &'static str> {
    let entries = image::fat_entries(image).unwrap_or_default();
    let fits = |entry: &&FatEntry| {
        let target = entry.target.sm();
        target <= device && (entry.is_ptx || target / 10 == device / 10)
    };
    let newest = entries
        .iter()
        .filter(fits)
        .max_by_key(|entry| (!entry.is_ptx, entry.target.sm()))
        .ok_or("its fat binary has no code for the device")?;
    let payload = newest.payload.clone().ok_or("the code in its fat binary is compressed")?;
    let code = image.get(payload).unwrap_or_default();
    Ok(match newest.is_ptx {
        // PTX in a fat binary ends with a NUL, and padding.
        true => find(&of_ptx(code.split(|byte| *byte == 0).next().unwrap_or_default()), name),
        false => image::cubin_parameters(code, name),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write;

    const PTX: &str = ".version 6.4 .target sm_75 .address_size 64
        .visible .entry mixed(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[16],
            .param .align 2 .b8 e[6], .param .u32 f, .param .align 1 .b8 g[3], .param .f64 h) { ret; }
        .visible .entry none() { ret; }";

    fn expected() -> Vec<ParameterInfo> {
        // Fact V511.
        [(0, 1), (8, 8), (16, 2), (32, 16), (48, 6), (56, 4), (60, 3), (64, 8)]
            .map(|(offset, size)| ParameterInfo { offset, size })
            .into()
    }

    fn check(find: &dyn Fn(&str) -> Option<Vec<ParameterInfo>>) {
        assert_eq!(find("mixed"), Some(expected()));
        assert_eq!(find("none"), Some(Vec::new()));
        assert_eq!(find("mix"), None);
    }

    /// A cubin with tables of kernels, and no code.
    fn cubin(tables: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![0_u8; 64];
        let mut names = vec![0_u8];
        let mut sections = vec![[0_u8; 64]];
        let mut add = |bytes: &mut Vec<u8>, names: &mut Vec<u8>, name: &str, content: &[u8]| {
            let mut section = [0_u8; 64];
            section[..4].copy_from_slice(&(names.len() as u32).to_le_bytes());
            section[4..8].copy_from_slice(&0x7000_0000_u32.to_le_bytes());
            section[24..32].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            section[32..40].copy_from_slice(&(content.len() as u64).to_le_bytes());
            names.extend(name.as_bytes());
            names.push(0);
            bytes.extend(content);
            sections.push(section);
        };
        for (name, table) in tables {
            add(&mut bytes, &mut names, &format!(".nv.info.{name}"), table);
        }
        let content = [names.as_slice(), b".shstrtab\0"].concat();
        add(&mut bytes, &mut names, ".shstrtab", &content);
        let (table, count) = (bytes.len() as u64, sections.len() as u16);
        bytes.extend(sections.concat());
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, b"\x7fELF\x02\x01\x01\x33\x07");
        put(18, &190_u16.to_le_bytes());
        put(40, &table.to_le_bytes());
        for (at, value) in [(52, 64), (58, 64), (60, count), (62, count - 1)] {
            put(at, &value.to_le_bytes());
        }
        bytes
    }

    /// Returns an attribute with a length: a parameter.
    fn parameter(attribute: u8, ordinal: u16, offset: u16, size: u32) -> Vec<u8> {
        let size = if attribute == 0x17 { size << 18 | 0x1_f000 } else { size };
        let mut bytes = vec![4, attribute, 12, 0, 0, 0, 0, 0];
        bytes.extend(ordinal.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes
    }

    #[test]
    fn ptx_tells_its_signatures() {
        let signatures = of_ptx(PTX.as_bytes());
        check(&|name| find(&signatures, name));
        // A kernel that cannot be read is unknown, and does not hide the others.
        let text =
            format!("{PTX} .visible .entry odd(.param .what a) {{ ret; }} .visible .entry last() {{ ret; }}");
        let signatures = of_ptx(text.as_bytes());
        assert_eq!((find(&signatures, "last"), find(&signatures, "odd")), (Some(Vec::new()), None));
    }

    #[test]
    fn a_cubin_tells_its_signatures() {
        let all_bytes = |bytes: u16| [&[3, 0x19][..], &bytes.to_le_bytes()].concat();
        let mixed = expected();
        let of_mixed = mixed.iter().zip(0..8_u16).rev();
        let table =
            of_mixed.flat_map(|(p, ordinal)| parameter(0x17, ordinal, p.offset as u16, p.size as u32));
        let table = [all_bytes(72), table.collect(), vec![4, 0x1c, 4, 0, 0x40, 0, 0, 0]].concat();
        let large = [parameter(0x45, 0, 0, 8), parameter(0x45, 1, 8, 20_000), all_bytes(20_008)].concat();
        // The number of bytes differs, a parameter is missing, and a table is truncated.
        let odd = [parameter(0x17, 0, 0, 8), all_bytes(9)].concat();
        let missing = [parameter(0x17, 1, 8, 8), all_bytes(16)].concat();
        let tables: [(&str, &[u8]); 6] = [
            ("mixed", &table),
            ("none", &[3, 0x1b, 0xff, 0]),
            ("large", &large),
            ("odd", &odd),
            ("missing", &missing),
            ("cut", &table[..30]),
        ];
        let cubin = cubin(&tables);
        let find = |name: &str| image::cubin_parameters(&cubin, name);
        check(&find);
        let large = [(0, 8), (8, 20_000)].map(|(offset, size)| ParameterInfo { offset, size });
        assert_eq!(find("large"), Some(large.into()));
        for name in ["odd", "missing", "cut"] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    /// Tests the compilers that `CUDA_PTXAS` names, if there are any.
    #[test]
    fn cubins_of_ptxas_tell_their_signatures() {
        let listed = std::env::var_os("CUDA_PTXAS").filter(|listed| !listed.is_empty());
        let Some(programs) = listed else {
            // Not `eprintln!`, which the test harness swallows.
            let _ = writeln!(std::io::stderr(), "SKIP 1: signatures of cubins: CUDA_PTXAS lists no ptxas");
            return;
        };
        for (program, number) in std::env::split_paths(&programs).zip(0..) {
            let file = |end: &str| {
                std::env::temp_dir().join(format!("cuda-rt-{}-{number}.{end}", std::process::id()))
            };
            let (text, cubin) = (file("ptx"), file("cubin"));
            std::fs::write(&text, PTX).unwrap();
            let mut ptxas = std::process::Command::new(&program);
            let ran = ptxas.args(["-arch=sm_75", "-o"]).arg(&cubin).arg(&text).status().unwrap();
            let image = std::fs::read(&cubin);
            let _ = (std::fs::remove_file(text), std::fs::remove_file(cubin));
            assert!(ran.success(), "{}", program.display());
            let image = image.unwrap();
            check(&|name| image::cubin_parameters(&image, name));
        }
    }
}
