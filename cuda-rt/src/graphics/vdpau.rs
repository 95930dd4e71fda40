//! Surfaces of VDPAU. With the feature `vdpau`.

#![allow(unsafe_code)]

use super::{GraphicsResource, RegisterFlags};
use crate::context::{Context, ContextFlags};
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::ensure_not_forked;
use cuda_sys::{Symbol, VdpDevice, VdpGetProcAddress, VdpOutputSurface, VdpVideoSurface};

/// Returns the CUDA device of a VDPAU device. Wraps `cuInit` and `cuVDPAUGetDevice`.
///
/// Not run on hardware.
///
/// # Errors
///
/// - [`Code::InvalidValue`]: the function is missing.
/// - [`Code::UnknownError`]: the function does not find the functions of VDPAU.
/// - An earlier failure.
///
/// # Safety
///
/// `device` is a live VDPAU device, and `get_proc_address` the function that was returned with it.
#[doc(alias("cuVDPAUGetDevice", "cudaVDPAUGetDevice"))]
pub unsafe fn device(device: VdpDevice, get_proc_address: VdpGetProcAddress) -> Result<Device> {
    crate::driver::init()?;
    let mut found = 0;
    // SAFETY: `found` is valid for a write; the caller answers for the device and the function.
    unsafe { inline_check!(cuVDPAUGetDevice(&raw mut found, device, get_proc_address)) }?;
    Ok(Device::from_handle(found))
}

impl Context {
    /// Creates a context for work with a VDPAU device. The thread's current context stays as it was. Wraps `cuVDPAUCtxCreate`.
    ///
    /// Not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the function is missing.
    /// - [`Code::InvalidValue`]: the flags exclude each other.
    /// - [`Code::OutOfMemory`]: the device has too little free memory for a context.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// `vdp_device` is a live VDPAU device of `device`, and `get_proc_address` the function that was returned with it. Both stay
    /// so as long as the context exists.
    #[doc(alias("cuVDPAUCtxCreate", "cudaVDPAUSetVDPAUDevice"))]
    pub unsafe fn with_vdpau(
        device: Device,
        flags: ContextFlags,
        vdp_device: VdpDevice,
        get_proc_address: VdpGetProcAddress,
    ) -> Result<Context> {
        if get_proc_address.is_none() {
            let text = format_args!("a null function; name the function that VDPAU returned with the device");
            return Err(Error::invalid_for(Symbol::cuVDPAUCtxCreate_v2, text));
        }
        ensure_not_forked(Symbol::cuVDPAUCtxCreate_v2)?;
        Context::create(device, |raw| {
            // SAFETY: `raw` is valid for a write; the caller answers for the VDPAU device and the function.
            unsafe {
                inline_check!(cuVDPAUCtxCreate_v2(
                    raw,
                    flags.bits(),
                    device.as_raw(),
                    vdp_device,
                    get_proc_address
                ))
            }
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
        })
    }
}

impl GraphicsResource {
    /// Registers a video surface of VDPAU. Its arrays are the fields of the planes: 0 and 1 of the first plane, 2 and 3 of
    /// the second. Wraps `cuGraphicsVDPAURegisterVideoSurface`.
    ///
    /// Not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidContext`]: the context was not created [with VDPAU](Context::with_vdpau).
    /// - [`Code::InvalidHandle`]: the number is not of a surface.
    /// - [`Code::InvalidValue`]: surfaces do not take the flags.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// While the resource is mapped, neither VDPAU nor CUDA through another registration accesses the surface. The surface is not
    /// destroyed as long as the resource is registered.
    #[doc(alias("cuGraphicsVDPAURegisterVideoSurface", "cudaGraphicsVDPAURegisterVideoSurface"))]
    pub unsafe fn vdpau_video_surface(
        context: &Context,
        surface: VdpVideoSurface,
        flags: RegisterFlags,
    ) -> Result<GraphicsResource> {
        GraphicsResource::register(context, Symbol::cuGraphicsVDPAURegisterVideoSurface, |raw| {
            // SAFETY: `raw` is valid for a write, and the context is current.
            unsafe { inline_check!(cuGraphicsVDPAURegisterVideoSurface(raw, surface, flags.bits())) }
                .or_detail(&[Code::InvalidValue, Code::InvalidHandle], &|| described(surface, flags))
        })
    }

    /// Registers an output surface of VDPAU. Wraps `cuGraphicsVDPAURegisterOutputSurface`.
    ///
    /// Not run on hardware.
    ///
    /// # Errors
    ///
    /// Same as [`vdpau_video_surface`](Self::vdpau_video_surface).
    ///
    /// # Safety
    ///
    /// Same as [`vdpau_video_surface`](Self::vdpau_video_surface).
    #[doc(alias("cuGraphicsVDPAURegisterOutputSurface", "cudaGraphicsVDPAURegisterOutputSurface"))]
    pub unsafe fn vdpau_output_surface(
        context: &Context,
        surface: VdpOutputSurface,
        flags: RegisterFlags,
    ) -> Result<GraphicsResource> {
        GraphicsResource::register(context, Symbol::cuGraphicsVDPAURegisterOutputSurface, |raw| {
            // SAFETY: `raw` is valid for a write, and the context is current.
            unsafe { inline_check!(cuGraphicsVDPAURegisterOutputSurface(raw, surface, flags.bits())) }
                .or_detail(&[Code::InvalidValue, Code::InvalidHandle], &|| described(surface, flags))
        })
    }
}

fn described(surface: u32, flags: RegisterFlags) -> String {
    format!("surface {surface}, flags {:#x}", flags.bits())
}
