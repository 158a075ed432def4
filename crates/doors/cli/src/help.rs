//! Help that fits the terminal. Texts below the options are written with line breaks, which clap would keep and break once more; so
//! lines of a paragraph are joined first.

use clap::{ColorChoice, Command};

/// The command with its texts ready to be wrapped, in colours as asked.
pub(crate) fn prepared(command: Command, color: ColorChoice) -> Command {
    rejoined(command).color(color)
}

fn rejoined(command: Command) -> Command {
    let after = command.get_after_help().map(ToString::to_string);
    let command = match after {
        Some(text) => command.after_help(paragraphs(&text)),
        None => command,
    };
    command.mut_subcommands(rejoined)
}

/// Whether the arguments ask for colours, looked at before they are understood: help and errors are to obey, too.
pub(crate) fn color_of(mut arguments: impl Iterator<Item = String>) -> ColorChoice {
    let choice = |word: &str| match word {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    while let Some(argument) = arguments.next() {
        if argument == "--color" {
            return arguments.next().map_or(ColorChoice::Auto, |word| choice(&word));
        }
        if let Some(word) = argument.strip_prefix("--color=") {
            return choice(word);
        }
    }
    ColorChoice::Auto
}

/// Joins lines that were broken to fit a page: those of running text, and those of an item that go on far to the right.
fn paragraphs(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut joined = String::with_capacity(text.len());
    let mut last = "";
    for line in text.lines() {
        let flush = indent(line) == 0 && indent(last) == 0;
        let hanging = indent(last) > 0 && indent(line) >= indent(last) + 4;
        if !line.is_empty() && !last.is_empty() && (flush || hanging) && !line.starts_with("Example") {
            joined.push(' ');
            joined.push_str(line.trim_start());
        } else {
            if !joined.is_empty() || !last.is_empty() {
                joined.push('\n');
            }
            joined.push_str(line);
        }
        if !hanging {
            last = line;
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_text_is_joined_and_lists_are_not() {
        let text = "One line\nand its end.\n\nVerdicts:\n  free     from\n           end to end\n  contact  at\nThen more.\nExample: a\n         b";
        let expected = "One line and its end.\n\nVerdicts:\n  free     from end to end\n  contact  at\nThen more.\nExample: a\n         b";
        assert_eq!(paragraphs(text), expected);
    }

    #[test]
    fn colours_are_seen_before_the_rest() {
        let asked = |words: &[&str]| color_of(words.iter().map(ToString::to_string));
        assert_eq!(asked(&["check", "--color", "never", "--help"]), ColorChoice::Never);
        assert_eq!(asked(&["--color=always"]), ColorChoice::Always);
        assert_eq!(asked(&["check", "a.obj"]), ColorChoice::Auto);
    }
}
