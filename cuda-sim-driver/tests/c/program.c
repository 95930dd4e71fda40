/* What a program in C does with the driver that it is linked with. It ends with 0 if all was as it should be.
 * Compiled for the per-thread default stream too. */

#define _GNU_SOURCE
#include <cuda.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call) check((call), #call, __LINE__)
#define EXPECT(condition) expect((condition), #condition, __LINE__)

static void check(CUresult code, const char *call, int line) {
    const char *name = NULL, *text = NULL;
    if (code == CUDA_SUCCESS) return;
    if (cuGetErrorName(code, &name) != CUDA_SUCCESS) name = "?";
    if (cuGetErrorString(code, &text) != CUDA_SUCCESS) text = "?";
    fprintf(stderr, "line %d: %s: %s (%d): %s\n", line, call, name, (int)code, text);
    exit(1);
}

static void expect(int holds, const char *condition, int line) {
    if (holds) return;
    fprintf(stderr, "line %d: it does not hold that %s\n", line, condition);
    exit(1);
}

static const char *add_ptx =
    ".version 6.4\n.target sm_50\n.address_size 64\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    "  .reg .pred %p; .reg .f32 %x, %y; .reg .b32 %i, %n, %t, %s; .reg .b64 %a, %b, %c, %o;\n"
    "  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %c, [c]; ld.param.u32 %n, [n];\n"
    "  mov.u32 %t, %ctaid.x; mov.u32 %s, %ntid.x; mov.u32 %i, %tid.x; mad.lo.s32 %i, %t, %s, %i;\n"
    "  setp.ge.u32 %p, %i, %n; @%p ret;\n"
    "  mul.wide.u32 %o, %i, 4; add.s64 %a, %a, %o; add.s64 %b, %b, %o; add.s64 %c, %c, %o;\n"
    "  ld.global.f32 %x, [%a]; ld.global.f32 %y, [%b]; add.f32 %x, %x, %y; st.global.f32 [%c], %x;\n"
    "  ret;\n}\n";

/* Prints its parameter. */
static const char *print_ptx =
    ".version 6.4\n.target sm_50\n.address_size 64\n"
    ".extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);\n"
    ".global .align 1 .b8 text[] = {107, 101, 114, 110, 101, 108, 32, 37, 100, 10, 0};\n"
    ".visible .entry print(.param .u32 number) {\n"
    "  .local .align 8 .b8 list[8]; .reg .b64 %t, %l; .reg .b32 %n;\n"
    "  ld.param.u32 %n, [number]; mov.u64 %t, text; mov.u64 %l, list; cvta.local.u64 %l, %l;\n"
    "  st.u32 [%l], %n;\n"
    "  { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %t; st.param.b64 [b], %l;\n"
    "    call.uni (c), vprintf, (a, b); }\n"
    "  ret;\n}\n";

enum { COUNT = 1000, THREADS = 4 };

static CUcontext context;
static CUfunction add;

