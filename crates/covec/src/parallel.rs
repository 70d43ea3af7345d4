//! Threads that share numbered tasks.
//!
//! Results come back in the order of the tasks and the first failed task decides the error, so
//! nothing a caller sees depends on which thread did what.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// Does the tasks `0..tasks`, each with the state of the thread that takes it.
pub(crate) fn map<S: Send, R: Send>(
    threads: NonZeroUsize,
    tasks: usize,
    states: &mut Vec<S>,
    state: impl Fn() -> S,
    task: impl Fn(&mut S, usize) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let threads = threads.get().min(tasks.max(1));
    while states.len() < threads {
        states.push(state());
    }
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let work = |state: &mut S| {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= tasks {
                break;
            }
            let result = task(state, index);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((index, result));
        }
        done
    };
    let mut done = share(&mut states[..threads], work);
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Does the tasks `0..tasks`, which need nothing of their thread.
pub(crate) fn tasks<R: Send>(
    threads: NonZeroUsize,
    tasks: usize,
    task: impl Fn(usize) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    map(threads, tasks, &mut Vec::new(), || (), |(), index| task(index))
}

/// A slice cut up, so that every task writes to a piece of its own.
pub(crate) struct Pieces<'a, T>(Vec<Mutex<&'a mut [T]>>);

impl<'a, T> Pieces<'a, T> {
    /// Pieces of these lengths, as far as the slice goes.
    pub(crate) fn cut(mut slice: &'a mut [T], lengths: impl Iterator<Item = usize>) -> Self {
        let pieces = lengths.map(|length| {
            let (piece, others) =
                std::mem::take(&mut slice).split_at_mut_checked(length).unwrap_or_default();
            slice = others;
            Mutex::new(piece)
        });
        Self(pieces.collect())
    }

    /// Pieces of one length, the last may be shorter.
    pub(crate) fn even(slice: &'a mut [T], length: usize) -> Self {
        Self(slice.chunks_mut(length).map(Mutex::new).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// A piece, for the one who comes first.
    pub(crate) fn take(&self, index: usize) -> &'a mut [T] {
        std::mem::take(&mut *self.0[index].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

thread_local! {
    /// Those who wait for tasks of this thread; see [`staffed`].
    static STAFF: RefCell<Option<Rc<ThreadPool>>> = const { RefCell::new(None) };
}

/// Does work whose tasks go to threads that wait for them, and that end with it: nothing outlives it, and no other thread's tasks come
/// between. Training shares blocks of rows that take a millisecond or two, and a thread that has to be started comes to its first
/// row a tenth of that late, or a third.
pub(crate) fn staffed<R>(threads: NonZeroUsize, work: impl FnOnce() -> R) -> R {
    /// Takes back what was there before, also when the work panics.
    struct Before(Option<Rc<ThreadPool>>);
    impl Drop for Before {
        fn drop(&mut self) {
            STAFF.set(self.0.take());
        }
    }
    let name = |number| format!("covec-{number}");
    let others = threads.get() - 1;
    // Where they cannot be had, threads are started as they are needed.
    let staff = (others > 0)
        .then(|| ThreadPoolBuilder::new().num_threads(others).thread_name(name).build().ok());
    let _before = Before(STAFF.replace(staff.flatten().map(Rc::new)));
    work()
}

/// Runs `work` once per state, the first on this thread and the others on those that wait for it, if there are any, and gathers what
/// they return. What is done with one state must not wait for what is done with another: nobody says that they run at the same time.
pub(crate) fn share<S: Send, R: Send>(
    states: &mut [S],
    work: impl Fn(&mut S) -> Vec<R> + Sync,
) -> Vec<R> {
    let Some(staff) = STAFF.with_borrow(Option::clone) else { return each(states, work) };
    let Some((first, others)) = states.split_first_mut() else { return Vec::new() };
    let work = &work;
    let mut parts: Vec<Vec<R>> = others.iter().map(|_| Vec::new()).collect();
    let mut all = Vec::new();
    staff.in_place_scope(|scope| {
        for (state, part) in others.iter_mut().zip(&mut parts) {
            scope.spawn(move |_| *part = work(state));
        }
        all = work(first);
    });
    all.extend(parts.into_iter().flatten());
    all
}

/// Runs `work` once per state, each on a thread of its own (the first on this one), and gathers what
/// they return. They may wait for each other.
pub(crate) fn each<S: Send, R: Send>(
    states: &mut [S],
    work: impl Fn(&mut S) -> Vec<R> + Sync,
) -> Vec<R> {
    let Some((first, others)) = states.split_first_mut() else { return Vec::new() };
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> =
            others.iter_mut().map(|state| scope.spawn(move || work(state))).collect();
        let mut all = work(first);
        for handle in handles {
            match handle.join() {
                Ok(part) => all.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: NonZeroUsize) -> Vec<usize> {
        tasks(threads, 100, |task| Ok(task * task)).unwrap()
    }

    #[test]
    fn who_waits_for_tasks_does_them_and_ends_with_the_work() {
        let exact: Vec<usize> = (0..100).map(|task| task * task).collect();
        for threads in [1, 2, 7].map(|n| NonZeroUsize::new(n).unwrap()) {
            let found = staffed(threads, || {
                // Fewer threads than wait, and more than do.
                let few = squares(NonZeroUsize::MIN);
                assert_eq!(few, squares(NonZeroUsize::new(9).unwrap()));
                squares(threads)
            });
            assert_eq!(found, exact);
            assert!(STAFF.with_borrow(Option::is_none));
        }
    }

    #[test]
    fn a_task_that_panics_is_heard_of_and_nobody_waits_on() {
        let two = NonZeroUsize::new(2).unwrap();
        let task = |task: usize| -> Result<usize, Error> {
            assert!(task < 4);
            Ok(task)
        };
        let panics = || staffed(two, || tasks(two, 8, task).is_ok());
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(STAFF.with_borrow(Option::is_none));
    }
}
