//! Every public function of `cuda-rt`, each with a call of it on objects that were made before.

mod access;
mod arrays;
mod contexts;
mod devices;
mod diagnostics;
mod errors;
mod external;
mod graphics;
mod graphs;
mod green;
mod kernels;
mod managed;
mod memory;
mod modules;
mod nodes;
mod nvrtc;
mod peers;
mod pinned;
mod pools;
mod streams;
mod tensor_maps;
mod textures;
mod virtual_memory;

use crate::world::World;
use cuda_rt::Error;
use cuda_rt::error::ErrorKind;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It answered without the driver.
    Answered,
    /// It was refused, by the name of a driver call.
    Refused(&'static str),
    /// It failed in another way.
    Failed(String),
}

/// The result that a call must have inside a host function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// To be refused. Its object is as it was.
    Refusal,
    /// To answer without the driver. Its object is as it was.
    Answer,
    /// To be refused, and to leave its object to the thread that releases.
    RefusalAndRelease,
    /// To answer, and to leave its object to the thread that releases.
    Release,
    /// To answer, and to hand over what was its object's.
    Handover,
}

/// A call with its object.
pub(crate) trait Prepared: Send {
    /// Makes the call. Runs inside a host function.
    fn call(&mut self) -> Outcome;

    /// Checks the object after the host function has returned.
    fn check(&mut self);
}

pub(crate) type Call = Box<dyn Prepared>;

/// A call that borrows its object.
struct Borrowing<T, C> {
    object: T,
    world: Arc<World>,
    call: C,
    check: fn(&mut T, &World),
}

impl<T: Send, C: Fn(&mut T, &World) -> Outcome + Send> Prepared for Borrowing<T, C> {
    fn call(&mut self) -> Outcome {
        contained(|| (self.call)(&mut self.object, &self.world))
    }

    fn check(&mut self) {
        (self.check)(&mut self.object, &self.world);
    }
}

/// A call that takes its object: it can be made once.
struct Taking<T, R, C> {
    object: Option<T>,
    world: Arc<World>,
    call: C,
    returned: Option<R>,
    check: fn(R, &World),
}

impl<T: Send, R: Send, C: Fn(T, &World) -> (Outcome, R) + Send> Prepared for Taking<T, R, C> {
    fn call(&mut self) -> Outcome {
        contained(|| {
            let (outcome, returned) = (self.call)(self.object.take().unwrap(), &self.world);
            self.returned = Some(returned);
            outcome
        })
    }

    fn check(&mut self) {
        if let Some(returned) = self.returned.take() {
            (self.check)(returned, &self.world);
        }
    }
}

/// One call.
pub(crate) struct Entry {
    /// The functions that it calls, with a few words if there are several calls of one.
    pub(crate) names: Vec<String>,
    pub(crate) expected: Expected,
    /// True if the call leaves its object as it was, and so can be made again.
    pub(crate) can_be_repeated: bool,
    prepare: Box<dyn Fn(&Arc<World>) -> Call>,
}

impl Entry {
    /// The functions that it calls.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| {
            let words = if name.contains(": ") { 2 } else { 1 };
            // A space inside of a type ends no word.
            let is_between =
                |end: &usize| name[..*end].matches('<').count() == name[..*end].matches('>').count();
            let mut ends = name.match_indices(' ').map(|(end, _)| end).filter(is_between);
            ends.nth(words - 1).map_or(&**name, |end| &name[..end])
        })
    }

    /// Makes the object.
    pub(crate) fn prepare(&self, world: &Arc<World>) -> Call {
        (self.prepare)(world)
    }
}

/// The return type of a function that can be refused.
pub(crate) trait Refusal {
    fn outcome(self) -> Outcome;
}

impl<T, E: Into<Error>> Refusal for Result<T, E> {
    fn outcome(self) -> Outcome {
        match self.map_err(Into::into) {
            Ok(_) => Outcome::Answered,
            Err(error) if error.kind() == ErrorKind::InsideHostFunction => {
                Outcome::Refused(error.call().unwrap())
            }
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }
}

#[derive(Default)]
pub(crate) struct Catalogue {
    pub(crate) entries: Vec<Entry>,
}

impl Catalogue {
    pub(crate) fn new() -> Catalogue {
        let mut catalogue = Catalogue::default();
        let c = &mut catalogue;
        errors::add(c);
        devices::add(c);
        diagnostics::add(c);
        contexts::add(c);
        streams::add(c);
        green::add(c);
        memory::add(c);
        pinned::add(c);
        managed::add(c);
        pools::add(c);
        virtual_memory::add(c);
        arrays::add(c);
        textures::add(c);
        tensor_maps::add(c);
        modules::add(c);
        kernels::add(c);
        peers::add(c);
        access::add(c);
        graphs::add(c);
        external::add(c);
        graphics::add(c);
        nodes::add(c);
        nvrtc::add(c);
        catalogue
    }

