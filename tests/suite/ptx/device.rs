//! A module on the device, buffers beside it, and launches of its kernels with arguments of any kind.

use bytemuck::{cast_slice, cast_slice_mut};
use cuda_rt::error::Code;
use cuda_rt::{Context, DeviceBuf, Error, Module, Stream};
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUlaunchAttribute,
    CUlaunchAttributeID_enum, CUlaunchAttributeValue_union__bindgen_ty_1, CUlaunchConfig, CUresult,
};
use std::ffi::c_void;
use std::ptr::null_mut;

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arg {
    /// The address of a buffer.
    Buffer(usize),
    U32(u32),
    I32(i32),
    F32(f32),
    U64(u64),
}

/// A loaded module and its buffers.
#[derive(Debug)]
pub(super) struct Device {
    module: Module,
    stream: Stream,
    buffers: Vec<DeviceBuf<u64>>,
}

impl Device {
    /// Loads a module.
    pub(super) fn new(ptx: &str) -> Self {
        Self::in_context(&cuda_suite::context(), ptx)
    }

    /// The same in a context.
    pub(super) fn in_context(context: &Context, ptx: &str) -> Self {
        let module = Module::from_ptx(context, ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"));
        Self { module, stream: Stream::new(context).unwrap(), buffers: Vec::new() }
    }

    /// A module with one kernel `k`, given its parameters and body.
    pub(super) fn kernel(params: &str, body: &str) -> Self {
        Self::kernel_with("", params, body)
    }

    /// The same, with directives of the kernel's.
    pub(super) fn kernel_with(directives: &str, params: &str, body: &str) -> Self {
        Self::new(&format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k({params})\n{directives}\n{{\n{body}\n}}\n"
        ))
    }

    /// A buffer with these bytes, and zeros up to a multiple of 8.
    pub(super) fn alloc(&mut self, bytes: &[u8]) -> usize {
        let mut words = vec![0_u64; bytes.len().div_ceil(8).max(1)];
        cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        self.buffers.push(DeviceBuf::from_host(&self.stream, &words).unwrap());
        self.buffers.len() - 1
    }

    pub(super) fn alloc_u32(&mut self, values: &[u32]) -> usize {
        self.alloc(cast_slice(values))
    }

    pub(super) fn alloc_u64(&mut self, values: &[u64]) -> usize {
        self.alloc(cast_slice(values))
    }

    pub(super) fn alloc_f32(&mut self, values: &[f32]) -> usize {
        self.alloc(cast_slice(values))
    }

    /// The module, for what the safe layer does not wrap.
    pub(super) fn module(&self) -> cuda_sys::CUmodule {
        self.module.as_raw()
    }

    pub(super) fn function(&self, name: &str) -> cuda_sys::CUfunction {
        self.module.function(name).unwrap().as_raw()
    }

    pub(super) fn address(&self, buffer: usize) -> u64 {
        self.buffers[buffer].ptr().as_raw()
    }

    pub(super) fn bytes(&self, buffer: usize) -> Vec<u8> {
        cast_slice(&self.u64s(buffer)).to_vec()
    }

    pub(super) fn u32s(&self, buffer: usize) -> Vec<u32> {
        cast_slice(&self.u64s(buffer)).to_vec()
    }

    pub(super) fn u64s(&self, buffer: usize) -> Vec<u64> {
        self.buffers[buffer].to_vec().unwrap()
    }

    pub(super) fn f32s(&self, buffer: usize) -> Vec<f32> {
        cast_slice(&self.u64s(buffer)).to_vec()
    }

    /// Runs a kernel, which must succeed.
    pub(super) fn run(&mut self, name: &str, grid: [u32; 3], block: [u32; 3], args: &[Arg]) {
        self.try_run(name, grid, block, 0, args).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Runs a kernel and waits for it.
    pub(super) fn try_run(
        &mut self,
        name: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        args: &[Arg],
    ) -> Result<(), Error> {
        let parameters = self.parameters(name);
        assert_eq!(parameters.len(), args.len(), "arguments of {name}");
        let end = parameters.last().map_or(0, |(offset, size)| offset + size);
        let mut params = vec![0; end];
        for ((offset, size), arg) in parameters.into_iter().zip(args) {
            let bytes = match *arg {
                Arg::Buffer(buffer) => self.address(buffer).to_le_bytes().to_vec(),
                Arg::U64(value) => value.to_le_bytes().to_vec(),
                Arg::U32(value) => value.to_le_bytes().to_vec(),
                Arg::I32(value) => value.to_le_bytes().to_vec(),
                Arg::F32(value) => value.to_le_bytes().to_vec(),
            };
            assert_eq!(bytes.len(), size, "size of an argument of {name}");
            params[offset..offset + size].copy_from_slice(&bytes);
        }
        self.launch_with(name, grid, block, dynamic_shared, &params)
    }

    /// Runs a kernel with packed arguments, and waits for it.
    pub(super) fn launch_with(
        &mut self,
        name: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        params: &[u8],
    ) -> Result<(), Error> {
        let launched = self.launch(name, grid, block, dynamic_shared, params)?;
        assert!(launched.is_success(), "{name}: {launched}");
        self.stream.synchronize()
    }

    /// Runs a kernel whose one parameter is a buffer, with all its blocks at once, and waits for it.
    pub(super) fn run_cooperatively(&mut self, name: &str, blocks: u32, threads: u32, buffer: usize) {
        let function = self.module.function(name).unwrap();
        let mut address = self.address(buffer);
        let mut arguments: [*mut c_void; 1] = [(&raw mut address).cast()];
        let _entered = self.stream.context().enter().unwrap();
        let (function, stream, arguments) = (function.as_raw(), self.stream.as_raw(), arguments.as_mut_ptr());
        // SAFETY: the function and the stream are live, and it has one parameter of eight bytes.
        let launched = unsafe {
            cuda_sys::cuLaunchCooperativeKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments)
        };
        assert!(launched.is_success(), "{name}: {launched}");
        self.stream.synchronize().unwrap();
    }

