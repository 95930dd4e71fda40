//! What the simulated machine is like.

use cuda_sys::DriverVersion;

/// The machine that the software driver pretends to be on.
///
/// ```
/// let config = cuda_sim::Config { devices: 4, ..cuda_sim::Config::default() };
/// assert_eq!(config.driver_version.to_string(), "13.0");
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    /// How many devices there are, up to [`MOST_DEVICES`](Config::MOST_DEVICES). With none, `cuInit` answers
    /// `CUDA_ERROR_NO_DEVICE`, as real drivers do.
    pub devices: u32,
    /// What each of them is.
    pub profile: Profile,
    /// The most memory that can be allocated on a device, in bytes, since it comes from the host. A
    /// device reports its profile's total, and this much of it as free at the start.
    pub memory_bytes: u64,
    /// The CUDA release that the driver serves. Functions of later releases do not exist.
    pub driver_version: DriverVersion,
}

impl Config {
    /// More devices than this are not simulated.
    pub const MOST_DEVICES: u32 = 64;
}

impl Default for Config {
    /// Two devices like the H200, 4 GiB of memory for each, and the driver for CUDA 13.0.
    fn default() -> Self {
        Self {
            devices: 2,
            profile: Profile::H200,
            memory_bytes: 4 << 30,
            driver_version: DriverVersion::new(13, 0),
        }
    }
}

/// What a device is: its name, and what it answers when asked for its properties.
///
/// ```
/// use cuda_sim::{Config, Profile};
///
/// let mut profile = Profile::H200;
/// profile.name = "half an H200";
/// profile.total_memory /= 2;
/// let config = Config { profile, ..Config::default() };
/// assert_eq!(config.profile.total_memory, 75_054_940_160);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Profile {
    /// The product's name.
    pub name: &'static str,
    /// Its memory in bytes.
    pub total_memory: u64,
    /// Its attributes, by number. What is not listed it does not know.
    pub attributes: &'static [(u32, i32)],
    /// The limits of a context, by number; `None` for those that the device does not support.
    pub limits: &'static [(u32, Option<u64>)],
    /// The newest version of the PTX language that its driver takes.
    pub ptx_version: (u32, u32),
    /// The priorities of streams: greatest, least.
    pub stream_priorities: (i32, i32),
}

impl Profile {
    /// An NVIDIA H200 with driver 580 (CUDA 13.0), as one answered.
    pub const H200: Profile = Profile {
        name: "NVIDIA H200",
        total_memory: 150_109_880_320,
        attributes: H200_ATTRIBUTES,
        limits: &[
            (0, Some(1024)),
            (1, Some(8_650_752)),
            (2, Some(8_388_608)),
            (3, None),
            (4, Some(2048)),
            (5, Some(64)),
            (6, Some(11_796_480)),
            (7, Some(232_448)),
            (8, Some(0)),
            (9, None),
        ],
        ptx_version: (9, 0),
        stream_priorities: (-5, 0),
    };

    /// The value of an attribute, if the device knows it.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::Profile;
    /// use cuda_sys::CUdevice_attribute_enum as Attribute;
    ///
    /// let warp_size = Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE.0;
    /// assert_eq!(Profile::H200.attribute(warp_size), Some(32));
    /// assert_eq!(Profile::H200.attribute(9999), None);
    /// ```
    pub fn attribute(&self, number: u32) -> Option<i32> {
        self.attributes.iter().find(|(known, _)| *known == number).map(|(_, value)| *value)
    }
}

#[rustfmt::skip]
static H200_ATTRIBUTES: &[(u32, i32)] = &[
    (1, 1024), (2, 1024), (3, 1024), (4, 64), (5, 2147483647), (6, 65535), (7, 65535), (8, 49152),
    (9, 65536), (10, 32), (11, 2147483647), (12, 65536), (13, 1980000), (14, 512), (15, 1), (16, 132),
    (17, 0), (18, 0), (19, 1), (20, 0), (21, 131072), (22, 131072), (23, 65536), (24, 16384),
    (25, 16384), (26, 16384), (27, 32768), (28, 32768), (29, 2048), (30, 512), (31, 1), (32, 1),
    (33, 0), (34, 6), (35, 0), (36, 3201000), (37, 6016), (38, 62914560), (39, 2048), (40, 3), (41, 1),
    (42, 32768), (43, 2048), (44, 1), (45, 32768), (46, 32768), (47, 8192), (48, 8192), (49, 32768),
    (50, 0), (51, 32), (52, 32768), (53, 32768), (54, 2046), (55, 32768), (56, 131072), (57, 65536),
    (58, 16384), (59, 16384), (60, 16384), (61, 32768), (62, 2048), (63, 32768), (64, 32768),
    (65, 2048), (66, 32768), (67, 32768), (68, 2046), (69, 268435456), (70, 131072), (71, 65000),
    (72, 2097120), (73, 32768), (74, 32768), (75, 9), (76, 0), (77, 32768), (78, 1), (79, 1), (80, 1),
    (81, 233472), (82, 65536), (83, 1), (84, 0), (85, 0), (86, 0), (87, 2), (88, 0), (89, 1), (90, 1),
    (91, 1), (92, 0), (93, 0), (94, 0), (95, 1), (96, 1), (97, 232448), (98, 0), (99, 1), (100, 0),
    (101, 0), (102, 1), (103, 1), (104, 0), (105, 0), (106, 32), (107, 1), (108, 39321600),
    (109, 134217728), (110, 1), (111, 1024), (112, 1), (113, 1), (114, 1), (115, 1), (116, 1),
    (117, 1), (118, 100), (119, 9), (120, 1), (121, 1), (122, 1), (123, 1), (124, 1), (125, 1),
    (126, 4), (127, 1), (128, 1), (129, 1), (130, 0), (131, -1), (132, 1), (133, 0), (134, 0),
    (135, 0), (136, 0), (137, 0), (138, 0), (139, 590680286), (140, 415174878), (141, 1), (142, 1),
    (143, 0), (144, 1), (145, 1), (146, 0), (147, 0),
];
