//! Section 10.1.8 of the thesis: how two trees are walked.

use super::super::arena::{Arena, Entry, Scored, best, model, real, table};
use super::super::contest::{Step, Volumes};
use super::super::page::Page;
use super::builders::{improve, steps_of, steps_plot};
use crate::failure::Failure;
use kontakt_lab_hierarchy::build::Plan;
use kontakt_lab_hierarchy::walk::{Expansion, Order, Strategy};

/// Steps of the progress bar, about.
pub(super) const LENGTH: u64 = 2 * 20;

pub(super) fn sections(page: &mut Page, arena: &mut Arena) -> Result<(), Failure> {
    page.heading("Traversal (10.1.8)");
    page.words(
        "**Thesis (D.41–D.48):** one-sided expansion (of the worse node) always runs best; hybrid expansion disappoints. (The thesis's \
         hybrid rule could lose contacts, by ties and by leaves of cost 0; here it is corrected.)",
    );
    for (method, words) in [
        ("centres", "heuristic without optimisation"),
        ("grow-regions-random", "heuristic with optimisation"),
    ] {
        let Ok(plan) = Plan::by(method) else { continue };
        let entry = Entry::new(method, Plan { arity: improve(0.75), ..plan }, Volumes::Kind("obb"));
        let built = arena.build(std::slice::from_ref(&entry))?;
        let Some(pairs) = built.first() else { continue };
        let mut expansions: Vec<Scored> = Vec::new();
        let mut all: Vec<Scored> = Vec::new();
        for expansion in Expansion::ALL {
            for order in Order::ALL {
                let label = format!("{}, {}", expansion.name(), order.name());
                let scored = arena.score(&label, pairs, Strategy { expansion, order });
                if order == Order::Lifo {
                    expansions.push(Scored { label: expansion.name().to_owned(), ..clone(&scored) });
                }
                all.push(scored);
            }
        }
        page.table(table(&format!("Trees of the {words}, rate 0.75, oriented boxes"), "traversal", &all));
        for (of, name, title) in
            [(model as fn(&Step) -> f64, "comparison", "comparison number"), (real, "real", "processor time")]
        {
            let lines = expansions.iter().map(|e| (e.label.clone(), steps_of(e, 0, of))).collect();
            page.figure(
                &format!("traversal-{method}-{name}"),
                &format!("Expansions, {words}, scene cover: {title}"),
                steps_plot(&format!("Expansions, {words}, scene “cover”: {title}"), "µs a step", lines),
            );
        }
        let said = |of: fn(&Step) -> f64| best(&all, of).map_or("none", |entry| entry.label.as_str());
        page.words(format!(
            "**Here** the least comparison number has {}, the least real time {}.",
            said(model),
            said(real)
        ));
        if method == "centres" {
            fronts(page, arena, pairs);
        }
    }
    Ok(())
}

fn fronts(page: &mut Page, arena: &mut Arena, pairs: &[Box<dyn super::super::contest::Contestant>]) {
    let strategy = Strategy::default();
    let mut scored = vec![arena.score("from the roots", pairs, strategy)];
    for every in [1, 4, 16] {
        scored.push(arena.score_front(&format!("front kept, pruned every {every}"), pairs, strategy, every));
    }
    page.words(
        "**The front kept from the last step** (temporal coherence): the next step starts at the pairs where the last one ended, \
         beginning with the pair that was in contact. Pairs that come apart grow together again at every so many steps. All \
         pairs of the front are tested again in every step without contact, and what is pruned or not is a matter of how far the \
         bodies move from step to step.",
    );
    page.table(table("Start of a step, one-sided, last in first out", "start", &scored));
    if let Some(least) = best(&scored, model) {
        page.words(format!("**Here** the least comparison number has the start {}.", least.label));
    }
}

fn clone(scored: &Scored) -> Scored {
    Scored {
        label: scored.label.clone(),
        steps: scored.steps.clone(),
        nodes: scored.nodes,
        depth: scored.depth,
        build_seconds: scored.build_seconds,
    }
}
