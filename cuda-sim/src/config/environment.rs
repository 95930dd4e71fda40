//! A configuration from the environment.

use super::keys::KEYS;
use super::{Config, ConfigError};
use std::env;
use std::sync::atomic::{AtomicBool, Ordering};

/// True after the program has read a configuration from the environment.
static IS_READ: AtomicBool = AtomicBool::new(false);

impl Config {
    /// Reads the configuration from the environment, as the shared library of the software driver does.
    ///
    /// - `CUDA_SIM`: the text for [`from_text`](Config::from_text). If unset, the default configuration.
    /// - `CUDA_VISIBLE_DEVICES`: the text for [`show_devices`](Config::show_devices). It replaces an entry `visible` of
    ///   `CUDA_SIM`. If unset, that entry applies. Without both, all devices are visible. If the variable is empty, no
    ///   device is visible, as with NVIDIA's driver.
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
        IS_READ.store(true, Ordering::Relaxed);
        let text = variable("CUDA_SIM")?.unwrap_or_default();
        let mut config = self.with_text(&text).map_err(|error| error.in_variable("CUDA_SIM"))?;
        if let Some(devices) = variable("CUDA_VISIBLE_DEVICES")? {
            config.show_devices(&devices);
        }
        Ok(config)
    }
}

/// Returns `CUDA_SIM` if the program has not read it, and an entry differs from this configuration.
pub(crate) fn ignored_text(config: &Config) -> Option<String> {
    if IS_READ.load(Ordering::Relaxed) {
        return None;
    }
    let text = env::var_os("CUDA_SIM")?.to_string_lossy().into_owned();
    differs(config, &text).then_some(text)
}

/// Returns whether an entry of a text has another value in a configuration. A program may have read the text by itself.
fn differs(config: &Config, text: &str) -> bool {
    let Ok(wanted) = Config::from_text(text) else { return true };
    let names: Vec<&str> =
        text.split(',').filter_map(|entry| Some(entry.split_once('=')?.0.trim())).collect();
    let named = KEYS.iter().filter(|key| names.contains(&key.name));
    named.into_iter().any(|key| key.write(config) != key.write(&wanted))
}

fn variable(name: &'static str) -> Result<Option<String>, ConfigError> {
    let text = env::var_os(name).map(|value| value.into_string());
    text.transpose().map_err(|value| {
        ConfigError::new(value.display().to_string(), "it is not UTF-8".to_owned()).in_variable(name)
    })
}

#[cfg(test)]
mod tests {
    use super::{Config, differs};

    #[test]
    fn entries_of_a_text_are_compared() {
        let config = |text: &str| Config::from_text(text).unwrap_or_default();
        let four = config("devices=4,memcheck=on,fault=any:2");
        for text in ["", "devices=4", " devices = 4 ", "memcheck=on,fault=any:2", "racecheck=off"] {
            assert!(!differs(&four, text), "{text}");
        }
        for text in ["devices=2", "racecheck=on", "memcheck=off", "fault=any:3", "devices=many", "device=4"] {
            assert!(differs(&four, text), "{text}");
        }
    }
}
