//! Explanations of the error codes of captures.

use super::CaptureMode;
use crate::error::{Code, Error};

/// Adds the meaning of the code to the error of a call during a capture.
#[cold]
pub(super) fn explain(error: Error, mode: CaptureMode, first: Option<&Error>) -> Error {
    let Some(code) = error.unexplained_code() else { return error };
    match meaning(code, mode, first) {
        Some(text) => error.with_detail(format_args!("{text}")),
        None => error,
    }
}

fn meaning(code: Code, mode: CaptureMode, first: Option<&Error>) -> Option<String> {
    let text = match code {
        Code::StreamCaptureUnsupported => {
            return Some(format!(
                "a capture cannot record the call, or the capture mode `{mode:?}` forbids it on this thread; make the call before \
                 or after the capture, or capture in the mode `Relaxed`"
            ));
        }
        Code::StreamCaptureInvalidated => {
            return Some(match first {
                Some(first) => format!("the capture ended with an earlier failure ({first})"),
                None => "a call outside the capture, or a failed launch, ended it; a synchronisation of the context does, in \
                         every mode"
                    .to_owned(),
            });
        }
        Code::StreamCaptureMerge => {
            "an event would join two captures; wait for it in the capture that has recorded it"
        }
        Code::StreamCaptureUnmatched => "the capture was begun on another stream; end it there",
        Code::StreamCaptureUnjoined => {
            "work that branched off by an event did not come back; wait for an event of the branch before the end"
        }
        Code::StreamCaptureIsolation => {
            "the event was recorded outside the capture; wait for it with `wait_external`"
        }
        Code::StreamCaptureImplicit => {
            "the legacy stream waits for all blocking streams, and one is being captured; use non-blocking streams"
        }
        Code::CapturedEvent => {
            "the event is a part of a capture, and is never reached; use an event recorded with `record_external`"
        }
        Code::StreamCaptureWrongThread => {
            "another thread has begun the capture, and its mode is not `Relaxed`; end the capture on that thread"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Code, meaning};
    use crate::graph::CaptureMode;

    #[test]
    fn capture_codes_are_each_explained() {
        for number in 900..=908 {
            let code = Code::new(cuda_sys::CUresult(number)).unwrap();
            let text = meaning(code, CaptureMode::Global, None);
            assert!(text.is_some_and(|text| !text.is_empty()), "{code:?}");
        }
    }
}
