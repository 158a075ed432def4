//! Where the model would take the bodies: substeps of extended position-based dynamics with contacts as inequalities.

use crate::forces::Forces;
use crate::model::{Model, Substep};
use crate::places::Places;
use crate::row::Row;
use kontakt_math::DVec3;

/// What a prediction starts from.
pub(crate) struct Start<'a> {
    pub(crate) model: &'a Model,
    pub(crate) triangles: &'a [[u32; 3]],
    pub(crate) places: &'a [DVec3],
    pub(crate) velocities: &'a [DVec3],
    pub(crate) mobility: &'a [f64],
    pub(crate) forces: &'a Forces,
    /// Velocities of pins; empty where all rest.
    pub(crate) led: &'a [DVec3],
    pub(crate) seconds: f64,
    pub(crate) substeps: usize,
}

/// Where every vertex is after each substep, and its velocity at the end. Always finite.
#[derive(Debug)]
pub(crate) struct Prediction {
    trail: Vec<Vec<DVec3>>,
    pub(crate) velocities: Vec<DVec3>,
}

impl Prediction {
    /// Of all vertices.
    pub(crate) fn new(start: &Start<'_>, rows: &[Row]) -> Prediction {
        let trail = vec![start.places.to_vec(); start.substeps];
        let mut prediction = Prediction { trail, velocities: start.velocities.to_vec() };
        let all: Vec<u32> = (0..start.places.len() as u32).collect();
        prediction.run(start, start.model, start.mobility, &all, &[], rows);
        prediction
    }

    /// Again from the start, but of some vertices only. The others go the way they went before: to these they are held things that move.
    pub(crate) fn again(&mut self, start: &Start<'_>, chosen: &[bool], rows: &[Row]) {
        let model = start.model.around(chosen);
        let movers: Vec<u32> = (0..chosen.len() as u32).filter(|&v| chosen[v as usize]).collect();
        let mobility: Vec<f64> =
            chosen.iter().zip(start.mobility).map(|(&is_mover, &w)| if is_mover { w } else { 0.0 }).collect();
        let mut is_near = vec![false; chosen.len()];
        for v in model.vertices().chain(rows.iter().flat_map(|row| row.vertices)) {
            is_near[v as usize] |= !chosen[v as usize];
        }
        let led: Vec<u32> = (0..chosen.len() as u32).filter(|&v| is_near[v as usize]).collect();
        self.run(start, &model, &mobility, &movers, &led, rows);
    }

    /// Where the vertices are at the end.
    pub(crate) fn end<'a>(&'a self, start: &'a [DVec3]) -> &'a [DVec3] {
        self.trail.last().map_or(start, Vec::as_slice)
    }

    /// Puts a vertex elsewhere at the end.
    pub(crate) fn place_at_end(&mut self, vertex: u32, place: DVec3) {
        if let (Some(end), true) = (self.trail.last_mut(), place.is_finite()) {
            end[vertex as usize] = place;
        }
    }

    fn run(
        &mut self,
        start: &Start<'_>,
        model: &Model,
        mobility: &[f64],
        movers: &[u32],
        led: &[u32],
        rows: &[Row],
    ) {
        let count = start.substeps;
        let seconds = start.seconds / count as f64;
        let mut before = start.places.to_vec();
        for &v in movers {
            self.velocities[v as usize] = start.velocities[v as usize];
        }
        let places = Places::new(start.places);
        for number in 0..count {
            if let Some(wind) = start.forces.wind {
                wind.blow(start.triangles, &before, mobility, &mut self.velocities, seconds);
            }
            for &v in movers {
                let i = v as usize;
                if mobility[i] > 0.0 {
                    self.velocities[i] += start.forces.gravity * seconds;
                    places.set(v, before[i] + self.velocities[i] * seconds);
                } else if let (Some(&velocity), true) = (start.led.get(i), start.mobility[i] <= 0.0) {
                    places.set(v, before[i] + velocity * seconds);
                }
            }
            for &v in led {
                places.set(v, self.trail[number][v as usize]);
            }
            model.solve(&Substep { places: &places, before: &before, mobility, rate: 1.0 / seconds });
            pull(start.forces, &places, mobility, seconds);
            for row in rows {
                row.solve(&places, &before, mobility, [number, count]);
            }
            for &v in movers {
                let i = v as usize;
                let p = places.get(v);
                if p.is_finite() {
                    self.velocities[i] = (p - before[i]) / seconds;
                    before[i] = p;
                } else {
                    places.set(v, before[i]);
                    self.velocities[i] = DVec3::ZERO;
                }
                if !self.velocities[i].is_finite() {
                    self.velocities[i] = DVec3::ZERO;
                }
                self.trail[number][i] = before[i];
            }
            for &v in led {
                before[v as usize] = self.trail[number][v as usize];
            }
        }
    }
}

/// Springs to the hands, solved implicitly.
fn pull(forces: &Forces, places: &Places, mobility: &[f64], seconds: f64) {
    for pull in &forces.pulls {
        let w = mobility[pull.vertex as usize];
        let softness = 1.0 / (pull.stiffness * seconds * seconds);
        let p = places.get(pull.vertex);
        if w > 0.0 && softness.is_finite() {
            places.set(pull.vertex, p + (pull.to - p) * (w / (w + softness)));
        }
    }
}
