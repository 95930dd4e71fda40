//! Visible devices, in the format of `CUDA_VISIBLE_DEVICES`.

use crate::Config;
use std::fmt::Write;

/// Returns the UUID of a device.
pub(crate) fn uuid(place: u32) -> [u8; 16] {
    let mut bytes = *b"cuda-sim\0\0\0\0\0\0\0\0";
    bytes[12..].copy_from_slice(&place.to_be_bytes());
    bytes
}

/// Returns the UUID as text: `GPU-63756461-2d73-696d-0000-000000000001`.
fn name(place: u32) -> String {
    let mut text = "GPU".to_owned();
    for (index, byte) in uuid(place).into_iter().enumerate() {
        if matches!(index, 0 | 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Config {
    /// Makes devices visible as a text such as `1,0` in `CUDA_VISIBLE_DEVICES` does.
    ///
    /// The text lists devices in the order of their ordinals. An entry is the position of a device in the machine, or
    /// the beginning of its UUID (`GPU-63756461-2d73-…`). The beginning must be that of one UUID only. The list ends
    /// before the first entry that names no device. If the text is empty, no device is visible. If a device occurs
    /// twice, `cuInit` fails (measured).
    ///
    /// ```
    /// let mut config = cuda_sim::Config { devices: 4, ..cuda_sim::Config::default() };
    /// config.show_devices("2, 0, 7, 1");
    /// assert_eq!(config.visible, Some(vec![2, 0]));
    /// ```
    pub fn show_devices(&mut self, text: &str) {
        let mut visible = Vec::new();
        for entry in text.split(',') {
            match self.place(entry.trim()) {
                Some(place) => visible.push(place),
                None => break,
            }
        }
        self.visible = Some(visible);
    }

    fn place(&self, entry: &str) -> Option<u32> {
        let places = 0..self.devices.min(Config::MAX_DEVICES);
        if !entry.starts_with("GPU-") {
            // Only the leading digits of a number count (measured: 0x0 is 0).
            let digits = entry.find(|c: char| !c.is_ascii_digit()).unwrap_or(entry.len());
            return entry[..digits].parse().ok().filter(|place| places.contains(place));
        }
        let entry = entry.to_ascii_lowercase();
        let mut matching = places.filter(|place| name(*place).to_ascii_lowercase().starts_with(&entry));
        matching.next().filter(|_| matching.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    fn shown(text: &str) -> Vec<u32> {
        let mut config = Config { devices: 3, ..Config::default() };
        config.show_devices(text);
        config.visible_devices()
    }

    #[test]
    fn lists_select_and_reorder() {
        assert_eq!(shown("2,0"), [2, 0]);
        assert_eq!(shown(" 1 "), [1]);
        assert_eq!(shown("0,1,2"), [0, 1, 2]);
    }

    #[test]
    fn a_list_ends_before_what_is_no_device() {
        for text in ["", "-1", "3", "x", "-1,0"] {
            assert_eq!(shown(text), [0; 0], "{text:?}");
        }
        assert_eq!(shown("0,2,-1,1"), [0, 2]);
        assert_eq!(shown("1,,0"), [1]);
        assert_eq!(shown("1x,0x0"), [1, 0]);
    }

    #[test]
    fn identities_of_one_device_may_be_cut_short() {
        assert_eq!(shown("GPU-63756461-2d73-696d-0000-000000000002,0"), [2, 0]);
        assert_eq!(shown("GPU-63756461-2D73-696D-0000-000000000001"), [1]);
        assert_eq!(shown("GPU-63756461"), [0; 0]);
    }
}
