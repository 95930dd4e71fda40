//! Argument types, compared with the parameters of a kernel.

use cuda_rt::error::ErrorKind;
use cuda_rt::launch::{KernelArg, SignatureMismatch};
use cuda_rt::{DevicePtr, Module};
use cuda_suite::context;

const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
// (unsigned n, float4 v)
.visible .entry vector(.param .u32 n, .param .align 16 .b8 v[16]) { ret; }
// (unsigned n, struct { float x, y; } p)
.visible .entry pair(.param .u32 n, .param .align 4 .b8 p[8], .param .u64 out) { ret; }
// (char c, struct alignas(64) { char bytes[64]; } line)
.visible .entry line(.param .u8 c, .param .align 64 .b8 l[64], .param .u8 d) { ret; }
";

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Loose([f32; 4]);

#[derive(Clone, Copy, KernelArg)]
#[repr(C, align(16))]
struct Float4([f32; 4]);

#[derive(Clone, Copy, KernelArg)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A generic structure, whose `Copy` depends on its parameter.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Row<T> {
    data: DevicePtr<T>,
    weights: [T; 2],
}

#[test]
fn generic_structure_is_an_argument_of_its_size() {
    let error = kernel("pair").typed::<(u32, Row<f32>, DevicePtr<u32>)>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let row = Row { data: DevicePtr::<f32>::null(), weights: [1.0, 2.0] };
    let mut visited = 0;
    row.visit_pointers(&mut |_| visited += 1);
    assert_eq!((visited, row.weights), (1, [1.0, 2.0]));
}

fn kernel(name: &str) -> cuda_rt::Function {
    Module::from_ptx(&context(), PTX).unwrap().function(name).unwrap()
}

/// Returns the mismatch, and its text.
fn mismatch<A: cuda_rt::launch::KernelArgs>(name: &str) -> (SignatureMismatch, String) {
    let error = kernel(name).typed::<A>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    (*error.context().unwrap(), error.to_string())
}

#[test]
fn the_right_types_are_taken() {
    kernel("vector").typed::<(u32, Float4)>().unwrap();
    kernel("pair").typed::<(u32, [f32; 2], DevicePtr<f32>)>().unwrap();
    // The driver counts large alignments from a place of its own.
    kernel("line").typed::<(u8, Line, u8)>().unwrap();
}

#[test]
fn a_wrong_number_or_size_names_the_parameter() {
    let (what, text) = mismatch::<(u32,)>("vector");
    assert_eq!(what, SignatureMismatch::Count { kernel: 2, given: 1 });
    assert_eq!(text, "kernel `vector`: it takes 2 parameters, the argument types give 1");
    let (what, text) = mismatch::<(u32, [f32; 3])>("vector");
    assert_eq!(what, SignatureMismatch::Size { index: 1, kernel: 16, given: 12, given_type: "[f32; 3]" });
    assert_eq!(text, "kernel `vector`: parameter 1 (the second) takes 16 bytes, `[f32; 3]` has 12");
}

#[test]
fn a_wrong_alignment_says_which_is_needed() {
    let (what, text) = mismatch::<(u32, Loose)>("vector");
    let given_type = core::any::type_name::<Loose>();
    assert_eq!(
        what,
        SignatureMismatch::Alignment { index: 1, kernel: 16, given: 4, given_type, align: 4, needed: 16 }
    );
    assert_eq!(
        text,
        format!(
            "kernel `vector`: parameter 1 (the second) lies at byte 16, `{given_type}` would lie at byte 4: it is aligned to 4, and \
             needs `#[repr(C, align(16))]`"
        )
    );
    let (what, text) = mismatch::<(u32, u64, DevicePtr<f32>)>("pair");
    assert_eq!(
        what,
        SignatureMismatch::Alignment {
            index: 1,
            kernel: 4,
            given: 8,
            given_type: "u64",
            align: 8,
            needed: 4
        }
    );
    assert_eq!(
        text,
        "kernel `pair`: parameter 1 (the second) lies at byte 4, `u64` would lie at byte 8: it is aligned to 8, and needs a type that \
         is aligned to 4"
    );
}

/// The compiler that made the PTX says where parameters lie, and C says it, too.
#[test]
fn drivers_place_parameters_as_the_check_expects() {
    let mut state = 12345_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let lists: Vec<Vec<(usize, usize)>> = (0..20)
        .map(|_| (0..1 + random(8)).map(|_| (1 << random(5), 1 + random(40) as usize)).collect())
        .collect();
    let mut text = ".version 6.4\n.target sm_50\n.address_size 64\n".to_owned();
    for (index, list) in lists.iter().enumerate() {
        let params: Vec<String> = list
            .iter()
            .enumerate()
            .map(|(at, (align, size))| format!(".param .align {align} .b8 p{at}[{size}]"))
            .collect();
        text += &format!(".visible .entry k{index}({}) {{ ret; }}\n", params.join(", "));
    }
    let module = Module::from_ptx(&context(), text).unwrap();
    for (index, list) in lists.iter().enumerate() {
        let mut end = 0_usize;
        let expected: Vec<(usize, usize)> = list
            .iter()
            .map(|(align, size)| {
                let place = end.next_multiple_of(*align);
                end = place + size;
                (place, *size)
            })
            .collect();
        let told = module.function(&format!("k{index}")).unwrap().parameters().unwrap();
        let told: Vec<_> = told.iter().map(|parameter| (parameter.offset, parameter.size)).collect();
        assert_eq!(told, expected, "{list:?}");
    }
}
