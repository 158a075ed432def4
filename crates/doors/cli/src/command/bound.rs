//! `kontakt bound`: fits bounding volumes, and says how close to the smallest they are.

mod curved;

use crate::args::{ALL_VOLUMES, Bound, Common};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use crate::text::{self, Table};
use kontakt::bounds::{BoxMethod, FitError, FitRequest, Measure, Objective, Parameter, VolumeKind};
use kontakt::math::DVec3;
use kontakt::schedule::Deadline;
use kontakt::shapes::Body;
use kontakt_load::load::{self, One};
use kontakt_load::model::ModelBody;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// Longest exact search unless `--time-limit` says otherwise.
const TIME_LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn run(bound: &Bound, common: &Common) -> Result<BoundReport, Failure> {
    if bound.method.is_some() && bound.volume != "obb" {
        return Err(Failure::Usage(format!("--method belongs to --volume obb, not to {}", bound.volume)));
    }
    let asked = Asked::from(bound, common);
    for kind in VolumeKind::all().iter().filter(|kind| kind.name == bound.volume) {
        asked.request().suits(kind).map_err(Failure::Usage)?;
    }
    if bound.gap.is_some_and(|gap| gap.is_nan() || gap < 0.0) {
        return Err(Failure::Usage("--gap must be a number ≥ 0".into()));
    }
    let loaded = load::load(&bound.file, &bound.reading.options(common.deadline))?.whole()?;
    let clouds = if bound.each {
        let cloud = |one: &One| {
            let models = one.model.clone().into_iter().collect();
            Cloud { deviation: one.deviation(), models, ..Cloud::of(&one.body) }
        };
        loaded.bodies.iter().map(cloud).collect()
    } else {
        let deviation = loaded.deviation();
        let models: Option<Vec<ModelBody>> = loaded.bodies.iter().map(|one| one.model.clone()).collect();
        let bodies: Vec<Body> = loaded.bodies.into_iter().map(|one| one.body).collect();
        let joined = Cloud::joined(bound.file.display().to_string(), &bodies)?;
        vec![Cloud { deviation, models: models.unwrap_or_default(), ..joined }]
    };
    let kinds: Vec<&VolumeKind> = VolumeKind::all()
        .iter()
        .filter(|kind| bound.volume == ALL_VOLUMES || kind.name == bound.volume)
        .collect();
    let mut fits = Vec::new();
    for cloud in &clouds {
        for kind in &kinds {
            // One is fitted in any case.
            if !fits.is_empty() && common.deadline.has_passed() {
                continue;
            }
            let fitted = progress::during(format!("fitting {}", kind.name), || fit(kind, cloud, &asked));
            fits.push(fitted.map_err(|error| Failure::Fit { name: cloud.name.clone(), error })?);
        }
    }
    let missing = clouds.len() * kinds.len() - fits.len();
    if missing > 0 {
        let warning = format!("the time limit was reached before {missing} more volumes were fitted");
        text::warn_aside(&[warning])?;
    }
    Ok(BoundReport { fits, single: !bound.each && bound.volume != ALL_VOLUMES })
}

/// What the box is to be.
pub(crate) struct Asked {
    pub(crate) objective: Objective,
    pub(crate) method: BoxMethod,
    /// Relative gap at which the exact search may stop; by default it depends on the hull's size.
    pub(crate) gap: Option<f64>,
    pub(crate) deadline: Deadline,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked {
            objective: Objective::default(),
            method: BoxMethod::default(),
            gap: None,
            deadline: Deadline::NEVER,
        }
    }
}

impl Asked {
    fn from(bound: &Bound, common: &Common) -> Asked {
        let named = |name: &String| BoxMethod::ALL.into_iter().find(|method| method.name() == name);
        Asked {
            objective: bound.objective.into(),
            method: bound.method.as_ref().and_then(named).unwrap_or_default(),
            gap: bound.gap,
            deadline: common.deadline,
        }
    }

    fn request(&self) -> FitRequest {
        let time_limit = Some(self.deadline.left().unwrap_or(TIME_LIMIT));
        FitRequest { objective: self.objective, method: self.method, gap: self.gap, time_limit }
    }
}

/// The points to enclose.
pub(crate) struct Cloud {
    pub(crate) name: String,
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// **Never less** than how far what is to be enclosed lies off the triangles.
    deviation: f64,
    /// Bodies with curved faces that the triangles stand for, all of them or none.
    models: Vec<ModelBody>,
}

impl Cloud {
    pub(crate) fn of(body: &Body) -> Cloud {
        Cloud {
            name: body.name.clone(),
            points: body.faces.vertices().to_vec(),
            triangles: body.faces.triangles().to_vec(),
            deviation: 0.0,
            models: Vec::new(),
        }
    }

    /// All bodies as one.
    fn joined(name: String, bodies: &[Body]) -> Result<Cloud, Failure> {
        let (points, triangles) = (Vec::new(), Vec::new());
        let mut cloud = Cloud { name, points, triangles, deviation: 0.0, models: Vec::new() };
        for body in bodies {
            let shift = cloud.points.len() as u32;
            cloud.points.extend_from_slice(body.faces.vertices());
            if u32::try_from(cloud.points.len()).is_err() {
                return Err(Failure::Usage(format!("{}: too many vertices in all; try --each", cloud.name)));
            }
            cloud.triangles.extend(body.faces.triangles().iter().map(|t| t.map(|i| i + shift)));
        }
        Ok(cloud)
    }
}

/// Fits shorter than this are repeated, so that their time is not that of cold caches.
const SHORT: f64 = 0.05;
const REPEATS: usize = 3;

