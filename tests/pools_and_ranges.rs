//! What only the software driver tells of memory pools and of address ranges: its budget, what is left over, and work
//! that comes too late.

#![allow(clippy::unwrap_used, unsafe_code)]

use cuda_sim::{Config, Schedule};
use cuda_suite::raw::{context, machine, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

const SHORT: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
const MIB: usize = 1 << 20;

fn place(device: CUdevice) -> CUmemLocation {
    let type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    let mut location = CUmemLocation { type_, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = device;
    location
}

fn pool(device: CUdevice) -> CUmemoryPool {
    let mut pool = null_mut();
    let props = CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: place(device),
        ..CUmemPoolProps::default()
    };
    call!(cuMemPoolCreate(&raw mut pool, &raw const props));
    pool
}

fn from(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> Result<CUdeviceptr, CUresult> {
    let mut address = 0;
    match code!(cuMemAllocFromPoolAsync(&raw mut address, bytes, pool, stream)) {
        CUresult::CUDA_SUCCESS => Ok(address),
        code => Err(code),
    }
}

fn plain(bytes: usize) -> CUresult {
    let mut address = 0;
    code!(cuMemAlloc_v2(&raw mut address, bytes))
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
    free
}

fn config(mib: u64, schedule: Schedule) -> Config {
    Config { memory_bytes: mib << 20, schedule, ..Config::default() }
}

#[test]
fn pools_share_the_memory_of_their_device() {
    let (_, _entered) = machine(config(128, Schedule::Eager));
    context(0);
    let on = stream(1);
    let (first, second, elsewhere) = (pool(0), pool(0), pool(1));
    let held = from(first, 64 * MIB, on).unwrap();
    assert_eq!(free_bytes(), 64 * MIB);
    from(second, 33 * MIB, on).unwrap();
    assert_eq!(free_bytes(), 0);
    assert_eq!((from(second, 32 * MIB, on), plain(1)), (Err(SHORT), SHORT));
    from(elsewhere, 128 * MIB, on).unwrap();
    // What was freed is held, but not kept from others.
    call!(cuMemFreeAsync(held, on));
    assert_eq!(free_bytes(), 0);
    assert_eq!(plain(2 * MIB), CUresult::CUDA_SUCCESS);
    assert_eq!(free_bytes(), 62 * MIB);
    // Less than a pool takes at a time is enough for a small allocation.
    from(first, 32 * MIB, on).unwrap();
    from(first, 30 * MIB, on).unwrap();
    assert_eq!(free_bytes(), 0);
}

#[test]
fn memory_of_a_destroyed_pool_comes_back_when_it_is_freed() {
    for schedule in [Schedule::Eager, Schedule::Lazy] {
        let (machine, _entered) = machine(config(64, schedule));
        let own = context(0);
        let on = stream(1);
        let before = machine.live();
        let pool = pool(0);
        assert_eq!(machine.live().memory_pools, 1);
        let address = from(pool, 8, on).unwrap();
        call!(cuMemPoolDestroy(pool));
        assert_eq!((machine.live().memory_pools, machine.live().pool_allocations), (0, 1));
        assert_eq!(free_bytes(), 32 * MIB);
        call!(cuMemFreeAsync(address, on));
        call!(cuStreamSynchronize(on));
        assert_eq!((free_bytes(), machine.live()), (64 * MIB, before));
        // A pool that is left over is told of, and what a context has allocated from it.
        let left = from(self::pool(0), 8, on).unwrap();
        call!(cuCtxDestroy_v2(own));
        assert_eq!(machine.live().to_string(), "1 pool allocation, 8 bytes of pools, 1 memory pool");
        context(0);
        call!(cuMemFree_v2(left));
    }
}

#[test]
fn a_pool_that_waits_for_nobody_does_not_wait_for_what_is_freed() {
    let (_, _entered) = machine(config(64, Schedule::Lazy));
    context(0);
    let (on, other) = (stream(1), stream(1));
    let pool = pool(0);
    let first = from(pool, 64 * MIB, on).unwrap();
    call!(cuMemFreeAsync(first, on));
    // Nothing is left, but what is queued to be freed can be had, by the driver's own doing.
    assert_eq!(from(pool, 64 * MIB, other), Ok(first));
    call!(cuMemFreeAsync(first, other));
    let mut never = 0_i32;
    let dependencies = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
    call!(cuMemPoolSetAttribute(pool, dependencies, (&raw mut never).cast()));
    assert_eq!(code!(cuStreamQuery(on)), CUresult::CUDA_ERROR_NOT_READY);
    assert_eq!(from(pool, 64 * MIB, on), Ok(first), "it is waited for");
    assert_eq!(code!(cuStreamQuery(other)), CUresult::CUDA_SUCCESS);
}
