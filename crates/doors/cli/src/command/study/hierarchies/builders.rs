//! Sections 10.1.1 to 10.1.7 of the thesis: each builder's best setting, then the builders against each other.

use super::super::arena::{Arena, Entry, Scored, best, model, real, table};
use super::super::contest::{Step, Volumes};
use super::super::page::Page;
use crate::failure::Failure;
use crate::plot::{Bars, Lines, Spacing};
use kontakt_lab_hierarchy::build::{Arity, Plan};
use kontakt_lab_hierarchy::walk::Strategy;

/// Steps of the progress bar, about.
pub(super) const LENGTH: u64 = 55 * 5;

const RATES: [f64; 4] = [0.25, 0.5, 0.75, 0.9];

/// A builder of the thesis and what was said of it.
struct Section {
    title: &'static str,
    method: &'static str,
    volumes: &'static str,
    /// Name of its figures.
    figure: &'static str,
    thesis: &'static str,
    /// Whether kinds of volume are compared too.
    kinds: bool,
}

const SECTIONS: [Section; 4] = [
    Section {
        title: "Zachmann's rule (10.1.1)",
        method: "zachmann",
        volumes: "aabb",
        figure: "zachmann",
        thesis: "**Thesis (D.8–D.13), axis-aligned boxes:** degrees 3 and 6 run well and beat the degree 2 that was proposed; of the \
                 improvement rates 0.5 is good; degree 3 is best on the whole.",
        kinds: false,
    },
    Section {
        title: "Gottschalk's rule (10.1.2)",
        method: "gottschalk",
        volumes: "obb",
        figure: "gottschalk",
        thesis: "**Thesis (D.14–D.19), oriented boxes:** degree 6 is good throughout, others sometimes; of the rates 0.75 is good, and \
                 best on the whole.",
        kinds: false,
    },
    Section {
        title: "Heuristic without optimisation (10.1.3)",
        method: "centres",
        volumes: "obb",
        figure: "centres",
        thesis: "**Thesis (D.20–D.24):** only spheres or only axis-aligned boxes run badly; oriented boxes beat mixed volumes throughout. \
                 Degrees 3, 4 and 5 are best, 2 and 6 less so; rate 0.75 is best on the whole and has the lowest peaks.",
        kinds: true,
    },
    Section {
        title: "Heuristic with optimisation (10.1.4)",
        method: "grow-regions-random",
        volumes: "obb",
        figure: "growing",
        thesis: "**Thesis (D.25–D.32):** again oriented boxes beat all others; degrees 3 and 5 are best; rate 0.75 is best on the whole.",
        kinds: true,
    },
];

/// All sections; gives the best setting of every builder for the comparisons that follow.
pub(super) fn sections(page: &mut Page, arena: &mut Arena) -> Result<Vec<Scored>, Failure> {
    let mut finalists = Vec::new();
    for section in &SECTIONS {
        if let Some(winner) = one_builder(page, arena, section)? {
            finalists.push(winner);
        }
    }
    spheres(page, arena)?;
    objectives(page, arena)?;
    page.heading("The builders against each other (10.1.7)");
    page.words(
        "**Thesis (D.33–D.40):** Zachmann's rule with its axis-aligned boxes falls far behind; both heuristics are best, Gottschalk's rule is \
         close. Real times confirm the comparison numbers; no step took more than 40 ms.",
    );
    page.table(table(
        "Each builder at its best setting here (least comparison number)",
        "builder",
        &finalists,
    ));
    for (scene, name) in [(0, "cover"), (1, "bulb")] {
        let curves = |of: fn(&Step) -> f64| {
            let line = |entry: &Scored| (entry.label.clone(), steps_of(entry, scene, of));
            finalists.iter().map(line).collect()
        };
        page.figure(
            &format!("builders-{name}-comparison"),
            &format!("Comparison number of each step of the scene {name}"),
            steps_plot(&format!("Builders, scene “{name}”: comparison number"), "µs a step", curves(model)),
        );
        page.figure(
            &format!("builders-{name}-real"),
            &format!("Processor time of each step of the scene {name}"),
            steps_plot(&format!("Builders, scene “{name}”: processor time"), "µs a step", curves(real)),
        );
    }
    let said = |of: fn(&Step) -> f64| best(&finalists, of).map_or("none", |entry| entry.label.as_str());
    page.words(format!(
        "**Here** the least comparison number has {}, the least real time {}.",
        said(model),
        said(real)
    ));
    Ok(finalists)
}

