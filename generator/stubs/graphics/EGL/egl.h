typedef __INT32_TYPE__ EGLint;
