//! Contenders run in turn, several times, in one go, so that a busy machine is busy for all of them alike.

use serde::Serialize;

/// One measured call: its CPU seconds and what it answered.
pub(crate) type Sample<T> = (f64, T);

/// Somebody who answers a question.
pub(crate) struct Contender<'a, T> {
    /// Name in tables.
    pub(crate) name: &'static str,
    /// Answers once, or says why it cannot.
    pub(crate) run: Box<dyn FnMut() -> Result<Sample<T>, String> + 'a>,
}

impl<'a, T> Contender<'a, T> {
    /// A named way of answering.
    pub(crate) fn new(name: &'static str, run: impl FnMut() -> Result<Sample<T>, String> + 'a) -> Self {
        Contender { name, run: Box::new(run) }
    }
}

/// How often everybody runs.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Effort {
    /// Turns.
    pub(crate) rounds: usize,
    /// Calls one after the other in a turn, so that the caches are as warm for a contender in another process as for
    /// one in this.
    pub(crate) burst: usize,
    /// CPU seconds after which a contender has shown enough and sits out the remaining turns.
    pub(crate) seconds: f64,
}

/// What a contender did.
#[derive(Clone, Debug)]
pub(crate) struct Outcome<T> {
    /// Name in tables.
    pub(crate) name: &'static str,
    /// CPU seconds of each call, sorted.
    pub(crate) seconds: Vec<f64>,
    /// Answers in the order given.
    pub(crate) answers: Vec<T>,
    /// Why it stopped answering.
    pub(crate) error: Option<String>,
}

impl<T> Outcome<T> {
    /// Fastest call.
    pub(crate) fn least(&self) -> Option<f64> {
        self.seconds.first().copied()
    }

    /// Middle call.
    pub(crate) fn median(&self) -> Option<f64> {
        self.seconds.get(self.seconds.len() / 2).copied()
    }
}

/// Runs all contenders in turn.
pub(crate) fn hold<T>(mut contenders: Vec<Contender<'_, T>>, effort: Effort) -> Vec<Outcome<T>> {
    let mut outcomes: Vec<Outcome<T>> = contenders
        .iter()
        .map(|contender| Outcome {
            name: contender.name,
            seconds: Vec::new(),
            answers: Vec::new(),
            error: None,
        })
        .collect();
    for _ in 0..effort.rounds {
        for (contender, outcome) in contenders.iter_mut().zip(&mut outcomes) {
            for _ in 0..effort.burst {
                if outcome.error.is_some() || outcome.seconds.iter().sum::<f64>() > effort.seconds {
                    break;
                }
                match (contender.run)() {
                    Ok((seconds, answer)) => {
                        outcome.seconds.push(seconds);
                        outcome.answers.push(answer);
                    }
                    Err(reason) => outcome.error = Some(reason),
                }
            }
        }
    }
    for outcome in &mut outcomes {
        outcome.seconds.sort_by(f64::total_cmp);
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::{Contender, Effort, hold};
    use std::cell::RefCell;

    #[test]
    fn contenders_take_turns_and_failures_do_not_stop_the_others() {
        let order = RefCell::new(Vec::new());
        let steady = Contender::new("steady", || {
            order.borrow_mut().push('s');
            Ok((0.5, 1))
        });
        let broken = Contender::new("broken", || {
            order.borrow_mut().push('b');
            Err("absent".to_owned())
        });
        let outcomes = hold(vec![steady, broken], Effort { rounds: 5, burst: 1, seconds: 1.2 });
        assert_eq!(order.into_inner(), ['s', 'b', 's', 's']);
        assert_eq!((outcomes[0].least(), outcomes[0].median()), (Some(0.5), Some(0.5)));
        assert_eq!((outcomes[1].least(), outcomes[1].error.as_deref()), (None, Some("absent")));
    }
}
