//! Counts of the memory that graphs use on a device.

use crate::is_since;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::GraphMemAttribute;
use cuda_suite::{context, skip};

#[test]
fn graph_memory_of_an_idle_device_is_counted() {
    if !is_since(11, 4) {
        skip!("counts of graph memory need CUDA 11.4");
    }
    let device = context().device();
    let usage = device.graph_mem_usage().unwrap();
    assert!(usage.used <= usage.used_high && usage.reserved <= usage.reserved_high, "{usage:?}");
    let reserved = device.graph_mem_attribute(GraphMemAttribute::RESERVED_MEM_HIGH).unwrap();
    assert!(reserved >= usage.reserved);
}

#[test]
fn graph_memory_current_count_cannot_be_set() {
    if !is_since(11, 4) {
        skip!("counts of graph memory need CUDA 11.4");
    }
    let device = context().device();
    let error = device.set_graph_mem_attribute(GraphMemAttribute::USED_MEM_CURRENT, 0).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with("attribute USED_MEM_CURRENT, value 0"), "{error}");
    let error = device.graph_mem_attribute(GraphMemAttribute(99)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}

#[test]
fn graph_memory_high_marks_can_be_reset() {
    if !is_since(11, 4) {
        skip!("counts of graph memory need CUDA 11.4");
    }
    let device = context().device();
    device.reset_graph_mem_high_marks().unwrap();
    device.trim_graph_memory().unwrap();
    let usage = device.graph_mem_usage().unwrap();
    assert!(usage.used_high >= usage.used, "{usage:?}");
}

#[test]
fn graph_memory_before_11_4_is_missing() {
    if is_since(11, 4) {
        skip!("this driver has counts of graph memory");
    }
    let error = context().device().graph_mem_usage().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    assert!(error.to_string().contains("11.4"), "{error}");
}
