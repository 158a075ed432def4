//! A peer in a process of its own, asked line by line (protocol: `peers/cgal_server.hpp`).

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running driver. Ends with the value.
pub(crate) struct Peer {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// Name and version, as the driver says.
    pub(crate) title: String,
}

impl Peer {
    /// Starts the driver, single-threaded as far as the environment decides that, and waits for its greeting.
    pub(crate) fn start(mut command: Command) -> Result<Self, String> {
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(variable, "1");
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|problem| format!("{}: {problem}", command.get_program().display()))?;
        let requests = child.stdin.take();
        let answers = child.stdout.take().ok_or("the driver has no output")?;
        let mut peer = Peer { child, requests, answers: BufReader::new(answers), title: String::new() };
        let greeting = peer.answer().map_err(|_| "the driver does not start (module missing?)".to_owned())?;
        peer.title = format!(
            "{} {}",
            greeting["name"].as_str().unwrap_or("?"),
            greeting["version"].as_str().unwrap_or("?")
        );
        Ok(peer)
    }

    /// One request, one answer.
    pub(crate) fn ask(&mut self, request: &str) -> Result<Value, String> {
        let pipe = self.requests.as_mut().ok_or("the driver has no input")?;
        writeln!(pipe, "{request}").and_then(|()| pipe.flush()).map_err(|problem| problem.to_string())?;
        let answer = self.answer()?;
        match answer["error"].as_str() {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(answer),
        }
    }

    /// Has the driver load a file for the requests that follow.
    pub(crate) fn load(&mut self, file: &Path) -> Result<(), String> {
        self.ask(&format!("load {}", file.display())).map(|_| ())
    }

    fn answer(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("the driver ended".to_owned()),
            Ok(_) => serde_json::from_str(&line).map_err(|problem| problem.to_string()),
            Err(problem) => Err(problem.to_string()),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // End of input ends the driver's loop; a driver that hangs is ended by force.
        drop(self.requests.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The number under `key`.
pub(crate) fn number(answer: &Value, key: &str) -> Result<f64, String> {
    answer[key].as_f64().ok_or_else(|| format!("the driver's answer has no number {key:?}"))
}

/// The three numbers of a JSON list.
pub(crate) fn triple(list: &Value) -> Result<[f64; 3], String> {
    let mut numbers = [0.0; 3];
    for (i, slot) in numbers.iter_mut().enumerate() {
        *slot = list[i].as_f64().ok_or("the driver's answer has no list of three numbers")?;
    }
    Ok(numbers)
}
