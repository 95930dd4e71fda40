//! Declarations that differ from the CUDA C++. A comment below a line gives the error at it.

#![allow(dead_code)]

use super::{Factor, Holder, Mode, Wind};
use cuda_rt::DevicePtr;
use cuda_rt::launch::KernelArg;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Short {
    direction: [f32; 4],
}

#[derive(Clone, Copy, KernelArg)]
#[repr(u8)]
enum Switch {
    Third = 3,
}

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Unaligned {
    all: [f32; 5],
    last: i32,
}

cuda_rt::kernels! {
    pub(super) struct Mistakes from cuda_file("kernels.cu", headers = ["kernels.cuh"]);
    extern {
        #[name = "sum<float>"]
        fn too_few(x: &[f32], out: &mut [f32]);
        //~ kernel 'sum<float>': 2 parameters are declared; it takes another number
        #[name = "sum<float>"]
        fn too_many(x: &[f64], out: &mut [f32], n: f32, more: u32);
        //~ kernel 'sum<float>': 4 parameters are declared; it takes another number
        fn plain();
        //~ kernel 'plain': 0 parameters are declared; it takes another number
        #[name = "sum<float>"]
        fn number(x: &[f32], out: &mut [f32], n: i32);
        //~ kernel 'sum<float>': parameter 3 'n' is declared as 'i32', 'int' in C++
        #[name = "sum<float>"]
        fn size(x: &[f32], out: &mut [f32], n: usize);
        //~ kernel 'sum<float>': parameter 3 'n' is declared as 'usize', 'size_t' in C++
        #[name = "sum<float>"]
        fn swapped(x: &[f32], n: u32, out: &mut [f32]);
        //~ kernel 'sum<float>': parameter 2 'n' is declared as 'u32', 'unsigned' in C++
        //~ kernel 'sum<float>': parameter 3 'out' is declared as '&mut [f32]', 'float *' in C++
        #[name = "sum<double>"]
        fn template(x: &[f64],
            out: &mut [f32],
            //~ kernel 'sum<double>': parameter 2 'out' is declared as '&mut [f32]', 'float *' in C++
            n: u32);
        #[name = "sum<float>"]
        fn written(x: &[f32], out: &[f32], n: u32);
        //~ kernel 'sum<float>': parameter 2 'out' is declared as '&[f32]'; the kernel may write it: declare '&mut [..]', or write '#[reads]' if it does not
        #[name = "sum<float>"]
        fn only_read(x: &mut [f32], out: &mut [f32], n: u32);
        //~ kernel 'sum<float>': parameter 1 'x' is declared as '&mut [f32]'; the kernel only reads it: declare '&[..]'
        #[name = "sum<float>"]
        fn by_address(x: DevicePtr<u32>, out: DevicePtr<f32>, n: u32);
        //~ kernel 'sum<float>': parameter 1 'x' is declared as 'DevicePtr<u32>', 'unsigned *' in C++
        #[name = "sims::step"]
        fn short(wind: Short, by: f32, is_stored: bool);
        //~ kernel 'sims::step': parameter 1 'wind' is declared as 'Short', of 16 bytes, aligned to 4
        #[name = "sims::step"]
        fn unaligned(wind: Unaligned, by: f32, is_stored: bool);
        //~ kernel 'sims::step': parameter 1 'wind' is declared as 'Unaligned', of 24 bytes, aligned to 4
        #[name = "sims::step"]
        fn namespace(wind: Wind, by: f32, is_stored: u8);
        //~ kernel 'sims::step': parameter 3 'is_stored' is declared as 'u8', 'unsigned char' in C++
        #[name = "wrapped"]
        fn kinds(
            mode: Factor,
            //~ kernel 'wrapped': parameter 1 'mode' is declared as 'Factor', of 4 bytes, aligned to 4 or more, and not an integer
            by: Mode,
            //~ kernel 'wrapped': parameter 2 'by' is declared as 'Mode', of 4 bytes, aligned to 4 or more, and not a floating-point number
            data: Holder,
            holder: Holder,
            handle: Holder,
            //~ kernel 'wrapped': parameter 5 'handle' is declared as 'Holder', of 8 bytes, aligned to 8, and not a number
        );
        #[name = "given"]
        fn values(
            by: [f32; 2],
            //~ kernel 'given': parameter 1 'by' is declared as '[f32; 2]', of 8 bytes, aligned to 4 or more, and not an address
            pair: [f32; 2],
            //~ kernel 'given': parameter 2 'pair' is declared as '[f32; 2]', of 8 bytes, aligned to 4 or more, and not an address
            is_on: Switch,
            //~ kernel 'given': parameter 3 'is_on' is declared as 'Switch', of 1 byte, aligned to 1 or more, and not 'bool'
        );
        #[name = "plain"]
        fn extern_c(x: &mut [f32], y: &[f32]);
        //~ kernel 'plain': parameter 2 'y' is declared as '&[f32]', 'const float *' in C++
        #[name = "plain"]
        fn elements(x: &mut [f32], y: &[[f32; 2]]);
        //~ kernel 'plain': parameter 2 'y' is declared as '&[[f32; 2]]', the address of elements of 8 bytes
        #[name = "sims::factors"]
        static count: [f32; 5];
        //~ variable 'sims::factors' is declared as '[f32; 5]', 20 bytes of 'float', aligned to 4
        #[name = "sims::factors"]
        static kind: [i32; 4];
        //~ variable 'sims::factors' is declared as '[i32; 4]', 16 bytes of 'int', aligned to 4
        #[name = "sims::last"]
        static last: Short;
        //~ variable 'sims::last' is declared as 'Short', 16 bytes, aligned to 4
        #[name = "sum<int>"]
        fn right(x: &[i32], out: &mut [i32], n: u32);
    }
}

cuda_rt::kernels! {
    pub(super) struct Overloads from cuda_file("kernels.cu", headers = ["kernels.cuh"]);
    extern {
        #[name = "(void (*)(float *, int))add"]
        fn overload(x: &mut [f64], n: i32);
        //~ kernel '(void (*)(float *, int))add': parameter 1 'x' is declared as '&mut [f64]', 'double *' in C++
        #[name = "(void (*)(double *, int))add"]
        fn right(x: &mut [f64], n: i32);
    }
}
