//! A file that is brought to the disk while it is still being written.

use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Each time costs the file system some work of its own, so not for a few bytes.
const EVERY: u64 = 1 << 25;

/// Brings a file to the disk while it is still being written, so that there is little to wait for
/// at the end. Its thread does nothing but wait for the disk.
pub(super) struct EarlySync {
    /// Bytes that were written when it was begun the last time.
    begun: AtomicU64,
    tell: SyncSender<()>,
    thread: JoinHandle<std::io::Result<()>>,
}

impl EarlySync {
    pub(super) fn new(file: &File) -> std::io::Result<Self> {
        let file = file.try_clone()?;
        let (tell, told) = sync_channel(1);
        let thread = std::thread::spawn(move || told.iter().try_for_each(|()| file.sync_data()));
        Ok(Self { begun: AtomicU64::new(0), tell, thread })
    }

    /// So many bytes are written. Begins to bring them to the disk if they have become many.
    pub(super) fn reach(&self, end: u64) {
        if end - self.begun.load(Ordering::Relaxed) >= EVERY {
            self.begun.store(end, Ordering::Relaxed);
            // If it is full, the thread will come to it anyway.
            let _ = self.tell.try_send(());
        }
    }

    /// Waits for what was begun; a fault of the disk is told only once, so it must not be lost.
    pub(super) fn end(self) -> std::io::Result<()> {
        drop(self.tell);
        self.thread.join().unwrap_or(Ok(()))
    }
}