/* Adds two vectors on the stream, and looks at every sum. */
static void vectors(CUstream stream, float first) {
    static __thread float a[COUNT], b[COUNT], c[COUNT];
    CUdeviceptr da, db, dc;
    unsigned count = COUNT;
    void *arguments[] = {&da, &db, &dc, &count};
    int i;
    for (i = 0; i < COUNT; i++) {
        a[i] = first + (float)i;
        b[i] = 2.0f * (float)i;
    }
    CHECK(cuMemAlloc(&da, sizeof a));
    CHECK(cuMemAlloc(&db, sizeof b));
    CHECK(cuMemAlloc(&dc, sizeof c));
    CHECK(cuMemcpyHtoD(da, a, sizeof a));
    CHECK(cuMemcpyHtoDAsync(db, b, sizeof b, stream));
    CHECK(cuMemsetD32Async(dc, 0, COUNT, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuLaunchKernel(add, (COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, stream, arguments, NULL));
    CHECK(cuMemcpyDtoHAsync(c, dc, sizeof c, stream));
    CHECK(cuStreamSynchronize(stream));
    for (i = 0; i < COUNT; i++) EXPECT(c[i] == first + 3.0f * (float)i);
    CHECK(cuMemFree(da));
    CHECK(cuMemFree(db));
    CHECK(cuMemFree(dc));
}

static void *worker(void *number) {
    CUstream stream;
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    vectors(stream, (float)(size_t)number);
    vectors(NULL, -(float)(size_t)number);
    CHECK(cuStreamDestroy(stream));
    return NULL;
}

static void texts(void) {
    const char *text = NULL;
    CHECK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    EXPECT(strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
    CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    EXPECT(strlen(text) > 0);
    EXPECT(cuGetErrorName((CUresult)12345, &text) == CUDA_ERROR_INVALID_VALUE && text == NULL);
}

/* What kernels print comes in order with what the program prints, on a pipe too. */
static void prints(void) {
    CUmodule module;
    CUfunction print;
    int number;
    void *arguments[] = {&number};
    CHECK(cuModuleLoadData(&module, print_ptx));
    CHECK(cuModuleGetFunction(&print, module, "print"));
    for (number = 1; number <= 2; number++) {
        printf("program %d\n", number);
        CHECK(cuLaunchKernel(print, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
        CHECK(cuCtxSynchronize());
    }
    CHECK(cuModuleUnload(module));
}

/* Which stream is the default one shows in its number. */
static void default_stream(void) {
    unsigned long long null, legacy, per_thread;
    CHECK(cuStreamGetId(NULL, &null));
    CHECK(cuStreamGetId(CU_STREAM_LEGACY, &legacy));
    CHECK(cuStreamGetId(CU_STREAM_PER_THREAD, &per_thread));
    EXPECT(legacy != per_thread);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    EXPECT(null == per_thread);
#else
    EXPECT(null == legacy);
#endif
}

static void addresses(void) {
    typedef CUresult(CUDAAPI * GetId)(CUstream, unsigned long long *);
    typedef CUresult(CUDAAPI * GetCount)(int *);
    CUdriverProcAddressQueryResult status = (CUdriverProcAddressQueryResult)99;
    void *address = &status, *other = NULL;
    unsigned long long number, expected;
    int version, count = 0;
    CHECK(cuDriverGetVersion(&version));

    CHECK(cuGetProcAddress("cuDeviceGetCount", &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
    EXPECT(status == CU_GET_PROC_ADDRESS_SUCCESS && address != NULL);
    CHECK(((GetCount)address)(&count));
    EXPECT(count > 0);

    /* What a name stands for depends on the release. */
    CHECK(cuGetProcAddress("cuMemAdvise", &address, 12010, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    CHECK(cuGetProcAddress("cuMemAdvise", &other, 12020, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    EXPECT(address != NULL && other != NULL && address != other);

    CHECK(cuGetProcAddress("cuLibraryLoadData", &address, 11080, CU_GET_PROC_ADDRESS_DEFAULT, &status));
    EXPECT(address == NULL && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    CHECK(cuGetProcAddress("cuNothing", &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
    EXPECT(address == NULL && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    CHECK(cuGetProcAddress("cuMemAlloc_v2", &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
    EXPECT(address == NULL && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT(cuGetProcAddress("cuInit", &address, version + 10, 0, &status) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGetProcAddress("cuInit", &address, version, 4, &status) == CUDA_ERROR_INVALID_VALUE);

    CHECK(cuGetProcAddress("cuStreamGetId", &address, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, NULL));
    CHECK(((GetId)address)(NULL, &number));
    CHECK(cuStreamGetId(CU_STREAM_LEGACY, &expected));
    EXPECT(number == expected);
    CHECK(cuGetProcAddress("cuStreamGetId", &address, version, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
    CHECK(((GetId)address)(NULL, &number));
    CHECK(cuStreamGetId(CU_STREAM_PER_THREAD, &expected));
    EXPECT(number == expected);
    /* A function without a second version is the one that there is. */
    CHECK(cuGetProcAddress("cuInit", &address, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, NULL));
    CHECK(cuGetProcAddress("cuInit", &other, version, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
    EXPECT(address == other && address != NULL);
}

#ifdef __linux__
static const char *float_ptx =
    ".version 6.4\n.target sm_50\n.address_size 64\n"
    ".visible .entry floats(.param .u64 to) {\n"
    "  .reg .b64 %a; .reg .f32 %x, %y; .reg .f64 %d;\n"
    "  ld.param.u64 %a, [to]; ld.global.f32 %x, [%a]; ld.global.f64 %d, [%a+8];\n"
    "  mul.rn.f32 %y, %x, 0f3E800000; st.global.f32 [%a+16], %y;\n"
    "  div.rn.f32 %y, 0f3F800000, 0f40400000; st.global.f32 [%a+20], %y;\n"
    "  fma.rn.f32 %y, %x, %x, 0f3F800000; st.global.f32 [%a+24], %y;\n"
    "  mul.rn.f64 %d, %d, 0d3FE0000000000000; st.global.f64 [%a+32], %d;\n"
    "  ret;\n}\n";

static int upward_seen;

static int rounds_upward(void) {
    volatile float one = 1.0f, little = 1e-30f;
    return one + little > one;
}

static void see_float_environment(void *data) {
    (void)data;
    upward_seen = rounds_upward();
}

static size_t shared_memory(int threads) {
    (void)threads;
    upward_seen = rounds_upward();
    return 0;
}

static void read_floats(CUfunction floats, unsigned char results[40]) {
    const float least = 1.17549435e-38f;
    const double least_double = 2.2250738585072014e-308;
    CUdeviceptr memory;
    void *arguments[] = {&memory};
    memset(results, 0, 40);
    memcpy(results, &least, sizeof least);
    memcpy(results + 8, &least_double, sizeof least_double);
    CHECK(cuMemAlloc(&memory, 40));
    CHECK(cuMemcpyHtoD(memory, results, 40));
    CHECK(cuLaunchKernel(floats, 100, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    CHECK(cuMemcpyDtoH(results, memory, 40));
    CHECK(cuMemFree(memory));
}

/* The device ignores the floating-point environment of the host. Functions of the program have that of the program. */
static void float_environment(void) {
    unsigned char expected[40], results[40];
    fenv_t before, flushing, after;
    float milliseconds;
    CUmodule module;
    CUfunction floats;
    CUevent start, end;
    int blocks, threads;
    CHECK(cuModuleLoadData(&module, float_ptx));
    CHECK(cuModuleGetFunction(&floats, module, "floats"));
    CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    read_floats(floats, expected);
    EXPECT(fegetenv(&before) == 0);

    /* As `gcc -Ofast` does. */
    flushing = before;
#if defined __x86_64__
    flushing.__mxcsr |= 0x8040;
#elif defined __aarch64__
    flushing.__fpcr |= 1 << 24;
#endif
    EXPECT(fesetenv(&flushing) == 0);
    read_floats(floats, results);
    EXPECT(fegetenv(&after) == 0);
    EXPECT(memcmp(&after, &flushing, sizeof after) == 0);
    EXPECT(fesetenv(&before) == 0);
    EXPECT(memcmp(results, expected, sizeof results) == 0);

    EXPECT(fesetround(FE_UPWARD) == 0);
    read_floats(floats, results);
    EXPECT(rounds_upward());
    upward_seen = 0;
    CHECK(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, floats, shared_memory, 0, 0));
    EXPECT(upward_seen);
    upward_seen = 0;
    CHECK(cuLaunchHostFunc(NULL, see_float_environment, NULL));
    CHECK(cuCtxSynchronize());
    EXPECT(upward_seen);
    EXPECT(fesetround(FE_TONEAREST) == 0);
    EXPECT(memcmp(results, expected, sizeof results) == 0);

    feclearexcept(FE_ALL_EXCEPT);
    read_floats(floats, results);
    EXPECT(fetestexcept(FE_ALL_EXCEPT) == 0);
    feenableexcept(FE_ALL_EXCEPT);
    CHECK(cuEventRecord(start, NULL));
    read_floats(floats, results);
    CHECK(cuEventRecord(end, NULL));
    CHECK(cuEventSynchronize(end));
    CHECK(cuEventElapsedTime(&milliseconds, start, end));
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT(memcmp(results, expected, sizeof results) == 0);
    CHECK(cuEventDestroy(start));
    CHECK(cuEventDestroy(end));
    CHECK(cuModuleUnload(module));
}

static void *synchronize(void *stream) {
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamSynchronize((CUstream)stream));
    pthread_testcancel();
    return NULL;
}

/* A thread that waits in the driver is cancelled after the wait. */
static void cancellation(void) {
    const struct timespec some_time = {0, 50000000};
    volatile unsigned *word;
    CUstream stream;
    pthread_t thread;
    void *result, *place;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAllocHost(&place, sizeof *word));
    word = place;
    *word = 0;
    CHECK(cuStreamWaitValue32(stream, (CUdeviceptr)place, 1, CU_STREAM_WAIT_VALUE_EQ));
    EXPECT(pthread_create(&thread, NULL, synchronize, stream) == 0);
    nanosleep(&some_time, NULL);
    EXPECT(pthread_cancel(thread) == 0);
    nanosleep(&some_time, NULL);
    *word = 1;
    EXPECT(pthread_join(thread, &result) == 0);
    EXPECT(result == PTHREAD_CANCELED);
    CHECK(cuCtxSynchronize());
    CHECK(cuMemFreeHost(place));
    CHECK(cuStreamDestroy(stream));
}
#else
static void float_environment(void) {}
static void cancellation(void) {}
#endif

int main(void) {
    CUdevice device;
    CUmodule module;
    pthread_t threads[THREADS];
    size_t i;
    EXPECT(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, add_ptx));
    CHECK(cuModuleGetFunction(&add, module, "add"));
    vectors(NULL, 0.5f);
    for (i = 0; i < THREADS; i++) EXPECT(pthread_create(&threads[i], NULL, worker, (void *)i) == 0);
    for (i = 0; i < THREADS; i++) EXPECT(pthread_join(threads[i], NULL) == 0);
    texts();
    prints();
    default_stream();
    addresses();
    float_environment();
    cancellation();
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    puts("all as it should be");
    return 0;
}