/// What `work` gives and its processor time: the least of three for short work.
fn timed<T>(work: impl Fn() -> Result<T, FitError>) -> Result<(T, f64), FitError> {
    let once = || {
        let clock = Clock::start();
        let done = work()?;
        Ok((done, clock.seconds()))
    };
    let mut best: (T, f64) = once()?;
    for _ in 1..REPEATS {
        if best.1 > SHORT {
            break;
        }
        let again = once()?;
        best.1 = best.1.min(again.1);
    }
    Ok(best)
}

/// One volume and what is known about it.
pub(crate) struct Fitted {
    pub(crate) body: String,
    pub(crate) points: usize,
    pub(crate) kind: &'static str,
    pub(crate) method: &'static str,
    pub(crate) parameters: Vec<(&'static str, Parameter)>,
    pub(crate) measure: Measure,
    /// Certified, or why not.
    pub(crate) gap: Result<f64, &'static str>,
    pub(crate) seconds: f64,
    /// **Never less** than how far the true surfaces reach beyond it, where triangles stand for curved faces.
    pub(crate) deviation: f64,
}

pub(crate) fn fit(kind: &VolumeKind, cloud: &Cloud, asked: &Asked) -> Result<Fitted, FitError> {
    if let Some(fitted) = curved::fit(kind, cloud, asked) {
        return Ok(fitted);
    }
    let request = asked.request();
    let (found, seconds) = timed(|| request.fit(kind, &cloud.points, &cloud.triangles))?;
    // A gap that has to be looked up by a search of its own is no part of the fit's time.
    let found = asked.request().certified(found, &cloud.points)?;
    Ok(Fitted {
        body: cloud.name.clone(),
        points: cloud.points.len(),
        kind: kind.name,
        method: found.method,
        parameters: found.volume.parameters(),
        measure: found.volume.measure(),
        gap: found.gap,
        seconds,
        deviation: cloud.deviation,
    })
}

impl Fitted {
    pub(crate) fn json(&self) -> Value {
        let parameters: Map<String, Value> =
            self.parameters.iter().map(|(name, value)| ((*name).to_owned(), parameter_json(value))).collect();
        let mut json = json!({
            "body": self.body,
            "points": self.points,
            "volume": self.kind,
            "parameters": parameters,
            "measure": {
                "volume": self.measure.volume,
                "surface": self.measure.surface,
                "diameter": self.measure.diameter,
            },
            "method": self.method,
            "gap": self.gap.ok(),
            "seconds": self.seconds,
        });
        if self.deviation > 0.0 {
            json["certified_deviation"] = json!(self.deviation);
        }
        if let (Err(reason), Some(object)) = (self.gap, json.as_object_mut()) {
            object.insert("gap_reason".into(), reason.into());
        }
        json
    }

    fn gap_text(&self) -> String {
        self.gap.map_or_else(|_| "–".into(), |gap| if gap == 0.0 { "0".into() } else { format!("{gap:.1e}") })
    }
}

fn parameter_json(value: &Parameter) -> Value {
    match value {
        Parameter::Number(number) => json!(number),
        Parameter::Numbers(numbers) => json!(numbers),
        Parameter::Vector(vector) => json!(vector.to_array()),
        Parameter::Vectors(vectors) => vectors.iter().map(|v| json!(v.to_array())).collect(),
        Parameter::Faces(faces) => json!(faces),
    }
}

fn parameter_text(value: &Parameter) -> String {
    match value {
        Parameter::Number(number) => text::number(*number),
        Parameter::Numbers(numbers) => {
            numbers.iter().map(|n| text::number(*n)).collect::<Vec<_>>().join("  ")
        }
        Parameter::Vector(vector) => text::triple(vector.to_array()),
        Parameter::Vectors(vectors) if vectors.len() > 16 => format!("{} points", vectors.len()),
        Parameter::Vectors(vectors) => {
            vectors.iter().map(|v| text::triple(v.to_array())).collect::<Vec<_>>().join("  ")
        }
        Parameter::Faces(faces) => format!("{} polygons", faces.len()),
    }
}

pub(crate) struct BoundReport {
    fits: Vec<Fitted>,
    /// Whether one volume of one set of points was asked for.
    single: bool,
}

impl Report for BoundReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_fits(&self.fits, out)?;
        let deviation = self.fits.iter().map(|fit| fit.deviation).fold(0.0, f64::max);
        if deviation > 0.0 {
            let deviation = text::number(deviation);
            writeln!(
                out,
                "  of the tessellation: the true surfaces lie no farther than {deviation} from it (certified); grown by that much, a volume \
                 holds them"
            )?;
        }
        if let [fit] = self.fits.as_slice() {
            for (name, value) in &fit.parameters {
                writeln!(out, "  {:<14}{}", name.replace('_', " "), parameter_text(value))?;
            }
            if let Err(reason) = fit.gap {
                writeln!(out, "  gap           none: {reason}")?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        match self.fits.as_slice() {
            [fit] if self.single => fit.json(),
            fits => fits.iter().map(Fitted::json).collect(),
        }
    }

    fn lines(&self) -> Option<Vec<Value>> {
        Some(self.fits.iter().map(Fitted::json).collect())
    }
}

/// Volumes as a table.
pub(crate) fn write_fits(fits: &[Fitted], out: &mut dyn Write) -> io::Result<()> {
    let mut table =
        Table::new(["body", "volume", "method", "volume size", "surface", "diameter", "gap", "time"]);
    for fit in fits {
        table.row([
            fit.body.clone(),
            fit.kind.into(),
            fit.method.into(),
            text::number(fit.measure.volume),
            text::number(fit.measure.surface),
            text::number(fit.measure.diameter),
            fit.gap_text(),
            text::duration(fit.seconds),
        ]);
    }
    table.write(out)
}
