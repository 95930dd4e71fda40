//! Programs whose streams call functions.
//!
//! Objects that are dropped inside a host function go to a thread that is on no machine of the sweep. So the functions here
//! own no objects of the driver.

use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{DeviceBuf, Error, Stream};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("host functions", functions),
    plain("host functions of default streams", default_streams),
    plain("host functions that outlive their stream", outliving),
];

/// The longest time to wait for a message of a host function, or for the end of its calls.
const LONG: Duration = Duration::from_secs(60);

// The receiver may be dropped by then.
fn functions() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    let (sender, receiver) = channel();
    let callback = sender.clone();
    let launched = stream.launch_host_function(move || drop(sender.send(Ok(()))));
    let added = launched.and_then(|()| stream.add_callback(move |outcome| drop(callback.send(outcome))));
    if let Err(error) = added {
        // The functions of calls that have failed are gone; the first may have been called.
        drop((buffer, stream));
        assert!(receiver.recv_timeout(LONG).is_ok_and(|sent| sent.is_ok()) || receiver.try_recv().is_err());
        return Err(error);
    }
    let waited = stream.synchronize();
    let outcomes: Vec<Result<(), Error>> = receiver.try_iter().collect();
    waited?;
    assert_eq!(outcomes, [Ok(()), Ok(())]);
    assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    stream.close()
}

fn default_streams() -> Done {
    let context = own()?;
    let count = Arc::new(());
    let (legacy, own) = (Stream::legacy(&context), PerThreadStream::new(&context));
    let kept = Arc::clone(&count);
    legacy.launch_host_function(move || drop(kept))?;
    legacy.synchronize()?;
    let kept = Arc::clone(&count);
    own.launch_host_function(move || drop(kept))?;
    let kept = Arc::clone(&count);
    own.add_callback(move |_| drop(kept))?;
    own.synchronize()?;
    assert_eq!(Arc::strong_count(&count), 1);
    Ok(())
}

fn outliving() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let (sender, receiver) = channel();
    let callback = sender.clone();
    stream.launch_host_function(move || {
        let _ = sender.send("function");
    })?;
    stream.add_callback(move |_| {
        let _ = callback.send("callback");
    })?;
    drop((stream, context));
    // They are called before the context has ended, or never.
    let _ = receiver.recv_timeout(LONG);
    Ok(())
}
