//! NVIDIA's assembler and the software driver, asked about the same texts.

use cuda_sim::{Config, Machine, Profile};
use cuda_sys::*;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::null_mut;

/// The first lines of a text.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    version: String,
    target: String,
}

impl Header {
    pub(crate) fn new(version: &str, target: &str) -> Header {
        Header { version: version.to_owned(), target: target.to_owned() }
    }

    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.version, self.target)
    }

    fn has(&self, major: u32, minor: u32) -> bool {
        let (a, b) = self.version.split_once('.').unwrap();
        (a.parse::<u32>().unwrap(), b.parse::<u32>().unwrap()) >= (major, minor)
    }

    /// A text with the instructions, one a line, and the line of the first of them.
    fn text(&self, forms: &[&str]) -> (String, usize) {
        let mut text = format!(".version {}\n.target {}\n", self.version, self.target);
        if self.has(2, 3) {
            text += ".address_size 64\n";
        }
        for line in super::forms::VARIABLES.iter().filter(|line| self.has(line.0, line.1)) {
            text += line.2;
            text += "\n";
        }
        text += ".entry k(.param .u64 param)\n{\n";
        for line in super::forms::REGISTERS.iter().filter(|line| self.has(line.0, line.1)) {
            text += line.2;
            text += "\n";
        }
        text += "HERE:\n";
        let first = text.lines().count() + 1;
        for form in forms {
            text += form;
            text += "\n";
        }
        // An error, so that no code is generated.
        text += "bogus;\nret;\n}\n";
        (text, first)
    }
}

/// Messages about a text: by line, and one about the whole.
#[derive(Debug, Default)]
struct Said {
    lines: BTreeMap<usize, Vec<String>>,
    /// The line, if it is known, and the message.
    fatal: Option<(Option<usize>, String)>,
}

impl Said {
    fn of(log: &str) -> Said {
        let mut said = Said::default();
        for line in log.lines() {
            let Some(rest) = line.strip_prefix("ptxas ") else {
                said.fatal.get_or_insert((None, line.to_owned()));
                continue;
            };
            let (place, message) = rest.split_once(": ").unwrap_or(("", rest));
            let severity = place.trim_end().rsplit(' ').next().unwrap_or("");
            if severity == "warning" || severity == "info" {
                continue;
            }
            let number =
                place.split_once("line ").and_then(|(_, rest)| rest.split(';').next()?.trim().parse().ok());
            match (severity, number) {
                ("error", Some(number)) => {
                    said.lines.entry(number).or_default().push(message.trim_end().to_owned())
                }
                _ if message.starts_with("Ptx assembly aborted") => {}
                _ => {
                    said.fatal.get_or_insert((number, message.to_owned()));
                }
            }
        }
        said
    }
}

/// A form that one refuses and the other does not, or refuses in other words.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) form: String,
    pub(crate) theirs: Vec<String>,
    pub(crate) ours: Vec<String>,
}

impl Difference {
    /// Returns whether the software driver only lacks what the form needs.
    pub(crate) fn is_lacking(&self) -> bool {
        self.theirs.is_empty() && self.ours.iter().all(|text| text.ends_with(" is not supported"))
    }
}

pub(crate) struct Assembler {
    path: PathBuf,
    pub(crate) release: DriverVersion,
    machine: Machine,
}

impl Assembler {
    pub(crate) fn new(path: PathBuf) -> Assembler {
        let text = Command::new(&path).arg("--version").output().unwrap().stdout;
        let text = String::from_utf8(text).unwrap();
        let release = text.split("release ").nth(1).unwrap().split(',').next().unwrap();
        let (major, minor) = release.split_once('.').unwrap();
        let release = DriverVersion::new(major.parse().unwrap(), minor.parse().unwrap());
        cuda_sim::install_once().unwrap();
        let machine = Machine::new(Config {
            devices: 1,
            driver_version: release,
            profiles: vec![Profile::H200],
            ..Config::default()
        });
        Assembler { path, release, machine }
    }

