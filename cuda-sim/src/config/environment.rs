//! A configuration as the environment says it.

use super::{Config, ConfigError};
use std::env;

impl Config {
    /// Reads the configuration from the environment, as the software driver does where it is a shared library.
    ///
    /// - `CUDA_SIM`: what [`from_text`](Config::from_text) reads. If unset, the default.
    /// - `CUDA_VISIBLE_DEVICES`: what [`show_devices`](Config::show_devices) reads, in place of an entry `visible` of
    ///   `CUDA_SIM`. If unset, all devices are visible. If set to nothing, none is, as with NVIDIA's driver.
    ///
    /// # Errors
    ///
    /// - A variable that is not UTF-8.
    /// - An entry that [`from_text`](Config::from_text) refuses, with the variable's name.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::Config;
    ///
    /// cuda_sim::install(Config::from_env()?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_env() -> Result<Config, ConfigError> {
        Config::default().with_env()
    }

    /// Reads what [`from_env`](Config::from_env) reads, on top of this configuration instead of the default one.
    ///
    /// # Errors
    ///
    /// Same as [`from_env`](Config::from_env).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::Config;
    ///
    /// let config = Config { devices: 4, ..Config::default() }.with_env()?;
    /// # let _ = config;
    /// # Ok::<(), cuda_sim::ConfigError>(())
    /// ```
    pub fn with_env(self) -> Result<Config, ConfigError> {
        let text = variable("CUDA_SIM")?.unwrap_or_default();
        let mut config = self.with_text(&text).map_err(|error| error.in_variable("CUDA_SIM"))?;
        if let Some(devices) = variable("CUDA_VISIBLE_DEVICES")? {
            config.show_devices(&devices);
        }
        Ok(config)
    }
}

fn variable(name: &'static str) -> Result<Option<String>, ConfigError> {
    let text = env::var_os(name).map(|value| value.into_string());
    text.transpose().map_err(|value| {
        ConfigError::new(value.display().to_string(), "it is not UTF-8".to_owned()).in_variable(name)
    })
}
