//! How a question is answered.

/// The ways to an answer, both certified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest way for the pair at hand: formulas where there are any, else iterative.
    #[default]
    Default,
    /// Without a closed form for any pair but those with a half-space, which has no support map to iterate over.
    Iterative,
}

impl Method {
    /// All, the default first.
    pub const ALL: [Method; 2] = [Method::Default, Method::Iterative];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Default => "default",
            Method::Iterative => "iterative",
        }
    }
}