/// Arity, improvement rate and, where asked, kinds of volume.
fn one_builder(page: &mut Page, arena: &mut Arena, section: &Section) -> Result<Option<Scored>, Failure> {
    let strategy = Strategy::default();
    let entry = |arity| Entry::by(section.method, arity, section.volumes);
    let arities: Vec<Entry> = (2..=6).filter_map(|n| entry(Arity::Fixed(n))).collect();
    let rates: Vec<Entry> = RATES.into_iter().filter_map(|alpha| entry(improve(alpha))).collect();
    if arities.is_empty() {
        return Ok(None);
    }
    page.heading(section.title);
    page.words(section.thesis);
    if section.kinds {
        kinds(page, arena, section)?;
    }
    let arities = arena.compete(&arities, strategy)?;
    let rates = arena.compete(&rates, strategy)?;
    page.table(table("Fixed number of children", "children", &arities));
    page.table(table("Improvement rate (smin 12, vmax 6)", "rate", &rates));
    for (scored, name, label) in
        [(&arities, "arity", "children of a node"), (&rates, "rate", "improvement rate")]
    {
        page.figure(
            &format!("{}-{name}", section.figure),
            &format!("{}: comparison number by {label}", section.title),
            by_parameter(&format!("{}: {label}", section.title), label, scored, arena),
        );
    }
    let (Some(arity), Some(rate)) = (best(&arities, model), best(&rates, model)) else { return Ok(None) };
    page.words(format!(
        "**Here** the least comparison number has {} children ({:.1} µs) among the fixed numbers and {} ({:.1} µs) among the rates; in real \
         time {} children ({:.1} µs) and {} ({:.1} µs).",
        arity.label,
        arity.mean(model),
        rate.label,
        rate.mean(model),
        best(&arities, real).map_or("–", |b| b.label.as_str()),
        best(&arities, real).map_or(f64::NAN, |b| b.mean(real)),
        best(&rates, real).map_or("–", |b| b.label.as_str()),
        best(&rates, real).map_or(f64::NAN, |b| b.mean(real)),
    ));
    let fixed_wins = arity.mean(model) <= rate.mean(model);
    let mut winners = if fixed_wins { arities } else { rates };
    winners.sort_by(|a, b| a.mean(model).total_cmp(&b.mean(model)));
    let how = if fixed_wins { "children" } else { "rate" };
    Ok(winners.into_iter().next().map(|winner| Scored {
        label: format!("{}, {how} {}, {}", section.method, winner.label, section.volumes),
        ..winner
    }))
}

pub(super) fn improve(alpha: f64) -> Arity {
    Arity::Improve { alpha, smin: 12, vmax: 6 }
}

fn kinds(page: &mut Page, arena: &mut Arena, section: &Section) -> Result<(), Failure> {
    let volumes = [Volumes::Kind("sphere"), Volumes::Kind("aabb"), Volumes::Kind("obb"), Volumes::Mixed];
    let entries: Vec<Entry> = [5, 6]
        .into_iter()
        .flat_map(|children| volumes.map(|volumes| (children, volumes)))
        .filter_map(|(children, volumes)| {
            let plan = Plan { arity: Arity::Fixed(children), ..Plan::by(section.method).ok()? };
            Some(Entry::new(format!("{} · {children}", volumes.name()), plan, volumes))
        })
        .collect();
    let scored = arena.compete(&entries, Strategy::default())?;
    page.table(table("Kinds of volume at 5 and 6 children", "volumes · children", &scored));
    let values = |of: fn(&Step) -> f64| scored.iter().map(|entry| entry.mean(of)).collect();
    let plot = Bars {
        title: format!("{}: kinds of volume", section.title),
        y_label: "µs a step, mean".into(),
        spacing: Spacing::Even,
        categories: scored.iter().map(|entry| entry.label.clone()).collect(),
        series: vec![("comparison number".into(), values(model)), ("processor time".into(), values(real))],
    };
    page.figure(
        &format!("{}-kinds", section.figure),
        &format!("{}: kinds of volume at 5 and 6 children", section.title),
        plot.svg(),
    );
    Ok(())
}

