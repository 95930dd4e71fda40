typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
