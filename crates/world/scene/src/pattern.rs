//! Patterns of body names.

/// Names one or several bodies: a whole name, the object's part of it, the file's part of it; `*` stands for any
/// characters, `?` for one. Parts of words do not match by themselves: `nut` is not `wing-nut`, `*nut` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern<'a>(pub(crate) &'a str);

/// How well a pattern fits a name; better is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// By `*` or `?`, or by one part of the name.
    Partly,
    /// Letter by letter.
    Wholly,
}

impl Pattern<'_> {
    /// How the pattern fits a body's name, if it does. `file` is how many bytes at the front of the name are the file's.
    pub(crate) fn fit(&self, name: &str, file: usize) -> Option<Fit> {
        if self.0 == name {
            return Some(Fit::Wholly);
        }
        let (front, back) = name.split_at_checked(file).unwrap_or((name, ""));
        let object = back.strip_prefix(':').unwrap_or("");
        let parts = [name, front, object];
        parts.iter().any(|part| !part.is_empty() && glob(self.0, part)).then_some(Fit::Partly)
    }
}

/// Whether a pattern with `*` and `?` fits the whole text. Greedy with one step back to the last `*`, so at worst pattern
/// length times text length.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut last_star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                last_star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((star, taken)) = last_star else { return false };
                last_star = Some((star, taken + 1));
                p = star + 1;
                t = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text, fits) in [
            ("nut", "nut", true),
            ("nut", "wing-nut", false),
            ("*nut", "wing-nut", true),
            ("n?t", "nut", true),
            ("n?t", "nt", false),
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("Schraube*", "Schraube_größer", true),
        ] {
            assert_eq!(glob(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn a_name_is_found_by_its_parts() {
        let fit = |pattern| Pattern(pattern).fit("arm.glb:bolt:2", 7);
        assert_eq!(fit("arm.glb:bolt:2"), Some(Fit::Wholly));
        assert_eq!(fit("arm.glb"), Some(Fit::Partly));
        assert_eq!(fit("bolt:2"), Some(Fit::Partly));
        assert_eq!(fit("*bolt*"), Some(Fit::Partly));
        assert_eq!(fit("bolt"), None);
        assert_eq!(Pattern("").fit("part.stl", 8), None);
    }
}
