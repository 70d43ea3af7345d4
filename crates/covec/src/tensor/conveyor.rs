//! Rows on their way into a file: made, encoded in groups, written, all at the same time.
//!
//! Every thread takes what stands nearest to the end: a group that only has to be written, then one
//! that has to be encoded, then rows that nobody makes yet. So no thread waits for another while
//! there is anything to do, and rows are encoded while they are still in the caches. What goes into
//! a group hangs on the rows alone, and groups are written in their order: the file is the same for
//! any number of threads.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use parquet::schema::types::SchemaDescPtr;

use super::accumulator::Amount;
use super::belt::{Belt, Done, Job, WORK};
use super::early_sync::EarlySync;
use super::pages::Encode;
use super::rows::{Block, Rows};
use crate::Work;
use crate::error::{Error, IoContext, parquet_write};
use crate::parallel;
use crate::parquet_file::column::Spare;
use crate::parquet_file::groups::GroupWriter;
use crate::work::Progress;

/// Blocks of rows that may wait for one before them, for each thread.
const AHEAD: usize = 16;

/// A job that has nothing to do with the entries but can be done beside them.
pub(super) type Beside<'a> = &'a (dyn Fn() -> Result<(), Error> + Sync);

/// Where rows come from, and how they are written.
pub(super) struct Conveyor<'a, R: Rows> {
    pub(super) rows: &'a R,
    pub(super) cells: usize,
    /// What amounts are stored as.
    pub(super) value: &'a (dyn Fn(<R::Amount as Amount>::Wide) -> f64 + Sync),
    /// Smaller than this is dropped.
    pub(super) least: f64,
    pub(super) path: &'a Path,
    pub(super) schema: SchemaDescPtr,
    pub(super) beside: &'a [Beside<'a>],
    pub(super) work: &'a Work<'a>,
}

/// What was written.
pub(super) struct Tally {
    pub(super) by_cell: Vec<u64>,
    /// Entries that were dropped.
    pub(super) dropped: u64,
    /// The sum of all values.
    pub(super) total: f64,
}

impl<R: Rows> Conveyor<'_, R> {
    /// Makes all rows and writes them; the end of the file is for the caller.
    pub(super) fn run(&self) -> Result<(GroupWriter, Tally), Error> {
        let (path, threads) = (self.path, self.work.threads.get());
        let file = File::create(path).at("create", path)?;
        let early = EarlySync::new(&file).at("write", path)?;
        let writer = GroupWriter::new(file, Arc::clone(&self.schema)).at("write", path)?;
        let belt = Belt::new(self.beside.len(), self.rows.len(), AHEAD * threads, writer);
        let hall = Hall {
            line: self,
            state: Mutex::new(State { belt, busy: 0, stopped: false }),
            moved: Condvar::new(),
            pages: Spare::default(),
            early: &early,
        };
        let mut desks: Vec<Desk<R>> = (0..threads).map(|_| Desk::new(self)).collect();
        let worked = parallel::each(&mut desks, |desk| vec![hall.work(desk)]);
        let Belt { writer, dropped, total, .. } =
            hall.state.into_inner().unwrap_or_else(PoisonError::into_inner).belt;
        let synced = early.end();
        worked.into_iter().collect::<Result<(), _>>()?;
        synced.at("write", path)?;
        let mut by_cell = vec![0; self.cells];
        for desk in desks {
            by_cell.iter_mut().zip(desk.by_cell).for_each(|(sum, own)| *sum += own);
        }
        // It is there unless a thread failed.
        let writer = writer.ok_or(Error::Interrupted)?;
        Ok((writer, Tally { by_cell, dropped, total }))
    }
}

/// What a thread needs.
struct Desk<R: Rows> {
    rows: R::Desk,
    /// Memory to be used again.
    indices: Vec<u16>,
    /// Entries it encoded.
    by_cell: Vec<u64>,
}

impl<R: Rows> Desk<R> {
    fn new(line: &Conveyor<'_, R>) -> Self {
        Self { rows: line.rows.desk(), indices: Vec::new(), by_cell: vec![0; line.cells] }
    }
}

struct State<A, I> {
    belt: Belt<A, I>,
    /// Jobs that threads are at.
    busy: usize,
    /// Somebody failed.
    stopped: bool,
}

/// Where the threads stand around the belt.
struct Hall<'a, R: Rows> {
    line: &'a Conveyor<'a, R>,
    state: Mutex<State<R::Amount, R::Column>>,
    moved: Condvar,
    pages: Spare,
    early: &'a EarlySync,
}

