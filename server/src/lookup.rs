//! `pupil lookup`: looks keys up in Hiera data, as `puppet lookup` does.

pub(crate) mod environment;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use analysis::hiera::{Answer, render};
use analysis::ide::{LookupAnswer, LookupCode, LookupQuery};
use analysis::values::Value;

use crate::COULD_NOT_RUN;
use crate::args::{LookupArgs, RenderAs};
use crate::fact_sets::FactSet;
use crate::node::Node;
use crate::phrases::list;
use crate::terminal::{self, Failure};
use environment::LoadedEnvironment;

/// The exit status if no level has any of the keys.
const NOT_FOUND: u8 = 1;

/// The merge strategies that a command line can name.
const STRATEGIES: [&str; 4] = ["first", "unique", "hash", "deep"];

/// Runs the command.
pub(crate) fn run(arguments: &LookupArgs) -> Result<ExitCode, Failure> {
    let (folder, puppet) = (&arguments.environment, &arguments.puppet);
    if let Some(merge) = arguments.merge.as_deref()
        && !STRATEGIES.contains(&merge)
    {
        let known = STRATEGIES.map(|it| format!("`{it}`")).to_vec();
        let known = list(known);
        let message = format!("unknown merge strategy `{merge}`: expected one of {known}");
        return Err(Failure::Message(message));
    }
    let version = puppet.version(std::slice::from_ref(folder))?;
    let environment = LoadedEnvironment::load(folder, &puppet.modulepath, version);
    if arguments.all_facts {
        let sets = environment.fact_sets().read_all()?;
        return look_up_for_all(arguments, &environment, &sets);
    }
    let facts = arguments.facts.as_deref();
    let facts = facts
        .map(|it| environment.fact_sets().read(it))
        .transpose()?;
    let mut node = Node {
        name: arguments.node.clone(),
        facts: facts.map(|it| it.facts),
        ..Node::default()
    };
    // Puppet takes the facts of a file as they are.
    if !arguments
        .facts
        .as_ref()
        .is_some_and(|it| Path::new(it).is_file())
    {
        node = node.with_own_facts();
    }
    // As in Puppet, the first key that is found counts.
    for (index, key) in arguments.keys.iter().enumerate() {
        let answer = look_up(arguments, &environment, &node, key)?;
        let is_last = index + 1 == arguments.keys.len();
        if let Some(explanation) = &answer.explanation {
            write!(terminal::stdout(), "{explanation}")?;
        }
        match &answer.answer {
            Answer::NotFound if !is_last => {}
            answer => return print(arguments, &environment, key, answer),
        }
    }
    Ok(ExitCode::from(NOT_FOUND))
}

fn look_up(
    arguments: &LookupArgs,
    environment: &LoadedEnvironment,
    node: &Node,
    key: &str,
) -> Result<LookupAnswer, Failure> {
    let query = LookupQuery {
        keys: vec![key.to_owned()],
        merge: arguments.merge.as_deref().map(Value::from),
        node: node.variables(&environment.name()),
        explain: arguments.explain || arguments.all_facts,
        code: arguments.compile.then(|| LookupCode {
            names: node.names(),
            ..LookupCode::default()
        }),
    };
    let answers = environment.look_up(&query).map_err(Failure::Message)?;
    let mut answers = answers.into_iter();
    let mut answer = answers
        .next()
        .ok_or_else(|| Failure::Message("no answer".to_owned()))?;
    // Levels whose paths are unknown lack it, too.
    if matches!(answer.answer, Answer::Unknown(_)) && environment.is_key_absent(key) {
        answer.answer = Answer::NotFound;
    }
    Ok(answer)
}

/// Prints the answer, unless an explanation has shown it.
fn print(
    arguments: &LookupArgs,
    environment: &LoadedEnvironment,
    key: &str,
    answer: &Answer,
) -> Result<ExitCode, Failure> {
    match answer {
        Answer::Found(_) if arguments.explain => {}
        Answer::Found(value) => {
            let mut out = terminal::stdout();
            out.write_all(rendered(value, arguments.render_as).as_bytes())?;
            out.flush()?;
        }
        Answer::NotFound => {
            let reason = match environment.has_hierarchy(key) {
                true => "",
                false => ": the environment has no `hiera.yaml`",
            };
            terminal::print_error(&format_args!("no level has the key `{key}`{reason}"));
            return Ok(ExitCode::from(NOT_FOUND));
        }
        Answer::Error(message) => {
            // Some of Puppet's messages end with an empty list.
            let message = message.trim_end().trim_end_matches(';');
            return Err(Failure::Message(message.to_owned()));
        }
        Answer::Unknown(why) => {
            terminal::print_error(&format_args!("the value of `{key}` is unknown: {why}"));
            for level in environment.key_levels(key) {
                let (value, place, condition) = (level.value, level.place, level.condition);
                terminal::print_note(&format_args!("`{value}` in {place}{condition}"));
            }
            if arguments.facts.is_none() {
                terminal::print_note(&"for one value, add `--facts` and `--node`");
            }
            return Ok(ExitCode::from(COULD_NOT_RUN));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn rendered(value: &Value, format: RenderAs) -> String {
    match format {
        RenderAs::Yaml => render::document(value),
        RenderAs::Json => format!("{:#}\n", render::json(value)),
        RenderAs::Puppet => {
            let source = analysis::values::source(value);
            format!("{}\n", source.unwrap_or_default())
        }
    }
}

/// Looks the keys up for all fact sets, and prints each value with the fact sets and the file that it comes
/// from.
fn look_up_for_all(
    arguments: &LookupArgs,
    environment: &LoadedEnvironment,
    sets: &[FactSet],
) -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    let mut is_found = false;
    for key in &arguments.keys {
        writeln!(out, "{key}")?;
        let mut answers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for set in sets {
            let node = Node {
                name: arguments.node.clone(),
                facts: Some(set.facts.clone()),
                ..Node::default()
            };
            let node = node.with_own_facts();
            let answer = look_up(arguments, environment, &node, key)?;
            is_found |= matches!(answer.answer, Answer::Found(_));
            let line = described(&answer, key, environment.root());
            answers.entry(line).or_default().push(&set.name);
        }
        for (line, names) in answers {
            writeln!(out, "  {line}")?;
            writeln!(out, "    for {}", names.join(", "))?;
        }
    }
    out.flush()?;
    Ok(match is_found {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(NOT_FOUND),
    })
}

/// Describes an answer in a line.
fn described(answer: &LookupAnswer, key: &str, root: &Path) -> String {
    match &answer.answer {
        Answer::Found(value) => {
            let value = analysis::values::source(value).unwrap_or_default();
            let root_key = key.split('.').next().unwrap_or(key);
            let explanation = answer.explanation.as_ref();
            let sources = explanation.map_or_else(Vec::new, |it| it.sources(root_key));
            let files: Vec<String> = sources
                .iter()
                .map(|it| {
                    let path = Path::new(it.0);
                    let path = path.strip_prefix(root).unwrap_or(path);
                    path.display().to_string()
                })
                .collect();
            format!("{value} ({})", files.join(", "))
        }
        Answer::NotFound => "not found".to_owned(),
        Answer::Error(message) => format!("error: {message}"),
        Answer::Unknown(why) => format!("unknown: {why}"),
    }
}
