//! Plots as SVG text: lines over a step or a parameter, bars side by side, drawings to one scale. Nothing but what the studies need.

mod axis;
mod bars;
mod bodies;
mod canvas;
mod drawing;
mod lines;

pub(crate) use bars::Bars;
pub(crate) use bodies::Bodies;
pub(crate) use drawing::Drawing;
pub(crate) use lines::Lines;

/// How values are spaced along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    Even,
    /// Equal factors are equally far apart; values that are not positive are left out.
    Logarithmic,
}

/// Colours that stay apart for colour-blind readers and in grey (after Okabe and Ito).
pub(crate) const COLOURS: [&str; 9] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7f00", "#9b1c31"];