impl<R: Rows> Hall<'_, R> {
    fn state(&self) -> MutexGuard<'_, State<R::Amount, R::Column>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does, until nothing is left.
    fn work(&self, desk: &mut Desk<R>) -> Result<(), Error> {
        let alarm = Alarm(self);
        let mut state = self.state();
        while !state.stopped {
            if let Some(job) = state.belt.take(self.line.rows) {
                state.busy += 1;
                let share = state.belt.share();
                drop(state);
                let done = self.job(job, share, desk)?;
                state = self.state();
                state.busy -= 1;
                state.belt.put(done);
                self.moved.notify_all();
            } else if state.busy == 0 {
                break;
            } else {
                state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        drop(state);
        std::mem::forget(alarm);
        Ok(())
    }

    fn job(
        &self,
        job: Job<R::Amount, R::Column>,
        share: f64,
        desk: &mut Desk<R>,
    ) -> Result<Done<R::Amount, R::Column>, Error> {
        let Conveyor { rows, value, least, path, schema, beside, work, .. } = self.line;
        work.proceed()?;
        match job {
            Job::Beside(job) => beside[job]().map(|()| Done::Beside),
            Job::Write(mut writer, columns) => {
                let progress = Progress { stage: "writing", share: Some(share), words: 0 };
                work.observer.progress(progress);
                let columns = columns.into_iter().map(Ok);
                writer.append(columns, &self.pages).map_err(parquet_write(path))?;
                self.early.reach(writer.end());
                Ok(Done::Written(writer))
            }
            Job::Encode(number, group) => {
                let views = group
                    .iter()
                    .flat_map(|(block, own)| block.rows().skip(own.start).take(own.len()));
                let rows: Vec<_> = views.collect();
                for &(cell, len) in rows.iter().flat_map(|(_, row)| row.groups) {
                    desk.by_cell[cell as usize] += u64::from(len);
                }
                let (indices, spare) = (&mut desk.indices, &self.pages);
                let encode = Encode { rows: &rows, schema, value: *value, indices, spare };
                let encoded = pulp::Arch::new().dispatch(encode);
                let (columns, total) = encoded.map_err(parquet_write(path))?;
                Ok(Done::Encoded(number, group, columns, total))
            }
            Job::Make(number, range, spare) => {
                let mut block = spare.unwrap_or_else(|| Block::with_room(2 * WORK as usize));
                let wanted = |amount: R::Amount| value(amount.widen()) >= *least;
                let wanted: Option<&dyn Fn(_) -> _> = (*least > 0.0).then_some(&wanted as _);
                let dropped = block.fill(*rows, range, &mut desk.rows, wanted)?;
                Ok(Done::Made(number, block, dropped))
            }
        }
    }
}

/// Stops the other threads when this one fails, lest they wait for it for ever.
struct Alarm<'a, 'h, R: Rows>(&'a Hall<'h, R>);

impl<R: Rows> Drop for Alarm<'_, '_, R> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::schema;
    use super::super::rows::Row;
    use super::*;

    /// Rows of one entry each, of which one cannot be made.
    struct Broken {
        at: usize,
        panics: bool,
    }

    impl Rows for Broken {
        type Amount = f64;
        type Column = u32;
        type Desk = ();

        fn desk(&self) {}

        fn len(&self) -> usize {
            1000
        }

        fn work(&self, _: usize) -> u64 {
            WORK / 2
        }

        fn row(&self, row: usize, (): &mut (), made: &mut Row<f64>) -> Result<(), Error> {
            assert!(row != self.at || !self.panics, "a row that panics");
            if row == self.at {
                return Err(Error::io("read", Path::new("a row"), std::io::Error::other("broken")));
            }
            made.group(0, |columns, amounts| {
                columns.push(row as u32);
                amounts.push(1.0);
            });
            Ok(())
        }
    }

    fn run(rows: &Broken, threads: usize, beside: &[Beside<'_>]) -> Result<Tally, Error> {
        let folder = tempfile::tempdir().unwrap();
        let schema = parquet::arrow::ArrowSchemaConverter::new().convert(&schema()).unwrap();
        let work = Work { threads: threads.try_into().unwrap(), ..Work::default() };
        let conveyor = Conveyor {
            rows,
            cells: 1,
            value: &|value| value,
            least: 0.0,
            path: &folder.path().join("entries.parquet"),
            schema: Arc::new(schema),
            beside,
            work: &work,
        };
        conveyor.run().map(|(_, tally)| tally)
    }

    #[test]
    fn a_thread_that_fails_stops_the_others_and_is_told_of() {
        for threads in [1, 2, 5] {
            for at in [0, 500, 999] {
                let problem = run(&Broken { at, panics: false }, threads, &[]).err().unwrap();
                assert!(problem.to_string().contains("a row"), "{problem}");
                let panicked = std::panic::catch_unwind(|| {
                    run(&Broken { at, panics: true }, threads, &[]).is_ok()
                });
                assert!(panicked.is_err());
            }
            let beside = || Err(Error::Interrupted);
            assert!(run(&Broken { at: 1000, panics: false }, threads, &[&beside]).is_err());
        }
    }

    #[test]
    fn every_row_is_written_once_and_every_job_beside_them_done_once() {
        for threads in [1, 2, 5] {
            let done = std::sync::atomic::AtomicUsize::new(0);
            let beside = || {
                done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                Ok(())
            };
            let rows = Broken { at: 1000, panics: false };
            let tally = run(&rows, threads, &[&beside, &beside]).unwrap();
            assert_eq!((tally.by_cell, tally.dropped, tally.total), (vec![1000], 0, 1000.0));
            assert_eq!(done.into_inner(), 2);
        }
    }
}
