typedef __UINT32_TYPE__ VdpDevice;
typedef __UINT32_TYPE__ VdpVideoSurface;
typedef __UINT32_TYPE__ VdpOutputSurface;
typedef __UINT32_TYPE__ VdpFuncId;
typedef int VdpStatus;
typedef VdpStatus VdpGetProcAddress(VdpDevice device, VdpFuncId function_id, void **function_pointer);
