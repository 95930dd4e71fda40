#ifndef STUB_STDDEF
#define STUB_STDDEF
typedef __SIZE_TYPE__ size_t;
#endif
