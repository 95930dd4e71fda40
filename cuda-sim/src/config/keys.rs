//! The entries of a configuration's text: their names, and the code that reads and writes each.

use super::peers;
use crate::decimal::decimal;
use crate::{Config, FaultRule, FreedPoolMemory, HandleReuse, KernelFault, Profile, Schedule};
use cuda_sys::DriverVersion;
use std::path::{Path, PathBuf};

/// Name of an entry, its permitted values, and its reader and writer. A value that equals the default is not written.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) allowed: &'static str,
    pub(super) read: fn(&mut Config, &str) -> Option<()>,
    pub(super) write: Write,
}

/// Writer of the values of entries with one name.
pub(super) enum Write {
    /// Writer of an entry that occurs at most once.
    One(fn(&Config) -> Option<String>),
    /// Writer of an entry that may occur several times.
    Several(fn(&Config) -> Vec<String>),
}

impl Key {
    pub(super) fn write(&self, config: &Config) -> Vec<String> {
        match self.write {
            Write::One(write) => write(config).into_iter().collect(),
            Write::Several(write) => write(config),
        }
    }
}

/// Returns a path as text, unless it cannot be the value of an entry.
pub(super) fn path_text(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    let is_whole = !path.is_empty() && !path.contains(',') && path.trim() == path;
    is_whole.then(|| path.to_owned())
}

const SWITCH_ALLOWED: &str = "on or off is allowed";

/// Reads a switch.
fn switch(to: &mut bool, value: &str) -> Option<()> {
    *to = match value {
        "on" => true,
        "off" => false,
        _ => return None,
    };
    Some(())
}

fn switch_text(is_on: bool) -> String {
    if is_on { "on" } else { "off" }.to_owned()
}

const PATH_ALLOWED: &str = "the path of a file is allowed";

/// Reads the path of a file.
fn path(to: &mut Option<PathBuf>, value: &str) -> Option<()> {
    *to = Some(value).filter(|path| !path.is_empty()).map(PathBuf::from);
    to.is_some().then_some(())
}

