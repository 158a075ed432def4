//! What `--ignore` and `--allow` say about pairs of bodies.

use crate::pair_names::{BodyName, NamedPairs};
use crate::world::Layers;
use thiserror::Error;

/// Why exceptions make no sense for the bodies there are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{option}: {problem}")]
pub struct ExceptionError {
    /// Which list it is in, as the command line spells it.
    pub option: &'static str,
    /// What is wrong.
    pub problem: String,
}

/// Pairs that do not count, and pairs that may overlap up to a depth.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    ignored: Vec<NamedPairs>,
    allowed: Vec<(NamedPairs, f64)>,
    /// Of the first bodies; those beyond are looked at with all.
    layers: Vec<Layers>,
}

impl Exceptions {
    /// Reads `A:B` and `A:B=DEPTH` as typed; names must fit the bodies there are.
    pub fn among(
        names: &[BodyName],
        ignore: &[String],
        allow: &[String],
    ) -> Result<Exceptions, ExceptionError> {
        Exceptions::read(ignore, allow, |text| NamedPairs::parse(text, names))
    }

    /// The same where only pairs of one of the first `movers` bodies and one of the others are looked at: each exception must name
    /// such a pair.
    pub fn across(
        names: &[BodyName],
        movers: usize,
        ignore: &[String],
        allow: &[String],
    ) -> Result<Exceptions, ExceptionError> {
        Exceptions::read(ignore, allow, |text| {
            let pairs = NamedPairs::parse(text, names)?;
            let useful = (0..movers).any(|a| (movers..names.len()).any(|b| pairs.names(a, b)));
            let problem = || format!("`{text}` names no pair of a moving body and one at rest");
            if useful { Ok(pairs) } else { Err(problem()) }
        })
    }

    fn read(
        ignore: &[String],
        allow: &[String],
        look_up: impl Fn(&str) -> Result<NamedPairs, String>,
    ) -> Result<Exceptions, ExceptionError> {
        let wrong = |option: &'static str, problem: String| ExceptionError { option, problem };
        let pairs =
            |option: &'static str, text: &str| look_up(text).map_err(|problem| wrong(option, problem));
        let allowed = |text: &String| {
            let (named, depth) = text
                .rsplit_once('=')
                .ok_or_else(|| wrong("--allow", format!("`{text}` has no depth; write A:B=DEPTH")))?;
            match depth.trim().parse::<f64>() {
                Ok(depth) if depth.is_finite() && depth >= 0.0 => Ok((pairs("--allow", named)?, depth)),
                _ => Err(wrong(
                    "--allow",
                    format!("`{depth}` is no depth; it must be a number that is finite and not negative"),
                )),
            }
        };
        Ok(Exceptions {
            ignored: ignore.iter().map(|text| pairs("--ignore", text)).collect::<Result<_, _>>()?,
            allowed: allow.iter().map(allowed).collect::<Result<_, _>>()?,
            layers: Vec::new(),
        })
    }

    /// Pairs that layers leave aside do not count either; of bodies beyond these all are looked at.
    pub(crate) fn set_layers(&mut self, layers: &[Layers]) {
        layers.clone_into(&mut self.layers);
    }

    /// Whether a pair does not count, both by their places among all names, in either order.
    pub fn ignores(&self, a: usize, b: usize) -> bool {
        let layers = |body: usize| self.layers.get(body).copied().unwrap_or_default();
        let unseen = || !self.layers.is_empty() && !layers(a).meets(layers(b));
        self.ignored.iter().any(|pairs| pairs.names(a, b)) || unseen()
    }

    /// Whether `ignores` may be true of any pair at all.
    pub fn ignores_some(&self) -> bool {
        !(self.ignored.is_empty() && self.layers.is_empty())
    }

    /// The depth up to which two bodies may overlap: the largest where several are given.
    pub fn allowance(&self, a: usize, b: usize) -> Option<f64> {
        let depths = self.allowed.iter().filter(|(pairs, _)| pairs.names(a, b)).map(|(_, depth)| *depth);
        depths.reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> [BodyName; 3] {
        ["a", "b", "c"].map(|name| BodyName { full: name.into(), file: 1 })
    }

    #[test]
    fn the_largest_allowance_counts_in_either_order() {
        let typed = ["a:b=0.5", "b:*=0.25", "b:a=0.125"].map(String::from);
        let found = Exceptions::among(&names(), &["c:a".into()], &typed).unwrap();
        assert_eq!((found.allowance(0, 1), found.allowance(1, 0)), (Some(0.5), Some(0.5)));
        assert_eq!((found.allowance(1, 2), found.allowance(0, 2)), (Some(0.25), None));
        assert!(found.ignores(0, 2) && found.ignores(2, 0) && !found.ignores(0, 1));
        assert!(found.ignores_some() && !Exceptions::default().ignores_some());
    }

    #[test]
    fn layers_leave_pairs_aside() {
        let mut found = Exceptions::among(&names(), &["a:b".into()], &[]).unwrap();
        // The first is looked at with the second layer only, the second is on it, the third on none of its own.
        found.set_layers(&[Layers { on: 1, with: 2 }, Layers { on: 2, with: u32::MAX }]);
        let pairs = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2)];
        assert_eq!(pairs.map(|(a, b)| found.ignores(a, b)), [true, true, true, true, false]);
        assert!(found.ignores_some());
    }

    #[test]
    fn the_option_and_the_culprit_are_named() {
        let said = |movers: Option<usize>, ignore: &[&str], allow: &[&str]| {
            let [ignore, allow] =
                [ignore, allow].map(|texts| texts.iter().map(|&text| text.into()).collect::<Vec<String>>());
            let found = match movers {
                Some(movers) => Exceptions::across(&names(), movers, &ignore, &allow),
                None => Exceptions::among(&names(), &ignore, &allow),
            };
            found.map_or_else(|failure| failure.to_string(), |_| String::new())
        };
        assert_eq!(said(None, &["b:c"], &[]), "");
        assert_eq!(said(Some(1), &["a:c"], &["b:a=0"]), "");
        let across = said(Some(1), &["b:c"], &[]);
        assert_eq!(across, "--ignore: `b:c` names no pair of a moving body and one at rest");
        assert!(said(Some(1), &[], &["b:c=1"]).starts_with("--allow: `b:c` names no pair"));
        assert!(said(None, &[], &["a:b"]).starts_with("--allow: `a:b` has no depth"));
        for depth in ["-1", "NaN", "inf", "deep", ""] {
            let problem = said(None, &[], &[&format!("a:b={depth}")]);
            assert!(problem.starts_with(&format!("--allow: `{depth}` is no depth")), "{problem}");
        }
    }
}
