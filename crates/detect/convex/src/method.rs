//! How a question is answered.

/// The ways to an answer. All but the first two are for study and comparison: their verdict is the certified one all the same, but
/// normal, points and depth of overlapping bodies are what the method finds in plain doubles, with no bound of their error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest certified way for the pair at hand: formulas where there are any, else iterative.
    #[default]
    Default,
    /// Certified, without a closed form for any pair but those with a half-space, which has no support map to iterate over.
    Iterative,
    /// The expanding polytope algorithm as the thesis improved it.
    Epa,
    /// The expanding polytope algorithm as libccd has it.
    EpaLibccd,
    /// Minkowski portal refinement, contact along the ray through the middles.
    Mpr,
    /// Minkowski portal refinement, contact along the normal of the last portal.
    MprPortal,
    /// Chung and Wang's search for a separating axis: a verdict only.
    ChungWang,
    /// Lin and Canny's walk from feature to feature, as V-Clip does it, for boxes and solid hulls: a verdict only.
    VClip,
}

impl Method {
    /// All, the default first.
    pub const ALL: [Method; 6] =
        [Method::Default, Method::Iterative, Method::Epa, Method::EpaLibccd, Method::Mpr, Method::MprPortal];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Default => "default",
            Method::Iterative => "iterative",
            Method::Epa => "epa",
            Method::EpaLibccd => "epa-libccd",
            Method::Mpr => "mpr",
            Method::MprPortal => "mpr-portal",
            Method::ChungWang => "chung-wang",
            Method::VClip => "v-clip",
        }
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether its numbers are certified.
    pub fn is_certified(self) -> bool {
        matches!(self, Method::Default | Method::Iterative)
    }
}
