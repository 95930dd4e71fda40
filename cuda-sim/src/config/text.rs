//! A configuration as text, for environment variables.

use super::Config;
use super::keys::{KEYS, Write};
use core::fmt;

/// Error in the text of a [`Config`]: the entry, and the permitted values.
///
/// ```
/// let error = cuda_sim::Config::from_text("devices=many").unwrap_err();
/// assert_eq!(error.to_string(), "devices=many: a number from 0 to 64 is allowed");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// Environment variable that contains the entry, if there is one.
    variable: Option<&'static str>,
    entry: String,
    allowed: String,
}

impl ConfigError {
    pub(super) fn new(entry: String, allowed: String) -> ConfigError {
        ConfigError { variable: None, entry, allowed }
    }

    pub(super) fn in_variable(self, variable: &'static str) -> ConfigError {
        ConfigError { variable: Some(variable), ..self }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variable) = self.variable {
            write!(formatter, "{variable}: ")?;
        }
        write!(formatter, "{}: {}", self.entry, self.allowed)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads a configuration from a text of entries, separated by commas. A missing entry has its value in the
    /// [default](Config::default). [`Display`](fmt::Display) writes such a text.
    ///
    /// | entry | meaning |
    /// |---|---|
    /// | `devices=4` | [`devices`](Config::devices), up to [`MAX_DEVICES`](Config::MAX_DEVICES) |
    /// | `visible=1+0` | [`visible`](Config::visible) |
    /// | `memory=2G` | [`memory_bytes`](Config::memory_bytes), with `K`, `M`, `G` or `T` for powers of 1024 |
    /// | `version=12.4` | [`driver_version`](Config::driver_version), from 11.0 on |
    /// | `profile=a100+t4` | [`profiles`](Config::profiles): `h200`, `h100`, `a100`, `t4`, `rtx4090`, `gh200`, `thor`, `gb10`; optional suffixes are `-nouva` ([without unified addressing](crate::Profile::without_unified_addressing)) or `-pageable` ([with access to all memory of the host](crate::Profile::with_pageable_memory_access)), and then `-nopools` ([without memory pools](crate::Profile::without_memory_pools)) |
    /// | `peers=0-1+2-3` | [`peers`](Config::peers): `all`, `none`, groups, or [links of one direction](crate::DirectedLink) such as `0>1:pcie+1>2` |
    /// | `link=pcie` | [`peer_link`](Config::peer_link): `nvlink` or `pcie` |
    /// | `max-peers=8` | [`max_peers`](Config::max_peers) |
    /// | `schedule=random:7` | [`schedule`](Config::schedule): `eager`, `lazy`, `random:` and a seed, or `replay:` and the [operations that are held back](crate::Replay) |
    /// | `handles=recycled` | [`handles`](Config::handles): `fresh` or `recycled` |
    /// | `freed-pool-memory=mapped` | [`freed_pool_memory`](Config::freed_pool_memory): `faults` or `mapped` |
    /// | `threads=1` | [`host_threads`](Config::host_threads), `0` for all processors; over 256 counts as 256 |
    /// | `vectors=off` | [`vector_instructions`](Config::vector_instructions): `on` or `off` |
    /// | `kernel-limit=16G` | [`kernel_limit`](Config::kernel_limit), with `K`, `M`, `G` or `T` for powers of 1024, or `none` |
    /// | `fault=cuMemAlloc_v2:2` | [`faults`](Config::faults): a [function](crate::FaultRule::new) or [`any`](crate::FaultRule::any), and a code by its number or its name. Optional parts are `:skip-N`, `:times-N`, `:after` ([the work](crate::FaultRule::after_work)), `:sticky` and `:device-N`. May be repeated |
    /// | `kernel-fault=add:700` | [`kernel_faults`](Config::kernel_faults): a [kernel and a code](crate::KernelFault::new). Optional parts are `:line-N` or `:instruction-N`, `:skip-N` and `:times-N`. May be repeated |
    /// | `calls=calls.txt` | [`calls`](Config::calls): the file to which calls are written |
    /// | `counts=counts.txt` | [`counts`](Config::counts): the file to which counts of instructions are written |
    /// | `leaks=on` | [`report_leaks`](Config::report_leaks): `on` or `off` |
    /// | `reports=reports.json` | [`reports`](Config::reports): the file to which reports are appended |
    /// | `memcheck=on` | [`memcheck`](Config::memcheck): `on` or `off` |
    /// | `initcheck=on` | [`initcheck`](Config::initcheck): `on` or `off` |
    /// | `racecheck=on` | [`racecheck`](Config::racecheck): `on` or `off` |
    /// | `streamcheck=on` | [`streamcheck`](Config::streamcheck): `on` or `off` |
    /// | `synccheck=on` | [`synccheck`](Config::synccheck): `on` or `off` |
    /// | `backtraces=on` | [`backtraces`](Config::backtraces): `on` or `off` |
    ///
    /// # Errors
    ///
    /// The first entry that is unknown, that occurs twice although it may not be repeated, or whose value is invalid.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::Config;
    ///
    /// let config = Config::from_text("devices=4, memory=2G, version=12.4")?;
    /// assert_eq!((config.devices, config.memory_bytes), (4, 2 << 30));
    /// assert_eq!(config.driver_version.to_string(), "12.4");
    /// assert_eq!(config.to_string(), "devices=4,memory=2147483648,version=12.4");
    /// assert!(Config::from_text("device=4").is_err());
    /// # Ok::<(), cuda_sim::ConfigError>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Config, ConfigError> {
        Config::default().with_text(text)
    }

    /// Applies a text that [`from_text`](Config::from_text) reads to this configuration instead of the default one.
    ///
    /// # Errors
    ///
    /// Same as [`from_text`](Config::from_text).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::Config;
    ///
    /// let config = Config { devices: 4, ..Config::default() }.with_text("memory=2G")?;
    /// assert_eq!((config.devices, config.memory_bytes), (4, 2 << 30));
    /// # Ok::<(), cuda_sim::ConfigError>(())
    /// ```
    pub fn with_text(self, text: &str) -> Result<Config, ConfigError> {
        let mut config = self;
        let mut seen: Vec<&str> = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let wrong = |allowed: String| ConfigError::new(entry.to_owned(), allowed);
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            let (name, value) = (name.trim(), value.trim());
            let Some(key) = KEYS.iter().find(|key| key.name == name && entry.contains('=')) else {
                let names: Vec<String> = KEYS.iter().map(|key| format!("{}=…", key.name)).collect();
                return Err(wrong(format!("{} are allowed", names.join(", "))));
            };
            if seen.contains(&name) && matches!(key.write, Write::One(_)) {
                return Err(wrong("it is there twice".to_owned()));
            }
            seen.push(name);
            (key.read)(&mut config, value).ok_or_else(|| wrong(key.allowed.to_owned()))?;
        }
        Ok(config)
    }
}

