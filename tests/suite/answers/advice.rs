//! Questions about ranges of managed memory: advice, prefetches, and queries.

use super::managed::{BYTES, memory};
use super::memory::{managed, page_locked_bytes, pages};
use super::{Answers, DEVICE, HOST, NUMA_NODE, NUMA_NODE_CURRENT, Question, location, synchronize};
use cuda_suite::code;
use cuda_suite::raw::{allocate, stream};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "managed-range", devices: 1, ask: range_at_first },
    Question { name: "managed-range-refused", devices: 1, ask: range_refused },
    Question { name: "managed-advise", devices: 1, ask: advise },
    Question { name: "managed-advise-refused", devices: 1, ask: advise_refused },
    Question { name: "managed-advise-page", devices: 1, ask: advise_page },
    Question { name: "managed-advise-places", devices: 1, ask: advise_places },
    Question { name: "managed-prefetch", devices: 1, ask: prefetch },
    Question { name: "managed-prefetch-refused", devices: 1, ask: prefetch_refused },
    Question { name: "managed-prefetch-places", devices: 1, ask: prefetch_places },
    Question { name: "managed-prefetch-batch", devices: 1, ask: prefetch_batch },
    Question { name: "managed-discard", devices: 1, ask: discard },
];

/// An attribute of a range, in so many bytes.
pub(super) fn of_range(memory: CUdeviceptr, bytes: usize, attribute: u32, size: usize) -> (CUresult, String) {
    let mut data = [0x77_i32; 8];
    let attribute = CUmem_range_attribute(attribute);
    let code = code!(cuMemRangeGetAttribute(data.as_mut_ptr().cast(), size, attribute, memory, bytes));
    let shown: Vec<String> = data.iter().take(size / 4).map(i32::to_string).collect();
    (code, shown.join("/"))
}

pub(super) fn one(answers: &mut Answers, memory: CUdeviceptr, bytes: usize, attribute: u32) {
    let (code, shown) = of_range(memory, bytes, attribute, 4);
    answers.given(code, shown);
}

/// All attributes of the memory, and three places for devices that access it.
fn state(answers: &mut Answers, memory: CUdeviceptr) {
    let shown = (1..9).map(|attribute| {
        let (code, shown) = of_range(memory, BYTES, attribute, 4);
        if code.is_success() { shown } else { format!("!{}", code.0) }
    });
    answers.value(shown.collect::<Vec<_>>().join("/"));
    let (code, shown) = of_range(memory, BYTES, 3, 12);
    answers.given(code, shown);
}

fn range_at_first(answers: &mut Answers) {
    let memory = memory(BYTES);
    state(answers, memory);
    let (code, shown) = of_range(memory, BYTES, 3, 16);
    answers.given(code, shown);
    let mut places = [[0x77_i32; 2]; 3];
    let mut data = places.each_mut().map(|place| place.as_mut_ptr().cast());
    let (mut sizes, mut kinds) = ([4, 4, 8], [1, 2, 3].map(CUmem_range_attribute));
    let (data, sizes, kinds) = (data.as_mut_ptr(), sizes.as_mut_ptr(), kinds.as_mut_ptr());
    answers.code(code!(cuMemRangeGetAttributes(data, sizes, kinds, 3, memory, BYTES)));
    answers.value(places.map(|[first, second]| format!("{first},{second}")).join("/"));
    answers.code(code!(cuMemRangeGetAttributes(data, sizes, kinds, 0, memory, BYTES)));
}

fn range_refused(answers: &mut Answers) {
    let memory = memory(BYTES);
    for (attribute, size) in [(1, 0), (1, 2), (1, 8), (3, 0), (3, 6), (0, 4), (9, 4), (99, 4)] {
        answers.code(of_range(memory, BYTES, attribute, size).0);
    }
    answers.codes([of_range(memory, 0, 1, 4).0, of_range(memory, 2 * BYTES, 1, 4).0]);
    for other in [allocate(64), page_locked_bytes(64, 0), 0x10] {
        answers.code(of_range(other, 64, 1, 4).0);
    }
    let attribute = CUmem_range_attribute(1);
    answers.code(code!(cuMemRangeGetAttribute(null_mut(), 4, attribute, memory, BYTES)));
}

