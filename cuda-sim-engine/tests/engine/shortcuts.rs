//! Shortcuts of the compiler and of the loop over steps, in code that must not take them.

use super::Device;

/// Runs a kernel of one warp, and returns what each thread stored at its number in `out`.
///
/// The body has the thread's number in `%t` and the addresses of `in`, with the numbers 0 to 255, and of its own result.
fn results(body: &str) -> Vec<u32> {
    let mut device = Device::kernel(
        ".param .b64 in, .param .b64 out",
        &format!(
            ".reg .b32 %t, %a, %b, %c, %n; .reg .b64 %in, %out, %x, %y, %z; .reg .pred %p, %q;
            ld.param.b64 %in, [in]; ld.param.b64 %out, [out]; mov.u32 %t, %tid.x;
            mul.wide.u32 %z, %t, 4; add.s64 %out, %out, %z; {body} ret;"
        ),
    );
    let numbers: Vec<u32> = (0..256).collect();
    let input = device.alloc_u32(&numbers);
    let out = device.alloc_u32(&[0; 32]);
    let mut execution = device.begin("k", [1, 32], &[input, out], |_| {});
    device.go_on(&mut execution, u64::MAX).unwrap();
    device.u32s(out)
}

#[test]
fn register_with_two_definitions_is_no_constant() {
    let found = results(
        "mov.u32 %a, 5; mov.u32 %b, 7; setp.lt.u32 %p, %t, 8; @%p mov.u32 %a, 9; add.u32 %c, %a, %b;
        st.global.u32 [%out], %c;",
    );
    let expected: Vec<u32> = (0..32).map(|thread| if thread < 8 { 16 } else { 12 }).collect();
    assert_eq!(found, expected);
}

#[test]
fn register_read_above_its_definition_is_variable() {
    // In the first round `%a` is undefined and not used.
    let found = results(
        "mov.u32 %c, 0; mov.u32 %n, 0;
        AGAIN: setp.eq.u32 %p, %n, 1; @%p add.u32 %c, %c, %a; mov.u32 %a, 40; add.u32 %n, %n, 1;
        setp.lt.u32 %q, %n, 3; @%q bra AGAIN; st.global.u32 [%out], %c;",
    );
    assert_eq!(found, [40; 32]);
}

#[test]
fn product_with_a_second_use_stays() {
    let found = results(
        "mul.wide.u32 %x, %t, 4; add.s64 %y, %in, %x; ld.global.u32 %a, [%y]; cvt.u32.u64 %b, %x;
        add.u32 %a, %a, %b; st.global.u32 [%out], %a;",
    );
    let expected: Vec<u32> = (0..32).map(|thread| 5 * thread).collect();
    assert_eq!(found, expected);
}

#[test]
fn product_before_a_label_stays() {
    let found = results(
        "mov.u32 %n, 0; mov.u64 %y, 0; mul.wide.u32 %x, %t, 4;
        AGAIN: add.s64 %y, %x, %y; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 3; @%p bra AGAIN;
        cvt.u32.u64 %a, %y; st.global.u32 [%out], %a;",
    );
    let expected: Vec<u32> = (0..32).map(|thread| 12 * thread).collect();
    assert_eq!(found, expected);
}

#[test]
fn pattern_of_a_base_follows_its_writes() {
    // The distance of the lanes is 4, 0, 12 and 4 bytes in turn. In the last round some lanes are one word further.
    let found = results(
        "mov.u32 %n, 0; mov.u32 %c, 0;
        AGAIN: mov.u32 %a, 0x1301; shl.b32 %b, %n, 2; shr.u32 %a, %a, %b; and.b32 %a, %a, 15;
        mul.lo.u32 %a, %a, %t; mul.wide.u32 %x, %a, 4; add.s64 %x, %x, %in; ld.global.u32 %b, [%x]; add.u32 %c, %c, %b;
        setp.eq.u32 %p, %n, 3; setp.gt.and.u32 %p, %t, 20, %p; @%p add.s64 %x, %x, 4;
        ld.global.u32 %b, [%x]; add.u32 %c, %c, %b;
        add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 4; @%q bra AGAIN; st.global.u32 [%out], %c;",
    );
    let sum = |thread: u32| {
        let loads = [1, 0, 3, 1].map(|factor| 2 * factor * thread);
        loads.iter().sum::<u32>() + u32::from(thread > 20)
    };
    let expected: Vec<u32> = (0..32).map(sum).collect();
    assert_eq!(found, expected);
}