/// 10.1.5 and 10.1.6.
fn spheres(page: &mut Page, arena: &mut Arena) -> Result<(), Failure> {
    page.heading("Branch-and-bound, Hochbaum–Shmoys and other spheres (10.1.5, 10.1.6)");
    page.words(
        "**Thesis:** branch-and-bound was not run, for its enormous building time. Trees of spheres run extremely badly whatever builds \
         them, up to seconds a step. **Here** branch-and-bound is not run on whole bodies either: the laboratory has it \
         for small sets of faces.",
    );
    let by = |method: &'static str, volumes: &'static str| {
        let plan = Plan { arity: Arity::Fixed(2), ..Plan::by(method).ok()? };
        Some(Entry::new(format!("{method}, {volumes}"), plan, Volumes::Kind(volumes)))
    };
    let entries: Vec<Entry> = [
        by("hochbaum-shmoys", "sphere"),
        by("octree", "sphere"),
        by("bottom-up", "sphere"),
        by("centres", "sphere"),
        by("centres", "obb"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let scored = arena.compete(&entries, Strategy::default())?;
    page.table(table("Two children a node (the octree up to eight)", "builder", &scored));
    Ok(())
}

fn objectives(page: &mut Page, arena: &mut Arena) -> Result<(), Failure> {
    use kontakt::bounds::Objective;
    page.heading("What the builder makes small");
    page.words("**Thesis (10.1.9):** boxes of least surface.");
    let entries: Vec<Entry> =
        [("volume", Objective::Volume), ("surface", Objective::Surface), ("diameter", Objective::Diameter)]
            .into_iter()
            .filter_map(|(name, objective)| {
                let plan = Plan { arity: improve(0.75), objective, ..Plan::by("centres").ok()? };
                Some(Entry::new(name, plan, Volumes::Kind("obb")))
            })
            .collect();
    let scored = arena.compete(&entries, Strategy::default())?;
    page.table(table("Heuristic without optimisation, rate 0.75, oriented boxes", "objective", &scored));
    if let (Some(by_model), Some(by_time)) = (best(&scored, model), best(&scored, real)) {
        page.words(format!(
            "**Here** {} has the least comparison number, {} the least real time.",
            by_model.label, by_time.label
        ));
    }
    Ok(())
}

/// One line a scene over a parameter.
fn by_parameter(title: &str, label: &str, scored: &[Scored], arena: &Arena) -> String {
    let line = |scene: usize| {
        let points = scored
            .iter()
            .filter_map(|entry| Some([entry.label.parse().ok()?, entry.scene_mean(scene, model)]))
            .collect();
        (arena.scenes[scene].name.to_owned(), points)
    };
    Lines {
        title: title.to_owned(),
        x_label: label.to_owned(),
        y_label: "comparison number, µs a step".into(),
        spacing: Spacing::Logarithmic,
        dots: true,
        series: (0..arena.scenes.len()).map(line).collect(),
    }
    .svg()
}

pub(super) fn steps_of(entry: &Scored, scene: usize, of: fn(&Step) -> f64) -> Vec<[f64; 2]> {
    entry.steps[scene].iter().enumerate().map(|(i, step)| [i as f64, of(step)]).collect()
}

pub(super) fn steps_plot(title: &str, y_label: &str, series: Vec<(String, Vec<[f64; 2]>)>) -> String {
    Lines {
        title: title.to_owned(),
        x_label: "step".into(),
        y_label: y_label.to_owned(),
        spacing: Spacing::Logarithmic,
        dots: false,
        series,
    }
    .svg()
}
