//! Values of the program that graphs of the driver keep alive.

use crate::setup::{instantiate, is_since, place};
use cuda_rt::Event;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, Graph, UserObject};
use cuda_suite::{context, skip};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Tells when it is dropped, on which thread.
struct Tells(Sender<Option<String>>);

impl Drop for Tells {
    fn drop(&mut self) {
        let _ = self.0.send(std::thread::current().name().map(str::to_owned));
    }
}

/// A value, and the channel on which it reports its drop.
fn value() -> (Tells, Receiver<Option<String>>) {
    let (sender, receiver) = channel();
    (Tells(sender), receiver)
}

/// Waits until the value was dropped.
fn dropped(receiver: &Receiver<Option<String>>) -> Option<String> {
    receiver.recv_timeout(Duration::from_secs(60)).expect("the value is dropped some time")
}

/// Makes an object; ends the test if the driver has none.
macro_rules! object {
    ($value:expr) => {{
        if !is_since(11, 3) {
            skip!("user objects need CUDA 11.3");
        }
        let _context = context();
        match UserObject::new($value) {
            Err(error) if error.code() == Some(Code::NotSupported) => {
                skip!("the driver has no user objects: {error}")
            }
            object => object.unwrap(),
        }
    }};
}

#[test]
fn user_object_last_handle_drops_the_value() {
    let (value, receiver) = value();
    let object = object!(value);
    let other = object.try_clone().unwrap();
    assert_eq!(object.as_raw(), other.as_raw());
    object.close().unwrap();
    assert!(receiver.try_recv().is_err(), "the other handle keeps the value");
    std::thread::spawn(move || drop(other)).join().unwrap();
    assert_eq!(dropped(&receiver).as_deref(), Some("cuda-rt drops"));
}

#[test]
fn user_object_destructor_may_call_the_driver() {
    /// Calls the driver when it is dropped.
    struct Calls(Sender<bool>);
    impl Drop for Calls {
        fn drop(&mut self) {
            let _ = self.0.send(Event::new(&context()).is_ok());
        }
    }
    let (sender, receiver) = channel();
    drop(object!(Calls(sender)));
    assert!(receiver.recv_timeout(Duration::from_secs(60)).unwrap());
}

#[test]
fn graph_keeps_a_user_object_until_it_is_destroyed() {
    let (value, receiver) = value();
    let object = object!(value);
    let (context, stream) = place();
    let mut graph = Graph::new(&context).unwrap();
    graph.retain_user_object(&object).unwrap();
    graph.retain_user_object(&object).unwrap();
    // SAFETY: the graph has two references.
    unsafe { graph.release_user_object(&object, 1) }.unwrap();
    drop(object);
    graph.empty(&[]).unwrap();
    let mut program = instantiate(&mut graph);
    graph.close().unwrap();
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert!(receiver.try_recv().is_err(), "the executable graph keeps the value");
    drop(program);
    dropped(&receiver);
}

#[test]
fn user_object_before_11_3_is_missing() {
    if is_since(11, 3) {
        skip!("this driver has user objects");
    }
    let _context = context();
    let (value, receiver) = value();
    let error = UserObject::new(value).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    assert!(error.to_string().contains("11.3"), "{error}");
    assert!(receiver.try_recv().is_ok(), "the value of a refused object is dropped at once");
}
