//! How a question is answered.

/// The ways to an answer. All but [`Default`](Method::Default) are for study and comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest certified way for the pair at hand.
    #[default]
    Default,
}

impl Method {
    /// All, the default first.
    pub const ALL: [Method; 1] = [Method::Default];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Default => "default",
        }
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
