//! Samples at random coordinates, of every geometry, format, filter and address mode. `conformance/samples.tsv` has the results of
//! an H200, and every driver must give the same.
//!
//! With `SAMPLES` set to a folder nothing is compared. Each test then writes its rows of the table there, and the words
//! behind the sums.

mod arrays;
mod colours;
mod inputs;
mod levels;
mod memory;
mod surfaces;
mod texels;

use super::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const NORMALIZED: u32 = CU_TRSF_NORMALIZED_COORDINATES;

/// The number of samples of each combination.
const SAMPLES: usize = 384;

/// The outcome of a combination.
enum Found {
    /// The words that all threads gave.
    Words(Vec<u32>),
    /// The driver refused to make it.
    Refused(CUresult),
}

/// The answers of one test: rows of the table, each with a combination in every place.
struct Sweep {
    section: &'static str,
    rows: Vec<(String, Vec<(String, Found)>)>,
}

impl Sweep {
    fn new(section: &'static str) -> Self {
        Self { section, rows: Vec::new() }
    }

    /// Begins a row.
    fn row(&mut self, name: &str) {
        self.rows.push((name.to_owned(), Vec::new()));
    }

    /// A combination, with what distinguishes it within the row.
    fn found(&mut self, name: String, found: Found) {
        self.rows.last_mut().unwrap().1.push((name, found));
    }

    /// Compares all with the table.
    fn finish(self) {
        if let Some(folder) = std::env::var_os("SAMPLES") {
            self.write(Path::new(&folder));
            return;
        }
        let table = recorded(self.section);
        // Hardware is exact.
        let bounds = if software() { bounds(self.section) } else { BTreeMap::new() };
        let mut wrong = Vec::new();
        for (row, combinations) in &self.rows {
            let Some(expected) = table.get(row.as_str()) else {
                wrong.push(format!("{row}: not in the table"));
                continue;
            };
            assert_eq!(expected.len(), combinations.len(), "{row}");
            for ((name, found), expected) in combinations.iter().zip(expected) {
                let allowed = bounds.get(&(row.as_str(), name.as_str()));
                if found.sum() != *expected && !allowed.is_some_and(|bound| bound.holds(found, expected)) {
                    wrong.push(format!("{row} {name}: {} instead of {expected}", found.sum()));
                }
            }
        }
        assert_eq!(table.len(), self.rows.len(), "rows");
        assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    }

    fn write(&self, folder: &Path) {
        let (mut table, mut words, mut index) = (String::new(), Vec::new(), String::new());
        for (row, combinations) in &self.rows {
            let sums: Vec<String> = combinations.iter().map(|(_, found)| found.sum()).collect();
            writeln!(table, "{}\t{row}\t{}", self.section, sums.join(" ")).unwrap();
            for (name, found) in combinations {
                let Found::Words(found) = found else { continue };
                writeln!(index, "{}\t{}\t{row} {name}", words.len() / 4, found.len()).unwrap();
                words.extend(found.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        for (ending, bytes) in [("tsv", table.into_bytes()), ("words", words), ("index", index.into_bytes())]
        {
            std::fs::write(folder.join(format!("{}.{ending}", self.section)), bytes).unwrap();
        }
    }
}

impl Found {
    /// The sum of the words (FNV-1a, by byte), or the code.
    fn sum(&self) -> String {
        match self {
            Self::Refused(code) => code.0.to_string(),
            Self::Words(words) => {
                // Loops, and no iterators over bytes: those take a fifth of the time of all samples without optimisation.
                let mut sum = 0xcbf2_9ce4_8422_2325_u64;
                for word in words {
                    let mut bytes = u64::from(*word) | 1 << 32;
                    while bytes > 1 {
                        sum = (sum ^ bytes & 0xff).wrapping_mul(0x0100_0000_01b3);
                        bytes >>= 8;
                    }
                }
                format!("{sum:016x}")
            }
        }
    }
}

/// Words of the software driver that differ from hardware: the largest difference, and hardware's words in these places.
struct Bound {
    /// The words are integers, and not numbers.
    integers: bool,
    greatest: f64,
    places: Vec<(usize, u32)>,
}

impl Bound {
    /// Returns whether these words would be hardware's if only the words in these places were, and no word is too far off.
    fn holds(&self, found: &Found, expected: &str) -> bool {
        let Found::Words(words) = found else { return false };
        let mut words = words.clone();
        let near = self.places.iter().all(|(place, word)| {
            let [found, expected] = [words[*place], *word].map(|word| match self.integers {
                true => f64::from(word.cast_signed()),
                false => f64::from(f32::from_bits(word)),
            });
            words[*place] = *word;
            (found - expected).abs() <= self.greatest
        });
        near && Found::Words(words).sum() == expected
    }
}

/// The bounds of a section, by row and combination.
fn bounds(section: &str) -> BTreeMap<(&'static str, &'static str), Bound> {
    let table = include_str!("../../../../../conformance/sample_bounds.tsv");
    let ours = table.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row[0] == section);
    ours.map(|columns| {
        let place = |pair: &str| {
            let (place, word) = pair.split_once(':').unwrap();
            (place.parse().unwrap(), u32::from_str_radix(word, 16).unwrap())
        };
        let places = columns[4].split(' ').map(place).collect();
        let integers = ["integer", "u32", "s32"].iter().any(|word| columns[1].contains(word));
        ((columns[1], columns[2]), Bound { integers, greatest: columns[3].parse().unwrap(), places })
    })
    .collect()
}

/// The rows of a section of the table.
fn recorded(section: &str) -> BTreeMap<&'static str, Vec<&'static str>> {
    let table = include_str!("../../../../../conformance/samples.tsv");
    table
        .lines()
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let ours = columns.next() == Some(section);
            let (name, sums) = (columns.next()?, columns.next()?);
            ours.then(|| (name, sums.split(' ').collect()))
        })
        .collect()
}

