//! Texture and surface objects, against a model of a few counts. Their descriptors can be read back, and views are of live
//! resources. Access to a peer's arrays stays on as long as one of the objects needs it.

use crate::{cases, machine, told};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::peer::PeerAccessGuard;
use cuda_rt::surface::SurfObject;
use cuda_rt::texture::{
    AddressMode, FilterMode, ResourceView, TexObject, TextureDescriptor, TextureFlags, ViewFormat,
};
use cuda_rt::{Context, Device, Stream};
use cuda_sim::{Config, HandleReuse};
use cuda_suite::invalid;
use proptest::prelude::*;

fn own(device: u32) -> Context {
    Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap()
}

fn number() -> impl Strategy<Value = f32> {
    // Any value, also one that is not a number.
    any::<u32>().prop_map(f32::from_bits)
}

prop_compose! {
    fn descriptor()(
        modes in prop::array::uniform3(0_usize..4),
        filters in prop::array::uniform2(any::<bool>()),
        flags in any::<u32>(),
        max_anisotropy in 0_u32..=16,
        mipmap_level_bias in number(),
        mipmap_level_clamp in prop::array::uniform2(number()),
        border_color in prop::array::uniform4(number()),
    ) -> TextureDescriptor {
        let all = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
        let [filter_mode, mipmap_filter_mode] =
            filters.map(|linear| if linear { FilterMode::Linear } else { FilterMode::Point });
        TextureDescriptor {
            address_modes: modes.map(|mode| all[mode]),
            filter_mode,
            flags: TextureFlags::from_bits_retain(flags & 0x33),
            max_anisotropy,
            mipmap_filter_mode,
            mipmap_level_bias,
            mipmap_level_clamp,
            border_color,
        }
    }
}

/// With numbers as their bits, which can be compared.
fn comparable(descriptor: &TextureDescriptor) -> (TextureDescriptor, Vec<u32>) {
    let TextureDescriptor { mipmap_level_bias, mipmap_level_clamp, border_color, .. } = *descriptor;
    let mut bits = vec![mipmap_level_bias.to_bits()];
    bits.extend(mipmap_level_clamp.into_iter().chain(border_color).map(f32::to_bits));
    let plain = TextureDescriptor {
        mipmap_level_bias: 0.0,
        mipmap_level_clamp: [0.0; 2],
        border_color: [0.0; 4],
        ..*descriptor
    };
    (plain, bits)
}

#[derive(Debug, Clone)]
enum Step {
    Enable,
    Disable,
    Guard,
    DropGuard(prop::sample::Index),
    Texture,
    Surface,
    DropObject(prop::sample::Index),
    CloseObject(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => Just(Step::Enable),
        2 => Just(Step::Disable),
        4 => Just(Step::Guard),
        4 => any::<prop::sample::Index>().prop_map(Step::DropGuard),
        3 => Just(Step::Texture),
        2 => Just(Step::Surface),
        3 => any::<prop::sample::Index>().prop_map(Step::DropObject),
        1 => any::<prop::sample::Index>().prop_map(Step::CloseObject),
    ]
}

#[derive(Debug)]
#[allow(dead_code)] // for what their ends do
enum Object {
    Texture(TexObject),
    Surface(SurfObject),
}

impl Object {
    fn close(self) {
        match self {
            Object::Texture(object) => object.close().unwrap(),
            Object::Surface(object) => object.close().unwrap(),
        }
    }
}

/// Users of access, while it is on.
struct Access {
    /// Guards, and objects.
    needs: usize,
    pinned: bool,
    number: usize,
}

