// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

impl AtomicOperation {
    /// A sum of integers.
    #[doc(alias = "CU_ATOMIC_OPERATION_INTEGER_ADD")]
    pub const INTEGER_ADD: Self = Self(0);
    /// The lesser of two integers.
    #[doc(alias = "CU_ATOMIC_OPERATION_INTEGER_MIN")]
    pub const INTEGER_MIN: Self = Self(1);
    /// The greater of two integers.
    #[doc(alias = "CU_ATOMIC_OPERATION_INTEGER_MAX")]
    pub const INTEGER_MAX: Self = Self(2);
    /// An increment that wraps at a bound.
    #[doc(alias = "CU_ATOMIC_OPERATION_INTEGER_INCREMENT")]
    pub const INTEGER_INCREMENT: Self = Self(3);
    /// A decrement that wraps at a bound.
    #[doc(alias = "CU_ATOMIC_OPERATION_INTEGER_DECREMENT")]
    pub const INTEGER_DECREMENT: Self = Self(4);
    /// The bits that both have.
    #[doc(alias = "CU_ATOMIC_OPERATION_AND")]
    pub const AND: Self = Self(5);
    /// The bits that either has.
    #[doc(alias = "CU_ATOMIC_OPERATION_OR")]
    pub const OR: Self = Self(6);
    /// The bits that one alone has.
    #[doc(alias = "CU_ATOMIC_OPERATION_XOR")]
    pub const XOR: Self = Self(7);
    /// An exchange.
    #[doc(alias = "CU_ATOMIC_OPERATION_EXCHANGE")]
    pub const EXCHANGE: Self = Self(8);
    /// An exchange, if the old value is as expected.
    #[doc(alias = "CU_ATOMIC_OPERATION_CAS")]
    pub const CAS: Self = Self(9);
    /// A sum of floating-point numbers.
    #[doc(alias = "CU_ATOMIC_OPERATION_FLOAT_ADD")]
    pub const FLOAT_ADD: Self = Self(10);
    /// The lesser of two floating-point numbers.
    #[doc(alias = "CU_ATOMIC_OPERATION_FLOAT_MIN")]
    pub const FLOAT_MIN: Self = Self(11);
    /// The greater of two floating-point numbers.
    #[doc(alias = "CU_ATOMIC_OPERATION_FLOAT_MAX")]
    pub const FLOAT_MAX: Self = Self(12);
}

numbers! { AtomicOperation:
    INTEGER_ADD INTEGER_MIN INTEGER_MAX INTEGER_INCREMENT INTEGER_DECREMENT AND OR XOR EXCHANGE CAS FLOAT_ADD
    FLOAT_MIN FLOAT_MAX
}