impl fmt::Display for Config {
    /// Writes the differences from the default, as text for [`from_text`](Config::from_text). Values that have no text
    /// are omitted:
    ///
    /// - profiles and links without a name
    /// - rules for one context or one thread
    /// - faults of kernels whose name is invalid in PTX
    /// - paths that are not UTF-8, contain a comma, or begin or end with blanks
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Config::default();
        let changed = KEYS.iter().filter(|key| key.write(self) != key.write(&usual));
        let entries = changed
            .flat_map(|key| key.write(self).into_iter().map(move |value| format!("{}={value}", key.name)));
        formatter.write_str(&entries.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, KEYS};
    use crate::{DirectedLink, PeerLink, Peers};
    use crate::{FaultRule, FreedPoolMemory, HandleReuse, KernelFault, Profile, Schedule};
    use cuda_sys::{CUresult, DriverVersion, Symbol};
    use proptest::prelude::*;

    #[test]
    fn kernel_threads_are_limited() {
        for (text, threads) in [("threads=1", 1), ("threads=256", 256), ("threads=18446744073709551615", 256)]
        {
            let config = Config::from_text(text);
            assert_eq!(config.map(|config| config.kernel_threads()), Ok(threads), "{text}");
        }
        assert!((1..=256).contains(&Config::default().kernel_threads()));
    }

    fn rule() -> impl Strategy<Value = FaultRule> {
        let functions = vec![None, Some(Symbol::cuInit), Some(Symbol::cuMemAlloc_v2)];
        let numbers = any::<(u32, u32, u32)>();
        let marks = any::<(bool, bool)>();
        let device = proptest::option::of(0..i32::MAX);
        (proptest::sample::select(functions), numbers, marks, device).prop_map(
            |(function, (code, skip, times), (after, sticky), device)| {
                // Codes with and without names.
                let code = cuda_sys::cudaError_enum(code % 1024);
                let rule = function.map_or(FaultRule::any(code), |function| FaultRule::new(function, code));
                let rule = rule.skip(skip).times(times);
                let rule = if after { rule.after_work() } else { rule };
                let rule = if sticky { rule.sticky() } else { rule };
                device.map_or(rule.clone(), |device| rule.on_device(device))
            },
        )
    }

