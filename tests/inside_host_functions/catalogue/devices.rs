//! Devices, and the driver itself.

use super::Catalogue;
use crate::world::World;
use cuda_rt::Device;
use cuda_rt::array::ArrayFormat;
use cuda_rt::context::ContextFlags;
use cuda_rt::device::{ComputeCapability, DeviceAttribute, NotificationGuard, NvSciSyncUse, Uuid};
use cuda_rt::driver::DriverVersion;
use cuda_rt::peer::{AtomicOperation, P2pAttribute};

fn guard(world: &World) -> NotificationGuard {
    world.near.on_notification(|_| ()).unwrap()
}

#[allow(deprecated)]
pub(super) fn add(c: &mut Catalogue) {
    c.of(guard, |_, _| ())
        .answers("NotificationGuard::as_raw; NotificationGuard: Debug", |guard, _| {
            format!("{guard:?} {:?}", guard.as_raw())
        })
        .consumes("NotificationGuard::close", |guard, _| guard.close())
        .drops("NotificationGuard: Drop");
    c.free()
        .refuses("driver::init", |_, _| cuda_rt::init())
        .refuses("driver::init_with_flags", |_, _| cuda_rt::driver::init_with_flags(0))
        .refuses("driver::driver_version", |_, _| cuda_rt::driver_version())
        .refuses("Device::get", |_, _| Device::get(0))
        .refuses("Device::by_pci_bus_id", |_, _| Device::by_pci_bus_id("0000:00:00.0"))
        .refuses("Device::count", |_, _| Device::count())
        .refuses("Device::all", |_, _| Device::all())
        .answers("Device::as_raw", |_, w| w.near.as_raw())
        .refuses("Device::name", |_, w| w.near.name())
        .refuses("Device::pci_bus_id", |_, w| w.near.pci_bus_id())
        .refuses("Device::uuid", |_, w| w.near.uuid())
        .refuses("Device::fabric_cluster_uuid", |_, w| w.near.fabric_cluster_uuid())
        .refuses("Device::fabric_cliques", |_, w| w.near.fabric_cliques())
        .refuses("Device::luid", |_, w| w.near.luid())
        .refuses("Device::on_notification", |_, w| w.near.on_notification(|_| ()))
        // SAFETY: there is no list, which the driver refuses.
        .refuses("Device::write_nv_sci_sync_attributes", |_, w| unsafe {
            w.near.write_nv_sci_sync_attributes(core::ptr::null_mut(), NvSciSyncUse::SIGNAL)
        })
        .refuses("Device::total_memory", |_, w| w.near.total_memory())
        .refuses("Device::compute_capability", |_, w| w.near.compute_capability())
        .answers(
            "ComputeCapability::new; ComputeCapability: Display; ComputeCapability: From<(u32, u32)>",
            |_, _| {
                assert_eq!(ComputeCapability::new(9, 0), ComputeCapability::from((9, 0)));
                ComputeCapability::new(9, 0).to_string()
            },
        )
        .refuses("Device::compute_mode", |_, w| w.near.compute_mode())
        .refuses("Device::attribute", |_, w| w.near.attribute(DeviceAttribute::WARP_SIZE))
        .refuses("$asked::$method of devices", |_, w| w.near.warp_size())
        .refuses("Device::attributes", |_, w| w.near.attributes())
        .refuses("Device::texture_1d_linear_max_width", |_, w| {
            w.near.texture_1d_linear_max_width(ArrayFormat::FLOAT, 1)
        })
        .refuses("Device::supports_exec_affinity", |_, w| w.near.supports_exec_affinity())
        .refuses("Device::primary_context_state", |_, w| w.near.primary_context_state())
        .refuses("Device::set_primary_context_flags", |_, w| {
            w.near.set_primary_context_flags(ContextFlags::SCHED_SPIN)
        })
        // SAFETY: no primary context is in use.
        .refuses("Device::reset_primary_context", |_, w| unsafe { w.near.reset_primary_context() })
        .refuses("Device::can_access_peer", |_, w| w.near.can_access_peer(w.far))
        .refuses("Device::p2p_attribute", |_, w| w.near.p2p_attribute(P2pAttribute::ACCESS_SUPPORTED, w.far))
        .refuses("Device::peer_capabilities", |_, w| w.near.peer_capabilities(w.far))
        .refuses("Device::p2p_atomic_capabilities", |_, w| {
            w.near.p2p_atomic_capabilities(&[AtomicOperation::CAS], w.far)
        })
        .refuses("Device::host_atomic_capabilities", |_, w| {
            w.near.host_atomic_capabilities(&[AtomicOperation::CAS])
        })
        .refuses("Device::memory_capabilities", |_, w| w.near.memory_capabilities())
        .answers("Device: {Debug, Display}; Uuid: {Debug, Display}", |_, w| {
            let device = format!("{:?} {}", w.near, w.near);
            (device, format!("{:?} {}", Uuid([1; 16]), Uuid([1; 16])), DriverVersion(12000))
        })
        .answers("$type::all; $type: {Debug, Display}", |_, _| {
            P2pAttribute::all().map(|attribute| format!("{attribute} {attribute:?}")).count()
        });
}