    /// Calls without an object.
    fn free(&mut self) -> Of<'_, ()> {
        self.of(|_| (), |(), _| ())
    }

    /// Calls of an object, which `make` makes anew for each. `check` says whether it still works.
    fn of<T: Send + 'static>(&mut self, make: fn(&World) -> T, check: fn(&mut T, &World)) -> Of<'_, T> {
        Of { catalogue: self, make, check }
    }
}

pub(crate) struct Of<'catalogue, T> {
    catalogue: &'catalogue mut Catalogue,
    make: fn(&World) -> T,
    check: fn(&mut T, &World),
}

impl<T: Send + 'static> Of<'_, T> {
    /// A call that the driver would have to answer.
    fn refuses<R: Refusal + 'static>(&mut self, names: &str, call: fn(&mut T, &World) -> R) -> &mut Self {
        self.borrows(names, Expected::Refusal, move |object, world| call(object, world).outcome())
    }

    /// A call that needs no driver.
    fn answers<R: 'static>(&mut self, names: &str, call: fn(&mut T, &World) -> R) -> &mut Self {
        self.borrows(names, Expected::Answer, move |object, world| {
            drop(call(object, world));
            Outcome::Answered
        })
    }

    /// A call that could fail, but needs no driver here.
    fn succeeds<R: Refusal + 'static>(&mut self, names: &str, call: fn(&mut T, &World) -> R) -> &mut Self {
        self.borrows(names, Expected::Answer, move |object, world| call(object, world).outcome())
    }

    /// A call that takes the object, and is refused.
    fn consumes<R: Refusal + 'static>(&mut self, names: &str, call: fn(T, &World) -> R) -> &mut Self {
        let call = move |object, world: &World| (call(object, world).outcome(), ());
        self.takes(names, Expected::RefusalAndRelease, call, |(), _| ())
    }

    /// Dropping the object.
    fn drops(&mut self, names: &str) -> &mut Self {
        let call = |object, _: &World| {
            drop(object);
            (Outcome::Answered, ())
        };
        self.takes(names, Expected::Release, call, |(), _| ())
    }

    /// A call that takes the object and needs no driver. `check` is given the value that it returned.
    fn hands_over<R: Send + 'static>(
        &mut self,
        names: &str,
        call: fn(T, &World) -> R,
        check: fn(R, &World),
    ) -> &mut Self {
        let call = move |object, world: &World| (Outcome::Answered, call(object, world));
        self.takes(names, Expected::Handover, call, check)
    }

    fn takes<R: Send + 'static>(
        &mut self,
        names: &str,
        expected: Expected,
        call: impl Fn(T, &World) -> (Outcome, R) + Send + Copy + 'static,
        check: fn(R, &World),
    ) -> &mut Self {
        let make = self.make;
        self.add(names, expected, move |world| {
            let (object, world) = (Some(make(world)), world.clone());
            Box::new(Taking { object, world, call, returned: None, check })
        })
    }

    fn borrows(
        &mut self,
        names: &str,
        expected: Expected,
        call: impl Fn(&mut T, &World) -> Outcome + Send + Copy + 'static,
    ) -> &mut Self {
        let (make, check) = (self.make, self.check);
        self.add(names, expected, move |world| {
            let (object, world) = (make(world), world.clone());
            Box::new(Borrowing { object, world, call, check })
        })
    }

    fn add(
        &mut self,
        names: &str,
        expected: Expected,
        prepare: impl Fn(&Arc<World>) -> Call + 'static,
    ) -> &mut Self {
        let names = names.split("; ").flat_map(expand).collect();
        let can_be_repeated = matches!(expected, Expected::Refusal | Expected::Answer);
        self.catalogue.entries.push(Entry { names, expected, can_be_repeated, prepare: Box::new(prepare) });
        self
    }

    /// The last call takes a part of its object, and so cannot be made again.
    fn once(&mut self) -> &mut Self {
        self.catalogue.entries.last_mut().unwrap().can_be_repeated = false;
        self
    }
}

fn contained(call: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|payload| Outcome::Failed(format!("panicked: {}", text(&*payload))))
}

/// The message of a panic.
pub(crate) fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("?")
}

/// `Type::{first, second}` are two names.
fn expand(names: &str) -> Vec<String> {
    let Some((start, rest)) = names.split_once('{') else { return vec![names.to_owned()] };
    let (list, end) = rest.split_once('}').unwrap();
    list.split(", ").flat_map(|name| expand(&format!("{start}{name}{end}"))).collect()
}
