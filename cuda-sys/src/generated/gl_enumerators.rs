// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

enumerators! {
    CUGLDeviceList_enum {
        CU_GL_DEVICE_LIST_ALL CU_GL_DEVICE_LIST_CURRENT_FRAME CU_GL_DEVICE_LIST_NEXT_FRAME
    }
    CUGLmap_flags_enum {
        CU_GL_MAP_RESOURCE_FLAGS_NONE CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY
        CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD
    }
}
