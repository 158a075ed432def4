//! A gas in checkpoints: every rank keeps every so many-th sphere.

use super::{Files, Form, Scenario};
use crate::command::simulate::saved::{bytes_of, words_of};
use crate::failure::Failure;
use kontakt::distributed::{Comm, Record, Resumed};
use kontakt::event_driven::{Gas, GasState};

/// What all share: the gas's clock and the times of the states written; and this rank's spheres.
pub(super) fn put_down(comm: &dyn Comm, gas: &Gas, times: &[f64]) -> (Vec<u8>, Vec<Record>) {
    let state = gas.state();
    let shared = bytes_of(state.clock.into_iter().chain(times.iter().map(|time| time.to_bits())));
    let own = state.spheres.iter().zip(0..).skip(comm.rank()).step_by(comm.size());
    (shared, own.map(|(words, id)| Record { id, bytes: bytes_of(*words) }).collect())
}

/// The gas again, the same on all ranks.
pub(super) fn taken_up(
    comm: &dyn Comm,
    form: &Form,
    scenario: &Scenario,
    resumed: &Resumed,
    files: &mut Files,
) -> Result<Gas, Failure> {
    let none = || scenario.wrong(&format!("the checkpoint of step {} is not one of this gas", resumed.step));
    let mut records = Vec::new();
    for bytes in comm.gather(&Record::write_all(&resumed.records))? {
        records.extend(Record::read_all(&bytes).map_err(|_| none())?);
    }
    records.sort_unstable_by_key(|record| record.id);
    let in_order = records.iter().zip(0..).all(|(record, number)| record.id == number);
    if !in_order || records.len() as u64 != form.count() {
        return Err(none());
    }
    let spheres = records.iter().map(|record| words_of(&record.bytes).try_into());
    let spheres = spheres.collect::<Result<_, _>>().map_err(|_: Vec<u64>| none())?;
    let shared = words_of(&resumed.shared);
    let (clock, times) = shared.split_first_chunk().ok_or_else(none)?;
    let state = GasState { clock: *clock, spheres };
    files.go_on(&times.iter().map(|&time| f64::from_bits(time)).collect::<Vec<f64>>())?;
    Gas::resumed(form.domain(), form.restitution(scenario)?, &state)
        .map_err(|error| scenario.wrong(&error.to_string()))
}
