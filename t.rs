#![allow(unused)]
use cuda_rt::{ManagedBuf, Result};
fn both(managed: &mut ManagedBuf<u32>) -> Result<u32> {
    let host = managed.host()?;
    managed.as_slice_mut().fill_zero()?;
    Ok(host[0])
}
fn main(){}