//! The pictures that the examples draw.

#[path = "../../cuda-rt/examples/19_texture_rotate/picture.rs"]
mod picture;

use cuda_suite::context;
use std::fs::File;
use std::io::BufReader;

/// The picture in the documentation: by reference and by object, and on every driver, to the last bit.
#[test]
fn a_turned_picture_is_the_one_in_the_documentation() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda-rt/docs/texture_rotate.png");
    // Without the repository, there is no picture to compare with.
    let expected = match File::open(path) {
        Ok(file) => {
            let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
            let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut bytes).unwrap();
            assert_eq!((info.width, info.height), (picture::SIZE, picture::SIZE));
            Some(bytes)
        }
        Err(_) => {
            cuda_suite::note_skip("pictures", "the picture of the documentation is not here");
            None
        }
    };
    let [by_reference, by_object] = picture::turned(&context(), 30.0).unwrap();
    assert_eq!(by_reference, by_object);
    if let Some(expected) = expected {
        let differ =
            by_object.as_flattened().iter().zip(&expected).filter(|(found, expected)| found != expected);
        assert_eq!(differ.count(), 0, "bytes that differ");
        assert_eq!(by_object.as_flattened().len(), expected.len());
    }
}