    /// Runs a kernel whose one parameter is a buffer in clusters of this size, or without that attribute, and waits for it.
    pub(super) fn run_in_clusters(
        &mut self,
        name: &str,
        grid: [u32; 3],
        cluster: Option<[u32; 3]>,
        threads: u32,
        buffer: usize,
    ) {
        self.launch_in_clusters(name, grid, cluster, threads, buffer);
        self.stream.synchronize().unwrap();
    }

    pub(super) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The same without waiting for it.
    pub(super) fn launch_in_clusters(
        &mut self,
        name: &str,
        grid: [u32; 3],
        cluster: Option<[u32; 3]>,
        threads: u32,
        buffer: usize,
    ) {
        let function = self.module.function(name).unwrap();
        let mut address = self.address(buffer);
        let mut arguments: [*mut c_void; 1] = [(&raw mut address).cast()];
        let [x, y, z] = cluster.unwrap_or_default();
        let mut attribute = CUlaunchAttribute {
            id: CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            ..CUlaunchAttribute::default()
        };
        attribute.value.clusterDim = CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
        let config = CUlaunchConfig {
            gridDimX: grid[0],
            gridDimY: grid[1],
            gridDimZ: grid[2],
            blockDimX: threads,
            blockDimY: 1,
            blockDimZ: 1,
            hStream: self.stream.as_raw(),
            attrs: &raw mut attribute,
            numAttrs: u32::from(cluster.is_some()),
            ..CUlaunchConfig::default()
        };
        let _entered = self.stream.context().enter().unwrap();
        let (function, arguments) = (function.as_raw(), arguments.as_mut_ptr());
        // SAFETY: the function and the stream are live, it has one parameter of eight bytes, and the attributes are there.
        let launched =
            unsafe { cuda_sys::cuLaunchKernelEx(&raw const config, function, arguments, null_mut()) };
        assert!(launched.is_success(), "{name}: {launched}");
    }

    /// Returns the driver's answer to a launch of a kernel, given packed arguments.
    pub(super) fn launch(
        &mut self,
        name: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        params: &[u8],
    ) -> Result<CUresult, Error> {
        let function = self.module.function(name)?;
        let mut params = params.to_vec();
        let mut size = params.len();
        let mut extra = [
            CU_LAUNCH_PARAM_BUFFER_POINTER,
            params.as_mut_ptr().cast::<c_void>(),
            CU_LAUNCH_PARAM_BUFFER_SIZE,
            (&raw mut size).cast(),
            CU_LAUNCH_PARAM_END,
        ];
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        let stream = self.stream.as_raw();
        // SAFETY: function and stream are of one context. The list is as the API describes it, and the buffer has the
        // size in it. The tests' kernels use only the memory of their arguments.
        let launched = unsafe {
            let extra = extra.as_mut_ptr();
            cuda_sys::cuLaunchKernel(
                function.as_raw(),
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                dynamic_shared,
                stream,
                null_mut(),
                extra,
            )
        };
        Ok(launched)
    }

    /// Offset and size of each parameter.
    pub(super) fn parameters(&self, name: &str) -> Vec<(usize, usize)> {
        let function = self.module.function(name).unwrap();
        let mut parameters = Vec::new();
        loop {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is loaded, the others valid for a write.
            let asked = unsafe {
                cuda_sys::cuFuncGetParamInfo(
                    function.as_raw(),
                    parameters.len(),
                    &raw mut offset,
                    &raw mut size,
                )
            };
            match Code::new(asked) {
                None => parameters.push((offset, size)),
                Some(Code::InvalidValue) => return parameters,
                Some(other) => panic!("{other}"),
            }
        }
    }

    /// Bytes of shared memory that a kernel declares.
    pub(super) fn static_shared(&self, name: &str) -> i32 {
        let function = self.module.function(name).unwrap();
        function.attribute(cuda_rt::module::FunctionAttribute::SHARED_SIZE_BYTES).unwrap()
    }
}