#[test]
fn vector_register_keeps_its_product() {
    let found = results(
        ".reg .v2 .b64 %v; mov.u64 %v.y, 0; mul.wide.u32 %v.x, %t, 4; add.s64 %y, %v.x, %in;
        ld.global.u32 %a, [%y]; mov.v2.u64 {%x, %y}, %v; cvt.u32.u64 %b, %x; add.u32 %a, %a, %b;
        st.global.u32 [%out], %a;",
    );
    let expected: Vec<u32> = (0..32).map(|thread| 5 * thread).collect();
    assert_eq!(found, expected);
}

#[test]
fn part_of_a_constant_register_is_read() {
    let found = results("mov.u32 %a, 0x0705; vadd.u32.u32.u32 %b, %a.b1, %t; st.global.u32 [%out], %b;");
    let expected: Vec<u32> = (7..39).collect();
    assert_eq!(found, expected);
}

#[test]
fn constant_result_of_a_function_is_returned() {
    let mut device = Device::new(
        ".version 9.0
        .target sm_90
        .address_size 64
        .func (.reg .b32 %result) five() { mov.u32 %result, 5; ret; }
        .visible .entry k(.param .b64 out)
        {
            .reg .b32 %a; .reg .b64 %out; ld.param.b64 %out, [out];
            call (%a), five, (); st.global.u32 [%out], %a; ret;
        }",
    );
    let out = device.alloc_u32(&[0]);
    let mut execution = device.begin("k", [1, 1], &[out], |_| {});
    device.go_on(&mut execution, u64::MAX).unwrap();
    assert_eq!(device.u32s(out)[0], 5);
}

/// Runs an entry that calls the function `f` with the arguments 7 and 0, and returns the result.
fn called(function: &str) -> u32 {
    let mut device = Device::new(&format!(
        ".version 9.0
        .target sm_90
        .address_size 64
        {function}
        .visible .entry k(.param .b64 out)
        {{
            .reg .b32 %r, %a, %b; .reg .b64 %out; ld.param.b64 %out, [out];
            mov.u32 %a, 7; mov.u32 %b, 0; call (%r), f, (%a, %b); st.global.u32 [%out], %r; ret;
        }}"
    ));
    let out = device.alloc_u32(&[0]);
    let mut execution = device.begin("k", [1, 1], &[out], |_| {});
    device.go_on(&mut execution, u64::MAX).unwrap();
    device.u32s(out)[0]
}

#[test]
fn parameter_of_a_function_is_variable() {
    let found = called(
        ".func (.reg .b32 %result) f(.reg .b32 %first, .reg .b32 %second)
        {
            .reg .pred %p; setp.eq.u32 %p, %second, 0; @%p bra END; mov.u32 %first, 5;
            END: add.u32 %result, %first, 1; ret;
        }",
    );
    assert_eq!(found, 8);
}

#[test]
fn product_that_is_a_result_stays() {
    let found = called(
        ".func (.reg .b64 %result) g(.reg .b32 %first, .reg .b64 %second)
        {
            .reg .b64 %sum; mul.wide.u32 %result, %first, 4; add.s64 %sum, %result, %second; ret;
        }
        .func (.reg .b32 %result) f(.reg .b32 %first, .reg .b32 %second)
        {
            .reg .b64 %x, %y; mov.u64 %y, 1; call (%x), g, (%first, %y); cvt.u32.u64 %result, %x; ret;
        }",
    );
    assert_eq!(found, 28);
}

#[test]
fn parameter_in_a_vector_register_is_loaded() {
    let mut device = Device::kernel(
        ".param .align 16 .b64 in, .param .b64 out",
        ".reg .v2 .b64 %pair; .reg .b64 %out, %x, %y; .reg .b32 %a; .reg .pred %p;
        ld.param.b64 %out, [out]; ld.param.v2.b64 %pair, [in]; mov.v2.b64 {%x, %y}, %pair;
        setp.eq.u64 %p, %y, %out; selp.u32 %a, 1, 2, %p; st.global.u32 [%out], %a; ret;",
    );
    let (input, out) = (device.alloc_u32(&[0]), device.alloc_u32(&[0]));
    let mut execution = device.begin("k", [1, 1], &[input, out], |_| {});
    device.go_on(&mut execution, u64::MAX).unwrap();
    assert_eq!(device.u32s(out)[0], 1);
}

#[test]
fn invalid_results_are_the_nan_of_single_precision() {
    let found = results(
        ".reg .f32 %f, %g; cvt.rn.f32.u32 %f, %t; mov.f32 %g, 0f40000000; sub.rn.f32 %f, %g, %f;
        sqrt.rn.f32 %f, %f; st.global.f32 [%out], %f;",
    );
    assert_eq!(found[3..], [0x7fff_ffff; 29]);
}
