//! Sets of addresses, as sorted ranges, and the addresses of the process.

use core::ops::Range;

/// Joins ranges that overlap or touch, and sorts them.
pub(crate) fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Returns sorted ranges without other ranges.
pub(crate) fn without(ranges: Vec<Range<u64>>, away: Vec<Range<u64>>) -> Vec<Range<u64>> {
    let away = merged(away);
    let mut left = Vec::new();
    for range in ranges {
        let mut start = range.start;
        let first = away.partition_point(|hole| hole.end <= start);
        for hole in away.iter().skip(first).take_while(|hole| hole.start < range.end) {
            left.push(start..hole.start.max(start));
            start = start.max(hole.end);
        }
        left.push(start..range.end.max(start));
    }
    left.retain(|range| range.start < range.end);
    left
}

/// Permissions of a range of the process's addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) range: Range<u64>,
    pub(crate) readable: bool,
    pub(crate) writable: bool,
    /// True if writes go to a file that outlives the process.
    pub(crate) is_of_file: bool,
}

fn parse_number(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

/// Returns the memory of this process, as the system reports it, or `None` if it does not.
pub(crate) fn of_process() -> Option<Vec<Mapping>> {
    // Under Wine the file exists, and belongs to another process.
    if cfg!(not(target_os = "linux")) {
        return None;
    }
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let parse = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        // The line has permissions, an offset, a device, a number, and usually a path.
        let mut parts = rest.split_ascii_whitespace();
        let (flags, number, path) =
            (parts.next()?.as_bytes(), parts.nth(2)?, parts.next().unwrap_or_default());
        let usable = path != "[vvar]";
        let in_memory = ["/dev/", "/memfd:", "/SYSV", "/anon"].iter().any(|start| path.starts_with(start));
        Some(Mapping {
            range: parse_number(start)?..parse_number(end)?,
            readable: flags.first() == Some(&b'r') && usable,
            writable: flags.get(1) == Some(&b'w') && usable,
            is_of_file: flags.get(3) == Some(&b's') && number != "0" && !in_memory,
        })
    };
    Some(maps.lines().filter_map(parse).collect())
}

/// Returns whether a range is in mappings that can be read, written if requested, and page-locked. Files cannot be
/// page-locked (measured).
pub(crate) fn can_be_locked(mappings: &[Mapping], wanted: &Range<u64>, writable: bool) -> bool {
    let allows =
        |mapping: &&Mapping| mapping.readable && (mapping.writable || !writable) && !mapping.is_of_file;
    let fitting = mappings.iter().filter(allows);
    let ranges = merged(fitting.map(|mapping| mapping.range.clone()).collect());
    ranges.iter().any(|range| range.start <= wanted.start && wanted.end <= range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_cut_out() {
        let left = without(vec![0..100, 200..300], vec![250..260, 40..48, 0..8, 90..210]);
        assert_eq!(left, [8..40, 48..90, 210..250, 260..300]);
        assert!(without(vec![16..32, 40..48], vec![8..33, 33..64]).is_empty());
        assert_eq!(without(vec![16..32, 40..48], vec![]), [16..32, 40..48]);
    }

    #[test]
    fn ranges_are_joined() {
        assert_eq!(merged(vec![30..40, 0..10, 10..20, 15..18, 38..50]), [0..20, 30..50]);
    }

    #[test]
    fn mappings_have_to_follow_each_other() {
        let mapping = |range, readable, writable| Mapping { range, readable, writable, is_of_file: false };
        let known = [
            mapping(0..10, true, true),
            mapping(10..20, true, false),
            mapping(20..30, false, false),
            mapping(40..50, true, true),
        ];
        assert!(can_be_locked(&known, &(2..10), true));
        assert!(!can_be_locked(&known, &(2..11), true));
        assert!(can_be_locked(&known, &(2..20), false));
        assert!(!can_be_locked(&known, &(2..21), false));
        assert!(!can_be_locked(&known, &(32..34), false));
        let file = Mapping { is_of_file: true, ..known[0].clone() };
        assert!(!can_be_locked(&[file], &(2..10), true));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_variable_is_mapped() {
        let mappings = of_process().unwrap_or_default();
        let mut variable = 0_u64;
        let start = (&raw mut variable).addr() as u64;
        assert!(can_be_locked(&mappings, &(start..start + 8), true));
        assert!(!can_be_locked(&mappings, &(0..8), false));
    }
}
