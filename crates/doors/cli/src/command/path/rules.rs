//! Which pairs of a moving body and one at rest may touch.

use crate::failure::Failure;
use crate::input::pair_names::{BodyName, NamedPairs};
use kontakt::rigid_ccd::path::Rule;

/// What the user lets pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    ignored: Vec<NamedPairs>,
    allowed: Vec<(NamedPairs, f64)>,
}

impl Rules {
    /// Reads the rules as typed; each must name a moving body (the first `movers` are) and one at rest.
    pub(crate) fn of(
        ignore: &[String],
        allow: &[String],
        names: &[BodyName],
        movers: usize,
    ) -> Result<Rules, Failure> {
        let pairs = |option: &str, text: &str| {
            let refused = |problem: String| Failure::Usage(format!("{option}: {problem}"));
            let pairs = NamedPairs::parse(text, names).map_err(refused)?;
            let useful = (0..movers).any(|a| (movers..names.len()).any(|b| pairs.names(a, b)));
            let problem = || format!("`{text}` names no pair of a moving body and one at rest");
            if useful { Ok(pairs) } else { Err(refused(problem())) }
        };
        let allowed = |text: &String| {
            let (named, depth) = text
                .rsplit_once('=')
                .ok_or_else(|| Failure::Usage(format!("--allow: `{text}` has no depth; write A:B=DEPTH")))?;
            match depth.trim().parse::<f64>() {
                Ok(depth) if depth.is_finite() && depth >= 0.0 => Ok((pairs("--allow", named)?, depth)),
                _ => Err(Failure::Usage(format!(
                    "--allow: `{depth}` is no depth; it must be a number that is finite and not negative"
                ))),
            }
        };
        Ok(Rules {
            ignored: ignore.iter().map(|text| pairs("--ignore", text)).collect::<Result<_, _>>()?,
            allowed: allow.iter().map(allowed).collect::<Result<_, _>>()?,
        })
    }

    /// The rule of a pair, both by their places among all names.
    pub(crate) fn rule(&self, a: usize, b: usize) -> Rule {
        if self.ignored.iter().any(|pairs| pairs.names(a, b)) {
            return Rule::Ignored;
        }
        let depths = self.allowed.iter().filter(|(pairs, _)| pairs.names(a, b)).map(|(_, depth)| *depth);
        depths.reduce(f64::max).map_or(Rule::Apart, Rule::Allowed)
    }
}
