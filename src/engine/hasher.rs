//! A thread that computes keys while the oracle is started and runs.
//!
//! The thread that starts a process is held up by the system until the other program is loaded, and a check that does nothing
//! has ended soon after. So a key that is computed there only then makes everybody wait for it.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::Scope;

use super::question::Question;

/// Where to send the questions; the thread ends when this is dropped.
pub(super) struct Hasher(Option<Sender<Arc<Question>>>);

/// Smaller ones take less time than waking somebody else.
const WORTH_SENDING: usize = 8 << 10;

impl Hasher {
    /// Without a second processor there is no thread.
    pub(super) fn start<'s>(scope: &'s Scope<'s, '_>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let helper = (processors > 1).then(|| {
            let (sender, questions) = channel::<Arc<Question>>();
            scope.spawn(move || {
                for question in questions {
                    question.key();
                }
            });
            sender
        });
        Self(helper)
    }

    /// Whether the key will be there without the caller's doing.
    pub(super) fn take(&self, question: &Arc<Question>) -> bool {
        question.bytes.len() >= WORTH_SENDING
            && self
                .0
                .as_ref()
                .is_some_and(|helper| helper.send(Arc::clone(question)).is_ok())
    }
}