    /// Returns whether the program takes the version and the target.
    pub(crate) fn knows(&self, header: &Header) -> bool {
        self.theirs(&header.text(&[]).0).fatal.is_none()
    }

    pub(crate) fn compare(&self, header: &Header, forms: &[String]) -> Vec<Difference> {
        let _entered = self.machine.enter();
        // SAFETY: no flags.
        let code = unsafe { cuInit(0) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        let mut context = null_mut();
        // SAFETY: valid for a write.
        let code = unsafe { cuCtxCreate_v2(&raw mut context, 0, 0) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        let mut found = Vec::new();
        let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
        for chunk in forms.chunks(1000) {
            let theirs = self.answers(header, chunk, &|text| self.theirs(text));
            let ours = self.answers(header, chunk, &|text| ours(text));
            for ((form, theirs), ours) in chunk.iter().zip(theirs).zip(ours) {
                let alike =
                    theirs.is_empty() == ours.is_empty() && ours.iter().all(|text| theirs.contains(text));
                if !alike {
                    found.push(Difference { form: (*form).to_owned(), theirs, ours });
                }
            }
        }
        // SAFETY: made above.
        let code = unsafe { cuCtxDestroy_v2(context) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        found
    }

    /// Returns the messages about each form. A form that ends the assembler is assembled on its own.
    fn answers(&self, header: &Header, forms: &[&str], ask: &dyn Fn(&str) -> Said) -> Vec<Vec<String>> {
        let mut answers = vec![Vec::new(); forms.len()];
        let mut open: Vec<usize> = (0..forms.len()).collect();
        loop {
            let texts: Vec<&str> = open.iter().map(|index| forms[*index]).collect();
            let (text, first) = header.text(&texts);
            let mut said = ask(&text);
            let Some((line, fatal)) = said.fatal else {
                for (offset, index) in open.into_iter().enumerate() {
                    answers[index] = said.lines.remove(&(first + offset)).unwrap_or_default();
                }
                return answers;
            };
            if let [only] = open[..] {
                answers[only] = vec![fatal];
                return answers;
            }
            let place = line.and_then(|line| line.checked_sub(first)).filter(|place| *place < open.len());
            if let Some(place) = place
                && let Some((_, alone)) = ask(&header.text(&[texts[place]]).0).fatal
            {
                answers[open.remove(place)] = vec![alone];
                continue;
            }
            assert!(!open.is_empty(), "{}: {fatal}", header.name());
            let (left, right) = texts.split_at(texts.len() / 2);
            let both = [self.answers(header, left, ask), self.answers(header, right, ask)].concat();
            for (index, answer) in open.into_iter().zip(both) {
                answers[index] = answer;
            }
            return answers;
        }
    }

    fn theirs(&self, text: &str) -> Said {
        let folder = std::env::temp_dir();
        let file = folder.join(format!("forms-{}-{:?}.ptx", std::process::id(), std::thread::current().id()));
        std::fs::write(&file, text).unwrap();
        let output =
            Command::new(&self.path).args(["-arch=sm_90", "-o", "/dev/null"]).arg(&file).output().unwrap();
        std::fs::remove_file(&file).unwrap();
        let log = [output.stdout, output.stderr].concat();
        let mut said = Said::of(&String::from_utf8_lossy(&log));
        if output.status.code() != Some(255) {
            said.fatal = Some((None, format!("{:?}", output.status)));
        }
        said
    }
}

fn ours(text: &str) -> Said {
    let image = CString::new(text).unwrap();
    let mut log = vec![0_u8; 64 << 20];
    let mut module = null_mut();
    let mut options =
        [CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER, CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), log.len() as *mut c_void];
    // SAFETY: the image ends with a NUL, and the log is as large as is said.
    let code = unsafe {
        cuModuleLoadDataEx(
            &raw mut module,
            image.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_ne!(code, CUresult::CUDA_SUCCESS);
    let end = log.iter().position(|byte| *byte == 0).unwrap();
    let text = String::from_utf8_lossy(&log[..end]).into_owned();
    Said::of(&text)
}