pub(super) fn advised(memory: CUdeviceptr, bytes: usize, advice: u32, device: CUdevice) -> CUresult {
    code!(cuMemAdvise(memory, bytes, CUmem_advise(advice), device))
}

fn advise(answers: &mut Answers) {
    let memory = memory(BYTES);
    answers.codes([0, 1, 2, 3, 4, 5, 6, 7, 8].map(|advice| advised(memory, BYTES, advice, 0)));
    state(answers, memory);
    answers.codes([1, 3, 5].map(|advice| advised(memory, BYTES, advice, 0)));
    state(answers, memory);
    answers.codes([1, 3, 5].map(|advice| advised(memory, BYTES, advice, -1)));
    state(answers, memory);
    answers.codes([2, 4, 6].map(|advice| advised(memory, BYTES, advice, -1)));
    state(answers, memory);
}

fn advise_refused(answers: &mut Answers) {
    let memory = memory(BYTES);
    answers.codes([1, 2, 3, 4, 5, 6].map(|advice| advised(memory, BYTES, advice, 99)));
    answers.codes([
        advised(memory, BYTES, 3, -5),
        advised(memory, 0, 1, 0),
        advised(memory, 2 * BYTES, 1, 0),
    ]);
    let pageable = pages(2).expose_provenance() as CUdeviceptr;
    for other in [allocate(64), page_locked_bytes(64, 0), 0x10, pageable] {
        answers.code(advised(other, 64, 1, 0));
    }
    answers.code(of_range(pageable, 64, 1, 4).0);
}

/// Advice about a part of a page, and what is there of other memory.
fn advise_page(answers: &mut Answers) {
    let memory = memory(BYTES);
    answers.code(advised(memory + 100, 100, 1, 0));
    for (offset, bytes) in [(0, BYTES), (0, 100), (100, 100), (4096, 4096), (1 << 20, 100)] {
        one(answers, memory + offset, bytes, 1);
    }
    let (first, second) = (managed(100, 1), managed(100, 1));
    answers.value(second - first);
    answers.code(advised(first, 100, 1, 0));
    one(answers, first, 100, 1);
    one(answers, second, 100, 1);
}

const PLACES: [(u32, i32); 9] = [
    (DEVICE, 0),
    (HOST, 0),
    (HOST, 7),
    (NUMA_NODE, 0),
    (NUMA_NODE, 99),
    (NUMA_NODE_CURRENT, 0),
    (0, 0),
    (9, 0),
    (DEVICE, 99),
];

fn advise_places(answers: &mut Answers) {
    let memory = memory(BYTES);
    for (kind, id) in PLACES {
        let advised =
            |advice: u32| code!(cuMemAdvise_v2(memory, BYTES, CUmem_advise(advice), location(kind, id)));
        answers.codes([1, 3, 5].map(advised));
        state(answers, memory);
        answers.codes([2, 4, 6].map(advised));
    }
}

pub(super) fn prefetched(memory: CUdeviceptr, bytes: usize, device: CUdevice, on: CUstream) -> CUresult {
    code!(cuMemPrefetchAsync(memory, bytes, device, on))
}

fn prefetch(answers: &mut Answers) {
    let (memory, on) = (memory(BYTES), stream(1));
    for device in [0, -1] {
        answers.codes([prefetched(memory, BYTES, device, on), synchronize()]);
        state(answers, memory);
    }
    answers.codes([prefetched(memory + 100, 100, 0, on), synchronize()]);
    for (offset, bytes) in [(0, BYTES), (0, 4096), (4096, 4096), (1 << 20, 4096)] {
        one(answers, memory + offset, bytes, 4);
    }
    answers.codes([prefetched(memory, BYTES, 0, null_mut()), synchronize()]);
}