/// A kernel and what its threads are given, once for coordinates in texels and once for such from 0 to 1.
struct Probe {
    threads: Threads,
    inputs: [usize; 2],
    output: usize,
    count: usize,
}

impl Probe {
    fn new(body: &str, texels: &[Input], normalized: &[Input]) -> Self {
        assert_eq!(texels.len(), normalized.len());
        let mut threads = Threads::new(body);
        let inputs = [texels, normalized].map(|inputs| threads.device.alloc_u32(inputs.as_flattened()));
        let output = threads.device.alloc_u32(&vec![0; 4 * texels.len()]);
        Self { threads, inputs, output, count: texels.len() }
    }

    /// Other coordinates.
    fn give(&mut self, inputs: &[Input]) {
        self.inputs = [self.threads.device.alloc_u32(inputs.as_flattened()); 2];
        if self.count < inputs.len() {
            self.output = self.threads.device.alloc_u32(&vec![0; 4 * inputs.len()]);
        }
        self.count = inputs.len();
    }

    /// The first words of every thread's.
    fn run(&mut self, object: u64, normalized: bool, words: usize) -> Vec<u32> {
        let count = self.count as u32;
        let input = self.inputs[usize::from(normalized)];
        let args = [Arg::U64(object), Arg::Buffer(input), Arg::Buffer(self.output), Arg::U32(count)];
        let (blocks, threads) = (1, count.next_multiple_of(32));
        // Copies from plain host memory may not have arrived when they return, and the kernel's stream does not wait. Waiting
        // for the context would end the captures of other tests.
        must!(cuStreamSynchronize(null_mut()));
        self.threads.device.run("k", [blocks, 1, 1], [threads, 1, 1], &args);
        let all = self.threads.device.u32s(self.output);
        let mut found = Vec::with_capacity(self.count * words);
        for row in &all.as_chunks::<4>().0[..self.count] {
            found.extend_from_slice(&row[..words]);
        }
        found
    }

    /// Returns the samples of a texture, if it can be made.
    fn sample(&mut self, resource: &CUDA_RESOURCE_DESC, reading: &CUDA_TEXTURE_DESC) -> Found {
        let mut object = 0;
        let view = std::ptr::null();
        let answer = driver!(cuTexObjectCreate(&raw mut object, resource, reading, view));
        if !answer.is_success() {
            return Found::Refused(answer);
        }
        let texture = Texture(object);
        Found::Words(self.run(texture.0, reading.flags & NORMALIZED != 0, 4))
    }
}

const MODES: [(&str, CUaddress_mode); 4] =
    [("wrap", WRAP), ("clamp", CLAMP), ("mirror", MIRROR), ("border", BORDER)];
const FILTERS: [(&str, CUfilter_mode); 2] = [("point", POINT), ("linear", LINEAR)];
const UNITS: [(&str, u32); 2] = [("texels", 0), ("normalized", NORMALIZED)];

/// Every filter, unit of coordinates and address mode, with a border of colour.
fn readings(texels: &texels::Texels) -> Vec<(String, CUDA_TEXTURE_DESC)> {
    let mut readings = Vec::new();
    for (filter_name, filter) in FILTERS {
        for (unit_name, unit) in UNITS {
            for (mode_name, mode) in MODES {
                let mut reading = reading(mode, filter, texels.flags | unit);
                reading.borderColor = texels.border();
                readings.push((format!("{filter_name} {unit_name} {mode_name}"), reading));
            }
        }
    }
    readings
}