pub(super) static KEYS: &[Key] = &[
    Key {
        name: "devices",
        allowed: "a number from 0 to 64 is allowed",
        read: |config, value| {
            config.devices = decimal(value).filter(|count| *count <= Config::MAX_DEVICES)?;
            Some(())
        },
        write: Write::One(|config| Some(config.devices.min(Config::MAX_DEVICES).to_string())),
    },
    Key {
        name: "visible",
        allowed: "places of devices with + between them are allowed, such as 1+0",
        read: |config, value| {
            let places = value.split('+').filter(|_| !value.is_empty());
            config.visible = Some(places.map(decimal).collect::<Option<_>>()?);
            Some(())
        },
        write: Write::One(|config| {
            let places = config.visible.as_ref()?.iter().map(u32::to_string);
            Some(places.collect::<Vec<_>>().join("+"))
        }),
    },
    Key {
        name: "memory",
        allowed: "bytes for each device are allowed, with K, M, G or T for powers of 1024, such as 4G",
        read: |config, value| {
            config.memory_bytes = with_unit(value)?;
            Some(())
        },
        write: Write::One(|config| Some(config.memory_bytes.to_string())),
    },
    Key {
        name: "version",
        allowed: "a CUDA release from 11.0 on is allowed, such as 12.4",
        read: |config, value| {
            config.driver_version = release(value)?;
            Some(())
        },
        write: Write::One(|config| Some(config.driver_version.to_string())),
    },
    Key {
        name: "profile",
        allowed: "names of devices with + between them are allowed: h200, h100, a100, t4, rtx4090, gh200, thor, gb10; each may \
                  have -nouva for one without unified addressing or -pageable for one that reaches all memory of the host, and then \
                  -nopools for one without memory pools",
        read: |config, value| {
            config.profiles = value.split('+').map(Profile::named).collect::<Option<_>>()?;
            Some(())
        },
        write: Write::One(|config| {
            let names = config.profiles.iter().map(Profile::own_name).collect::<Option<Vec<_>>>()?;
            (!names.is_empty()).then(|| names.join("+"))
        }),
    },
    Key {
        name: "peers",
        allowed: peers::PEERS_ALLOWED,
        read: peers::read_peers,
        write: Write::One(peers::write_peers),
    },
    Key {
        name: "link",
        allowed: peers::LINK_ALLOWED,
        read: peers::read_link,
        write: Write::One(peers::write_link),
    },
    Key {
        name: "max-peers",
        allowed: "a number is allowed",
        read: |config, value| {
            config.max_peers = Some(decimal(value)?);
            Some(())
        },
        write: Write::One(|config| config.max_peers.map(|most| most.to_string())),
    },
    Key {
        name: "schedule",
        allowed: Schedule::ALLOWED,
        read: |config, value| {
            config.schedule = Schedule::read(value)?;
            Some(())
        },
        write: Write::One(|config| Some(config.schedule.to_string())),
    },
    Key {
        name: "handles",
        allowed: "fresh (never used again) or recycled (at once, as hardware does) is allowed",
        read: |config, value| {
            config.handles = match value {
                "fresh" => HandleReuse::Never,
                "recycled" => HandleReuse::AtOnce,
                _ => return None,
            };
            Some(())
        },
        write: Write::One(|config| {
            let word = match config.handles {
                HandleReuse::Never => "fresh",
                HandleReuse::AtOnce => "recycled",
            };
            Some(word.to_owned())
        }),
    },
    Key {
        name: "freed-pool-memory",
        allowed: "faults or mapped is allowed",
        read: |config, value| {
            config.freed_pool_memory = match value {
                "faults" => FreedPoolMemory::Faults,
                "mapped" => FreedPoolMemory::Mapped,
                _ => return None,
            };
            Some(())
        },
        write: Write::One(|config| match config.freed_pool_memory {
            FreedPoolMemory::ByHandles => None,
            FreedPoolMemory::Faults => Some("faults".to_owned()),
            FreedPoolMemory::Mapped => Some("mapped".to_owned()),
        }),
    },
    Key {
        name: "threads",
        allowed: "how many threads of the host run kernels is allowed, up to 256; 0 for as many as there are \
                  processors",
        read: |config, value| {
            config.host_threads = decimal(value)?;
            Some(())
        },
        write: Write::One(|config| Some(config.host_threads.to_string())),
    },
    Key {
        name: "vectors",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.vector_instructions, value),
        write: Write::One(|config| Some(switch_text(config.vector_instructions))),
    },
    Key {
        name: "kernel-limit",
        allowed: "a number of instructions is allowed, with K, M, G or T for powers of 1024, or none",
        read: |config, value| {
            config.kernel_limit = match value {
                "none" => None,
                number => Some(with_unit(number)?),
            };
            Some(())
        },
        write: Write::One(|config| {
            Some(config.kernel_limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string()))
        }),
    },
    Key {
        name: "fault",
        allowed: FaultRule::ALLOWED,
        read: |config, value| {
            config.faults.push(FaultRule::from_text(value)?);
            Some(())
        },
        write: Write::Several(|config| config.faults.iter().filter_map(FaultRule::text).collect()),
    },
    Key {
        name: "kernel-fault",
        allowed: KernelFault::ALLOWED,
        read: |config, value| {
            config.kernel_faults.push(KernelFault::from_text(value)?);
            Some(())
        },
        write: Write::Several(|config| config.kernel_faults.iter().filter_map(KernelFault::text).collect()),
    },
    Key {
        name: "calls",
        allowed: PATH_ALLOWED,
        read: |config, value| path(&mut config.calls, value),
        write: Write::One(|config| path_text(config.calls.as_deref()?)),
    },
    Key {
        name: "counts",
        allowed: PATH_ALLOWED,
        read: |config, value| path(&mut config.counts, value),
        write: Write::One(|config| path_text(config.counts.as_deref()?)),
    },
    Key {
        name: "leaks",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.report_leaks, value),
        write: Write::One(|config| Some(switch_text(config.report_leaks))),
    },
    Key {
        name: "reports",
        allowed: PATH_ALLOWED,
        read: |config, value| path(&mut config.reports, value),
        write: Write::One(|config| path_text(config.reports.as_deref()?)),
    },
    Key {
        name: "memcheck",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.memcheck, value),
        write: Write::One(|config| Some(switch_text(config.memcheck))),
    },
    Key {
        name: "initcheck",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.initcheck, value),
        write: Write::One(|config| Some(switch_text(config.initcheck))),
    },
    Key {
        name: "racecheck",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.racecheck, value),
        write: Write::One(|config| Some(switch_text(config.racecheck))),
    },
    Key {
        name: "streamcheck",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.streamcheck, value),
        write: Write::One(|config| Some(switch_text(config.streamcheck))),
    },
    Key {
        name: "synccheck",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.synccheck, value),
        write: Write::One(|config| Some(switch_text(config.synccheck))),
    },
    Key {
        name: "backtraces",
        allowed: SWITCH_ALLOWED,
        read: |config, value| switch(&mut config.backtraces, value),
        write: Write::One(|config| Some(switch_text(config.backtraces))),
    },
];

/// Parses a number with an optional unit.
pub(super) fn with_unit(text: &str) -> Option<u64> {
    let (digits, unit) = match text.char_indices().last()? {
        (end, 'K') => (&text[..end], 1 << 10),
        (end, 'M') => (&text[..end], 1 << 20),
        (end, 'G') => (&text[..end], 1 << 30),
        (end, 'T') => (&text[..end], 1 << 40),
        _ => (text, 1),
    };
    decimal::<u64>(digits)?.checked_mul(unit)
}

pub(super) fn release(text: &str) -> Option<DriverVersion> {
    let (major, minor) = text.split_once('.')?;
    let (major, minor) = (decimal::<u8>(major)?, decimal::<u8>(minor).filter(|minor| *minor < 100)?);
    Some(DriverVersion::new(major.into(), minor.into())).filter(|version| *version >= OLDEST)
}

/// Oldest simulated release.
pub(super) const OLDEST: DriverVersion = DriverVersion::new(11, 0);