fn prefetch_refused(answers: &mut Answers) {
    let (memory, on) = (memory(BYTES), stream(1));
    answers.codes([prefetched(memory, BYTES, 99, on), prefetched(memory, BYTES, -5, on)]);
    answers.codes([prefetched(memory, 0, 0, on), prefetched(memory, 2 * BYTES, 0, on)]);
    let pageable = pages(2).expose_provenance() as CUdeviceptr;
    for other in [allocate(64), page_locked_bytes(64, 0), 0x10, pageable] {
        answers.code(prefetched(other, 64, 0, on));
    }
    answers.code(code!(cuMemPrefetchAsync_v2(memory, BYTES, location(DEVICE, 0), 1, on)));
}

fn prefetch_places(answers: &mut Answers) {
    let (memory, on) = (memory(BYTES), stream(1));
    for (kind, id) in PLACES {
        let place = location(kind, id);
        answers.codes([code!(cuMemPrefetchAsync_v2(memory, BYTES, place, 0, on)), synchronize()]);
        state(answers, memory);
    }
}

/// The first and the third quarter of managed memory, to the device and to the host by default.
struct Batch {
    memory: [CUdeviceptr; 2],
    bytes: [usize; 2],
    count: usize,
    begin: [usize; 2],
    places: usize,
    flags: u64,
    stream: CUstream,
}

impl Batch {
    fn new() -> Self {
        let memory = memory(BYTES);
        Self {
            memory: [memory, memory + (BYTES as u64) / 2],
            bytes: [BYTES / 4; 2],
            count: 2,
            begin: [0, 1],
            places: 2,
            flags: 0,
            stream: stream(1),
        }
    }

    fn prefetch(&mut self, discard: bool) -> CUresult {
        let mut places = [location(DEVICE, 0), location(HOST, 0)];
        let (memory, bytes, to) = (self.memory.as_mut_ptr(), self.bytes.as_mut_ptr(), places.as_mut_ptr());
        let (count, begin, number) = (self.count, self.begin.as_mut_ptr(), self.places);
        let (flags, on) = (self.flags, self.stream);
        if discard {
            code!(cuMemDiscardAndPrefetchBatchAsync(memory, bytes, count, to, begin, number, flags, on))
        } else {
            code!(cuMemPrefetchBatchAsync(memory, bytes, count, to, begin, number, flags, on))
        }
    }

    fn discard(&mut self) -> CUresult {
        let (memory, bytes) = (self.memory.as_mut_ptr(), self.bytes.as_mut_ptr());
        code!(cuMemDiscardBatchAsync(memory, bytes, self.count, self.flags, self.stream))
    }
}

fn prefetch_batch(answers: &mut Answers) {
    let mut usual = Batch::new();
    for discard in [false, true] {
        answers.codes([usual.prefetch(discard), synchronize()]);
        usual.memory.iter().for_each(|memory| one(answers, *memory, BYTES / 4, 4));
    }
    let all = [
        Batch { begin: [0, 0], places: 1, ..usual },
        Batch { count: 0, begin: [0, 0], places: 1, ..usual },
        Batch { begin: [0, 0], places: 0, ..usual },
        Batch { count: 1, ..usual },
        Batch { begin: [1, 1], places: 1, ..usual },
        Batch { flags: 1, ..usual },
        Batch { stream: null_mut(), ..usual },
        Batch { bytes: [0, BYTES / 4], ..usual },
    ];
    answers.codes(all.map(|mut batch| batch.prefetch(false)));
    answers.code(synchronize());
}

fn discard(answers: &mut Answers) {
    let mut usual = Batch::new();
    let [memory, second] = usual.memory;
    let bytes = usual.bytes[0];
    answers.codes([usual.discard(), synchronize()]);
    let all = [
        Batch { count: 0, ..usual },
        Batch { count: 1, flags: 1, ..usual },
        Batch { count: 1, stream: null_mut(), ..usual },
        Batch { memory: [memory, 0x10], ..usual },
        Batch { memory: [memory, allocate(2 * bytes)], ..usual },
        Batch { memory: [memory, second + 100], bytes: [bytes, 100], ..usual },
    ];
    answers.codes(all.map(|mut batch| batch.discard()));
    answers.code(synchronize());
}
