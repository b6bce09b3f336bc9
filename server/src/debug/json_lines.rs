//! Answers lines of standard input in order and in parallel, without waiting for further input.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::terminal::{self, Failure};

/// The maximum number of lines processed at once.
const BATCH: usize = 256;

/// The maximum length of a line, in bytes.
const MAX_LINE: usize = 512 << 20;

/// A line of standard input, or why it is invalid.
type InputLine = Result<String, &'static str>;

/// Answers every non-blank line of standard input with one line of JSON.
pub(crate) fn answer_each(answer: &(dyn Fn(&str) -> Value + Sync)) -> Result<(), Failure> {
    let (sender, lines) = sync_channel(BATCH);
    // Not joined: the thread may wait for input forever after the output is closed.
    thread::Builder::new()
        .name("standard input".to_owned())
        .spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(line) = next_line(&mut input) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
    let mut out = terminal::stdout();
    while let Some(batch) = next_batch(&lines) {
        let answers: Vec<Vec<u8>> = batch
            .par_iter()
            .map(|line| match line {
                Ok(line) => to_line(&answer(line)),
                Err(problem) => to_line(&invalid_input(&Value::Null, problem)),
            })
            .collect();
        for answer in answers {
            out.write_all(&answer)?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Reads a request and its `id`.
///
/// # Errors
///
/// Returns the answer if the line is not a valid request.
pub(crate) fn request<T: DeserializeOwned>(line: &str) -> Result<(Value, T), Value> {
    let object: Value = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => return Err(invalid_input(&Value::Null, error)),
    };
    if !object.is_object() {
        return Err(invalid_input(&Value::Null, "expected a JSON object"));
    }
    let id = object.get("id").cloned().unwrap_or(Value::Null);
    match serde_json::from_value(object) {
        Ok(request) => Ok((id, request)),
        Err(error) => Err(invalid_input(&id, error)),
    }
}

/// Returns the answer to an invalid line.
pub(crate) fn invalid_input(id: &Value, problem: impl ToString) -> Value {
    json!({"id": id, "ok": false, "stage": "input", "error": problem.to_string()})
}

fn to_line(value: &Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Waits for a line, and returns it with those that are already available.
fn next_batch(lines: &Receiver<InputLine>) -> Option<Vec<InputLine>> {
    let mut batch = vec![lines.recv().ok()?];
    batch.extend(lines.try_iter().take(BATCH - 1));
    Some(batch)
}

fn next_line(input: &mut impl BufRead) -> Option<InputLine> {
    loop {
        let mut line = Vec::new();
        let size = io::Read::take(&mut *input, MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut line)
            .ok()?;
        if size == 0 {
            return None;
        }
        if size > MAX_LINE {
            input.skip_until(b'\n').ok()?;
            return Some(Err("line too long"));
        }
        match String::from_utf8(line) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(mut line) => {
                line.truncate(line.trim_end_matches(['\r', '\n']).len());
                return Some(Ok(line));
            }
            Err(_) => return Some(Err("line is not valid UTF-8")),
        }
    }
}
