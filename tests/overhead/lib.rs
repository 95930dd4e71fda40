//! Nothing: the package has one test.
