//! A configuration from the environment.

use super::{Config, ConfigError};
use std::env;

impl Config {
    /// Reads the configuration from the environment, as the shared library of the software driver does.
    ///
    /// - `CUDA_SIM`: the text for [`from_text`](Config::from_text). If unset, the default configuration.
    /// - `CUDA_VISIBLE_DEVICES`: the text for [`show_devices`](Config::show_devices). It replaces an entry `visible` of
    ///   `CUDA_SIM`. If unset, all devices are visible. If empty, no device is visible, as with NVIDIA's driver.
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

    /// Applies the variables that [`from_env`](Config::from_env) reads to this configuration instead of the default
    /// one.
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
