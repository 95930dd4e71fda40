//! A software CUDA driver.