    fn kernel_fault() -> impl Strategy<Value = KernelFault> {
        let (name, numbers) = ("[a-zA-Z_$][a-zA-Z0-9_$]{0,9}", any::<(u32, u32)>());
        let place = prop_oneof![
            any::<u32>().prop_map(|line| (Some(line), None)),
            any::<u64>().prop_map(|step| (None, Some(step))),
            Just((None, None)),
        ];
        (name, numbers, place).prop_filter_map("a code of kernels", |(name, (skip, times), (line, step))| {
            let fault = KernelFault::new(&name, CUresult::CUDA_ERROR_ASSERT)?.skip(skip).times(times);
            let fault = line.map_or(fault.clone(), |line| fault.at_line(line));
            Some(step.map_or(fault.clone(), |step| fault.at_instruction(step)))
        })
    }

    fn schedule() -> impl Strategy<Value = Schedule> {
        let call = || (proptest::sample::select(vec!["cuInit", "cuLaunchKernel"]), 1..=u32::MAX);
        let hold =
            (call(), 1_u32..4, proptest::option::of(call())).prop_map(|((name, nth), place, until)| {
                let until = until.map_or_else(String::new, |(name, nth)| format!("@{name}-{nth}"));
                format!("{name}-{nth}.{place}{until}")
            });
        let replay = proptest::collection::vec(hold, 0..3);
        // A text that names an operation twice is refused.
        let replay =
            replay.prop_filter_map("a schedule", |holds| format!("replay:{}", holds.join("+")).parse().ok());
        prop_oneof![Just(Schedule::Lazy), any::<u64>().prop_map(Schedule::Random), replay]
    }

