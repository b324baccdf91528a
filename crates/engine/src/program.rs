//! Answers that end with the exit of the process: those of a program without UCI, which is started for each request,
//! and those of an engine that exits after perft.
//!
//! Programs follow the convention of [perftree](https://github.com/agausmann/perftree): the program gets no input and
//! prints `MOVE COUNT` for each root move, an empty line, and the total. Other forms are read like those of engines.

use crate::outcome::{FailureKind, Result};
use crate::process::ReadError;
use crate::request::PositionCommand;
use crate::uci::{Engine, SLICE, describe_found, number_of_moves};
use perft_gate_listing::Answer;
use std::time::Instant;

impl Engine<'_> {
    /// Starts a process, gives it the request, and reads its answer until it exits.
    pub(super) fn answer_until_exit(&mut self, position: &PositionCommand, depth: u32) -> Result<Answer> {
        let line = if self.settings.is_program() {
            let line = self.dialect.request.line(position, depth);
            let words: Vec<_> = self.dialect.request.words(position, depth).into_iter().map(Into::into).collect();
            self.asked = vec![line.clone()];
            self.start_process(&words)?;
            self.running().close_input();
            line
        } else {
            self.revive()?;
            self.ask(position, depth)?
        };
        let deadline = self.deadline();
        let mut answer = Answer::new(depth);
        // Children of the process may keep its output open, so an exit without further lines also ends the answer.
        let mut has_exited = false;
        loop {
            match self.wait_for_line(deadline.min(Instant::now() + SLICE)) {
                Ok(line) => answer.take(line, &self.settings.patterns),
                Err(ReadError::Closed) => break,
                Err(ReadError::Late) if has_exited => break,
                Err(ReadError::Late) if Instant::now() < deadline && !self.is_stopped() => {
                    has_exited = self.running().has_exited();
                }
                Err(ReadError::Late) => {
                    return Err(self.explain_silence(ReadError::Late, &line, self.settings.timeout));
                }
            }
        }
        match self.running().exit_status() {
            Some(status) if status.success() => {}
            _ => return Err(self.explain_silence(ReadError::Closed, &line, self.settings.timeout)),
        }
        // From an engine that prints no total, an empty answer is right if no move is legal.
        let may_be_empty = !self.dialect.has_total && answer.other.is_empty() && number_of_moves(position) == 0;
        if answer.is_empty() && !may_be_empty {
            let found = describe_found(&answer.other);
            let expected = "expected leaves by root move or a total";
            return Err(self.failure(FailureKind::Unparsed, format!("after '{line}', {expected}, {found}")));
        }
        self.process = None;
        Ok(answer)
    }
}