fn walk(steps: &[Step]) {
    let config = Config { handles: HandleReuse::AtOnce, ..Config::default() };
    let (machine, _entered) = machine(config);
    let (consumer, owner) = (own(0), own(1));
    let described = ArrayDescriptor::plane(2, 2, ArrayFormat::FLOAT, 1);
    let described = ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..described };
    let array = Array::new(&Stream::new(&owner).unwrap(), described).unwrap();
    let mut access: Option<Access> = None;
    let (mut guards, mut objects): (Vec<(usize, PeerAccessGuard)>, Vec<Object>) = (Vec::new(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        // Guards of disabled access have no effect any more.
        let leave = |access: &mut Option<Access>, number: usize| {
            if let Some(on) = access.as_mut().filter(|on| on.number == number) {
                on.needs -= 1;
                if on.needs == 0 && !on.pinned {
                    *access = None;
                }
            }
        };
        match step {
            Step::Enable => {
                let enabled = consumer.enable_peer_access(&owner).unwrap();
                assert_eq!(enabled.changed, access.is_none());
                access.get_or_insert(Access { needs: 0, pinned: true, number }).pinned = true;
            }
            Step::Disable => {
                let disabled = consumer.disable_peer_access(&owner);
                if objects.is_empty() {
                    assert_eq!(disabled, Ok(access.is_some()));
                    access = None;
                } else {
                    let textures = objects.len();
                    assert_eq!(
                        disabled,
                        invalid(format!(
                            "{textures} texture or surface objects or references of this context still use memory of the peer;"
                        ))
                    );
                }
            }
            Step::Guard => {
                let on = access.get_or_insert(Access { needs: 0, pinned: false, number });
                on.needs += 1;
                guards.push((on.number, consumer.peer_access(&owner).unwrap()));
            }
            Step::DropGuard(which) if !guards.is_empty() => {
                let (number, guard) = guards.remove(which.index(guards.len()));
                drop(guard);
                leave(&mut access, number);
            }
            Step::Texture | Step::Surface => {
                let made = match step {
                    Step::Texture => {
                        TexObject::new(&consumer, &array, &TextureDescriptor::default()).map(Object::Texture)
                    }
                    _ => SurfObject::new(&consumer, &array).map(Object::Surface),
                };
                match &mut access {
                    Some(on) => {
                        on.needs += 1;
                        objects.push(made.unwrap());
                    }
                    None => assert_eq!(made.unwrap_err().code(), Some(Code::PeerAccessNotEnabled)),
                }
            }
            Step::DropObject(which) | Step::CloseObject(which) if !objects.is_empty() => {
                let object = objects.remove(which.index(objects.len()));
                match step {
                    Step::DropObject(_) => drop(object),
                    _ => object.close(),
                }
                let number = access.as_ref().map_or(0, |on| on.number);
                leave(&mut access, number);
            }
            Step::DropGuard(_) | Step::DropObject(_) | Step::CloseObject(_) => {}
        }
        let live = machine.live();
        assert_eq!(live.peers, usize::from(access.is_some()), "{step:?}");
        assert_eq!(live.texture_objects + live.surface_objects, objects.len(), "{step:?}");
        assert!(access.is_some() || objects.is_empty());
    }
    // In this order, so that the objects are the last that need anything.
    drop((guards, array, consumer, owner));
    drop(objects);
    assert_eq!(told(), Vec::<cuda_rt::Error>::new());
    assert!(machine.live().is_empty(), "{}", machine.live());
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn descriptors_read_back_equal(given in descriptor()) {
        let (_machine, _entered) = machine(Config::default());
        let context = own(0);
        let line = ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1);
        let array = Array::new(&Stream::new(&context).unwrap(), line).unwrap();
        let object = TexObject::new(&context, &array, &given).unwrap();
        prop_assert_eq!(comparable(&object.texture_descriptor().unwrap()), comparable(&given));
    }

    #[test]
    fn views_beyond_the_array_are_refused(
        levels in 1_u32..5,
        layers in 0_usize..5,
        [first_level, last_level, first_layer, last_layer] in prop::array::uniform4(0_u32..6),
    ) {
        let (_machine, _entered) = machine(Config::default());
        let context = own(0);
        let plane = ArrayDescriptor::plane(16, 16, ArrayFormat::FLOAT, 1);
        let flags = if layers > 0 { ArrayFlags::LAYERED } else { ArrayFlags::empty() };
        let described = ArrayDescriptor { depth: layers, flags, ..plane };
        let array = MipmappedArray::new(&Stream::new(&context).unwrap(), described, levels).unwrap();
        let view = ResourceView::of_mipmapped(&array, ViewFormat::FLOAT_1X32)
            .with_levels(first_level..=last_level)
            .with_layers(first_layer..=last_layer);
        let made = TexObject::with_view(&context, &array, &TextureDescriptor::default(), &view);
        let fits = first_level <= last_level && last_level < levels
            && first_layer <= last_layer && (last_layer as usize) < layers.max(1);
        match made {
            Ok(object) => {
                prop_assert!(fits);
                prop_assert_eq!(object.resource_view().unwrap(), Some(view));
            }
            Err(error) => prop_assert!(!fits && error.code().is_none(), "{}", error),
        }
    }

    #[test]
    fn objects_keep_the_access_that_they_need(steps in prop::collection::vec(step(), 1..60)) {
        walk(&steps);
    }
}
