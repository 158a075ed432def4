//! What was typed.

use crate::suite::Suite;
use std::path::PathBuf;

/// Printed for `--help` and without arguments.
pub(crate) const HELP: &str = "\
usage: cargo xtask bench bounds|mesh|build|convex|ccd|moving|curved|broad|world|piles|soft|check [WORD…] [--quick] [--json FILE] [--write]

  bounds        bounding volumes and files, against CGAL, Open3D, trimesh, miniball and parry
  mesh          contact, pairs and distance of two meshes at many poses, against FCL, coal and parry
  build         building and loading hierarchies, against obvhs, Embree, bvh, parry, FCL and coal
  convex        distance, depth and verdict of convex bodies, against parry, coal, FCL and libccd
  ccd           moving vertex-face and edge-edge pairs and a deforming mesh, against ipctk
  moving        first contact of two moving bodies, against parry's nonlinear cast and FCL's conservative advancement
  curved        reading, distances, contacts and boxes of bodies with curved faces, against OCCT
  broad         pairs of many moving boxes, against parry's tree
  world         steps of a crowded world, against parry's tree and cast
  piles         steps of piles of rigid bodies and a gas, against rapier
  check         whole assemblies at rest
  soft          steps of bodies that deform, against rapier
  WORD          a question (bounds: sphere, box, exact, obb, aabb, read, kinds, forms; mesh: contact, pairs, distance;
                build: build, load, hausdorff; convex: distance, depth, verdict, distinct, exact,
                agreement; ccd: corpus, filter, cloth; moving: boxes, meshes, misses;
                curved: read, made, distance, unseen, pairs, balls, volume, disputes;
                broad: cubes, mixes, movers; world: step; piles: pile, growth, gas; soft: falls, large;
                check: assembly), or part of a case's name; several widen the choice
  --quick       few repetitions, to try things out
  --peers-only  leave kontakt out (mesh, build and convex)
  --pairs N     how many random pairs (exact and agreement; usually a million; distinct: 100000) or motions (misses; usually 100000)
  --seed N      which piece of them (usually 0)
  --json FILE   everything measured, for machines
  --write       regenerate docs/benchmarks.md (bounds) or docs/benchmarks-NAME.md; only with all questions and full
                repetitions

Peers that are absent are skipped with a message. KONTAKT_PEERS_PYTHON names a Python that has open3d and trimesh,
KONTAKT_PEERS_COAL the folder that has coal's include/ and lib/ (cmeel.prefix of the wheel `coal`),
KONTAKT_PEERS_OCCT a Python that has cadquery-ocp (otherwise an environment is made in target/),
KONTAKT_DATA the folder that has mesh/ and step/ (otherwise ../shared/data is looked for).
";

/// Arguments of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Arguments {
    /// Which benchmark.
    pub(crate) suite: Suite,
    /// Questions asked for; empty means all.
    pub(crate) questions: Vec<String>,
    /// Words to choose cases by; empty means all.
    pub(crate) cases: Vec<String>,
    /// Few repetitions.
    pub(crate) quick: bool,
    /// Which piece of the random pairs is taken.
    pub(crate) seed: u64,
    /// How many random pairs.
    pub(crate) pairs: Option<u64>,
    /// kontakt stays out.
    pub(crate) peers_only: bool,
    /// Where to write JSON.
    pub(crate) json: Option<PathBuf>,
    /// Whether to write the suite's document.
    pub(crate) write: bool,
}

impl Arguments {
    /// None if help is wanted.
    pub(crate) fn parse(words: &[String]) -> Result<Option<Self>, String> {
        let mut words = words.iter();
        let suite = match words.next().map(String::as_str) {
            None | Some("--help" | "-h" | "help") => return Ok(None),
            Some(name) => {
                Suite::named(name).ok_or_else(|| format!("unknown benchmark {name:?}\n\n{HELP}"))?
            }
        };
        let mut arguments = Arguments {
            suite,
            questions: Vec::new(),
            cases: Vec::new(),
            quick: false,
            seed: 0,
            pairs: None,
            peers_only: false,
            json: None,
            write: false,
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--help" | "-h" => return Ok(None),
                "--quick" => arguments.quick = true,
                "--peers-only" => arguments.peers_only = true,
                "--write" => arguments.write = true,
                "--seed" => arguments.seed = number(words.next())?,
                "--pairs" => arguments.pairs = Some(number(words.next())?),
                "--json" => arguments.json = Some(words.next().ok_or("--json needs a file name")?.into()),
                flag if flag.starts_with('-') => return Err(format!("unknown option {flag:?}\n\n{HELP}")),
                key if suite.questions().iter().any(|(known, _)| *known == key) => {
                    arguments.questions.push(key.to_owned());
                }
                case => arguments.cases.push(case.to_owned()),
            }
        }
        let partial = arguments.quick
            || arguments.peers_only
            || !arguments.questions.is_empty()
            || !arguments.cases.is_empty();
        if arguments.write && partial {
            return Err("--write needs all questions, all cases and full repetitions".to_owned());
        }
        Ok(Some(arguments))
    }

    /// Whether the question was asked for.
    pub(crate) fn wants(&self, question: &str) -> bool {
        self.questions.is_empty() || self.questions.iter().any(|wanted| wanted == question)
    }
}

fn number(word: Option<&String>) -> Result<u64, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| "--seed and --pairs need a number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::Arguments;

    fn parse(line: &str) -> Result<Option<Arguments>, String> {
        Arguments::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn words_choose_questions_and_cases() {
        let given = parse("bounds box turbine --quick --json out.json").unwrap().unwrap();
        assert!(given.wants("box") && !given.wants("sphere") && given.quick);
        assert_eq!((given.cases, given.json), (vec!["turbine".to_owned()], Some("out.json".into())));
        assert!(parse("").unwrap().is_none());
        assert!(parse("bounds --write").unwrap().unwrap().wants("read"));
    }

    #[test]
    fn partial_results_do_not_replace_the_document() {
        assert!(parse("bounds sphere --write").is_err());
        assert!(parse("bounds --quick --write").is_err());
        assert!(parse("shapes").is_err());
        assert!(parse("mesh sphere").unwrap().unwrap().questions.is_empty());
        assert!(parse("bounds --jsn x").is_err());
    }
}