    fn peers() -> impl Strategy<Value = Peers> {
        let groups = proptest::collection::vec(proptest::collection::vec(any::<u32>(), 1..4), 1..3);
        let link = proptest::sample::select(vec![None, Some(PeerLink::NVLINK), Some(PeerLink::PCIE)]);
        let links = (any::<(u32, u32)>(), link).prop_map(|((device, peer), link)| DirectedLink {
            device,
            peer,
            link,
        });
        prop_oneof![
            Just(Peers::None),
            groups.prop_map(Peers::Islands),
            proptest::collection::vec(links, 1..4).prop_map(Peers::Links),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            devices in 0..=Config::MAX_DEVICES,
            visible in proptest::option::of(proptest::collection::vec(any::<u32>(), 0..4)),
            memory_bytes in any::<u64>(),
            (major, minor) in (11_u16..=255, 0_u16..100),
            names in proptest::collection::vec(
                proptest::sample::select(vec![
                    "h200", "h100", "a100-nouva", "t4", "rtx4090-pageable", "gh200", "thor", "gb10-nouva", "h200-nopools",
                    "t4-nouva-nopools",
                ]), 1..4),
            peers in peers(),
            schedule in schedule(),
            (recycled, vector_instructions, host_threads) in any::<(bool, bool, usize)>(),
            freed_pool_memory in proptest::sample::select(vec![
                FreedPoolMemory::ByHandles,
                FreedPoolMemory::Faults,
                FreedPoolMemory::Mapped,
            ]),
            (max_peers, kernel_limit) in any::<(Option<u32>, Option<u64>)>(),
            faults in proptest::collection::vec(rule(), 0..3),
            kernel_faults in proptest::collection::vec(kernel_fault(), 0..3),
            [calls, counts, reports] in [(); 3].map(|()| proptest::option::of("[a-z/.=:-]{1,9}")),
            [report_leaks, memcheck, initcheck, racecheck] in any::<[bool; 4]>(),
            [streamcheck, synccheck, backtraces] in any::<[bool; 3]>(),
        ) {
            let driver_version = DriverVersion::new(major, minor);
            let config = Config {
                devices,
                visible,
                profiles: names.iter().filter_map(|name| Profile::named(name)).collect(),
                memory_bytes,
                driver_version,
                peers,
                peer_link: PeerLink::PCIE,
                max_peers,
                schedule,
                handles: if recycled { HandleReuse::AtOnce } else { HandleReuse::Never },
                freed_pool_memory,
                host_threads,
                vector_instructions,
                kernel_limit,
                faults,
                kernel_faults,
                calls: calls.map(Into::into),
                counts: counts.map(Into::into),
                report_leaks,
                reports: reports.map(Into::into),
                memcheck,
                initcheck,
                racecheck,
                streamcheck,
                synccheck,
                backtraces,
            };
            let read = Config::from_text(&config.to_string()).map_err(|error| {
                TestCaseError::fail(error.to_string())
            })?;
            prop_assert_eq!(read, config);
        }

        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let _ = Config::from_text(&text);
            let _ = Config::from_text(&format!("memory={text}"));
            for key in KEYS {
                let _ = Config::from_text(&format!("{}={text}", key.name));
            }
        }
    }

    #[test]
    fn rules_are_read() {
        let read = |text: &str| Config::from_text(text).unwrap_or_default();
        let config = read(
            "fault=cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY:skip-1:times-2:after, fault=any:999:sticky:device-1, \
             kernel-fault=add:700:line-12:skip-3",
        );
        let memory = FaultRule::new(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        let any = FaultRule::any(CUresult::CUDA_ERROR_UNKNOWN).sticky().on_device(1);
        assert_eq!(config.faults, [memory.clone().skip(1).times(2).after_work(), any]);
        let fault = KernelFault::new("add", CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        assert_eq!(config.kernel_faults.first(), fault.map(|fault| fault.at_line(12).skip(3)).as_ref());
        // The per-thread twin names the same function.
        assert_eq!(read("fault=cuMemcpy_ptds:1"), read("fault=cuMemcpy:1"));
        assert_ne!(read("fault=cuMemcpy:1"), Config::default());
        // Rules without a text are omitted.
        let config = Config { faults: vec![memory.clone(), memory.on_this_thread()], ..Config::default() };
        assert_eq!(config.to_string(), "fault=cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY");
        let calls = Some("a,b".into());
        assert_eq!(Config { calls, ..Config::default() }.to_string(), "");
    }

    #[test]
    fn profiles_with_suffixes_are_read_and_written() {
        let profiles = vec![
            Profile::H200.without_memory_pools(),
            Profile::A100.without_unified_addressing(),
            Profile::T4.without_unified_addressing().without_memory_pools(),
            Profile::H100.with_pageable_memory_access().without_memory_pools(),
        ];
        let config = Config { profiles, ..Config::default() };
        let text = "profile=h200-nopools+a100-nouva+t4-nouva-nopools+h100-pageable-nopools";
        assert_eq!(config.to_string(), text);
        assert_eq!(Config::from_text(text), Ok(config));
        assert!(Config::from_text("profile=h200-nopools-nouva").is_err());
    }

    #[test]
    fn peers_without_a_text_are_left_out_or_none() {
        for peers in [Peers::Islands(Vec::new()), Peers::Links(Vec::new())] {
            let text = Config { peers, ..Config::default() }.to_string();
            assert_eq!(text, "peers=none", "they connect nothing");
        }
        let link = Some(PeerLink { arrays: false, ..PeerLink::PCIE });
        let peers = Peers::Links(vec![DirectedLink { device: 0, peer: 1, link }]);
        assert_eq!(Config { peers, ..Config::default() }.to_string(), "");
    }

    #[test]
    fn errors_name_the_entry_and_what_is_allowed() {
        let said = |text: &str| Config::from_text(text).map(drop).map_err(|error| error.to_string());
        for text in [
            "devices=",
            "devices=-1",
            "devices=+1",
            "devices=65",
            "devices=4x",
            "memory=G",
            "memory=99999999T",
            "memory=1g",
            "version=12",
            "version=12.4.1",
            "version=10.2",
            "version=",
            "visible=1+",
            "visible=a",
            "devices",
            "device=1",
            "=",
            "fault=",
            "fault=cuMemAlloc_v2",
            "fault=cuMemAlloc_v9:2",
            "fault=any:CUDA_ERROR_NOTHING",
            "fault=any:2:skip",
            "fault=any:2:skip-x",
            "fault=any:2:after-1",
            "peers=0>",
            "peers=0>1:ethernet",
            "peers=0>1-2",
            "link=ethernet",
            "kernel-fault=:700",
            "kernel-fault=k:2",
            "kernel-fault=k:700:line-",
            "kernel-limit=",
            "kernel-limit=-1",
            "kernel-limit=off",
            "calls=",
            "counts=",
            "reports=",
            "memcheck=yes",
            "leaks=yes",
            "freed-pool-memory=",
            "devices=1,devices=1",
        ] {
            let last = text.rsplit(',').next().unwrap_or_default();
            let error = said(text).err().unwrap_or_default();
            assert!(error.starts_with(&format!("{last}: ")), "{text}: {error:?}");
            let name = last.split('=').next().unwrap_or_default();
            if let Some(key) = KEYS.iter().find(|key| key.name == name && text.matches(name).count() == 1) {
                assert!(error.contains(key.allowed) || !last.contains('='), "{error}");
            }
        }
        assert_eq!(said("fault=any:2,fault=any:2,kernel-fault=k:700,kernel-fault=k:700"), Ok(()));
        assert_eq!(said(""), Ok(()));
        assert_eq!(said(" devices = 1 , "), Ok(()));
    }
}
