//! A thread that computes the keys of candidates that were told by their differences from a text that is not the best any more.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use super::difference::Difference;
use super::rendered::Key;

/// The thread, from the first time that it is needed.
#[derive(Debug, Default)]
pub(super) struct Hasher(Option<Working>);

/// A candidate that is to be told by its key from now on, with its quick hash.
pub(super) type Told = (u64, Difference);

#[derive(Debug)]
struct Working {
    /// Without one the thread ends.
    sender: Option<SyncSender<Told>>,
    /// Without this one it ends too, also when there is something left to do.
    keys: Option<Receiver<(Told, Key)>>,
    thread: Option<JoinHandle<()>>,
}

/// So many wait for their keys, and keep their texts so long.
const WAITING: usize = 1 << 10;

impl Hasher {
    /// Asks for a key. Gives it at once if there is no thread for it.
    pub(super) fn ask(&mut self, told: Told) -> Option<(Told, Key)> {
        let Some(Working {
            sender: Some(sender),
            ..
        }) = self.working()
        else {
            return Some(with_key(told));
        };
        sender.try_send(told).err().map(|error| match error {
            std::sync::mpsc::TrySendError::Full(told)
            | std::sync::mpsc::TrySendError::Disconnected(told) => with_key(told),
        })
    }

    /// The keys that are there by now.
    pub(super) fn keys(&self) -> impl Iterator<Item = (Told, Key)> {
        let keys = self.0.iter().filter_map(|working| working.keys.as_ref());
        keys.flat_map(Receiver::try_iter)
    }

    fn working(&mut self) -> Option<&Working> {
        if self.0.is_none() {
            let (sender, questions) = sync_channel(WAITING);
            let (answers, keys) = channel();
            let work = move || {
                let mut keys = questions.into_iter().map(with_key);
                while keys.next().is_some_and(|key| answers.send(key).is_ok()) {}
            };
            let thread = std::thread::Builder::new()
                .name("hasher".to_owned())
                .spawn(work);
            self.0 = Some(Working {
                sender: Some(sender),
                keys: Some(keys),
                thread: Some(thread.ok()?),
            });
        }
        self.0.as_ref()
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        (self.sender, self.keys) = (None, None);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn with_key(told: Told) -> (Told, Key) {
    let key = told.1.key();
    (told, key)
}
