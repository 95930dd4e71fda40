//! Times of several ways to do the same, in turns.

use std::time::Instant;

/// A way to do something: does it so many times.
pub(crate) type Rounds<'a> = Box<dyn FnMut(u32) + 'a>;

/// `again`, so many times.
pub(crate) fn rounds<'a>(mut again: impl FnMut() + 'a) -> Rounds<'a> {
    Box::new(move |rounds| (0..rounds).for_each(|_| again()))
}

/// A library's way to do an operation.
pub(crate) struct Way<'a> {
    pub(crate) library: &'static str,
    pub(crate) run: Rounds<'a>,
}

/// Something that every library does in its own way; the first way is what the others are compared with.
pub(crate) struct Operation<'a> {
    pub(crate) name: &'static str,
    /// The number of rounds in a block on a driver that works.
    pub(crate) real_rounds: u32,
    pub(crate) ways: Vec<Way<'a>>,
}

/// A figure with its 95% interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Nanoseconds of one way, and how much more than the first way's that is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    pub(crate) each: Figure,
    pub(crate) more: Figure,
}

/// The ways take turns, each in blocks of so many rounds, in another order each time. `settle` runs after each block, and is
/// not timed.
pub(crate) fn times(ways: &mut [Way<'_>], blocks: usize, rounds: u32, settle: &dyn Fn()) -> Vec<Time> {
    let mut samples = vec![Vec::with_capacity(blocks); ways.len()];
    let mut order: Vec<usize> = (0..ways.len()).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for block in 0..blocks + 2 {
        for left in (1..order.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            order.swap(left, state as usize % (left + 1));
        }
        for &index in &order {
            let start = Instant::now();
            (ways[index].run)(rounds);
            let time = start.elapsed().as_nanos() as f64 / f64::from(rounds);
            settle();
            // The first blocks warm up.
            if block >= 2 {
                samples[index].push(time);
            }
        }
    }
    let first = samples[0].clone();
    samples
        .into_iter()
        .map(|times| {
            let more: Vec<f64> = times.iter().zip(&first).map(|(time, first)| time - first).collect();
            Time { each: figure(times), more: figure(more) }
        })
        .collect()
}

/// Returns the median, and a 95% interval of the median of all possible samples. For any distribution, the number of samples below
/// that median is binomial.
#[allow(dead_code)] // only the benchmark takes times
pub(crate) fn figure(mut samples: Vec<f64>) -> Figure {
    samples.sort_by(f64::total_cmp);
    let (middle, last) = (samples.len() / 2, samples.len() - 1);
    let reach = (0.98 * (samples.len() as f64).sqrt()).ceil() as usize;
    Figure {
        median: samples[middle],
        low: samples[middle.saturating_sub(reach)],
        high: samples[last.min(middle + reach)],
    }
}
