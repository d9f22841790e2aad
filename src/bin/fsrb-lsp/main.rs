//! The language server `fsrb-lsp`: the library's server on standard input and output.
//!
//! It ends when the client says so, closes its input, or is gone.

mod disk;
mod life;

use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use code_parser::lsp::{Ending, Incoming, Server, transport};

use crate::disk::Disk;

/// So many messages are read ahead, so that many changes cost no more than one.
const AHEAD: usize = 256;

const USAGE: &str = "\
fsrb-lsp: a language server for patch files (*.fsrb), diffs (*.diff, *.patch) and replies of models (*.md)

It speaks the Language Server Protocol on standard input and output; editors start it.

    --stdio      what it does anyway
    --version    print the version
    --help       print this
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.find(|argument| argument != "--stdio") {
        None => serve(),
        Some(argument) if argument == "--version" => {
            say(concat!("fsrb-lsp ", env!("CARGO_PKG_VERSION"), "\n"))
        }
        Some(argument) if argument == "--help" => say(USAGE),
        Some(_) => {
            let _ = io::stderr().write_all(USAGE.as_bytes());
            ExitCode::from(2)
        }
    }
}

fn say(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve() -> ExitCode {
    let (sender, messages) = sync_channel(AHEAD);
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(Some(message)) = transport::read(&mut input) {
            let is_last = message.is_exit();
            if sender.send(message).is_err() || is_last {
                break;
            }
        }
        drop(sender);
        life::end_soon();
    });
    let mut server = Server::new(Disk);
    match run(&mut server, &messages) {
        Ok(()) if server.is_shut_down() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Answers until the client ends it or is gone.
fn run(server: &mut Server<Disk>, messages: &Receiver<Incoming>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let mut watched = false;
    while let Ok(first) = messages.recv() {
        let answers = server.receive(std::iter::once(first).chain(messages.try_iter().take(AHEAD)));
        for answer in answers {
            transport::write(&mut output, &answer)?;
        }
        if let Some(process) = server.client_process().filter(|_| !watched) {
            watched = true;
            life::end_with(process);
        }
        match server.ending() {
            Some(Ending::Orderly) => return Ok(()),
            Some(Ending::Abrupt) => return Err(io::Error::other("`exit` without `shutdown`")),
            None => {}
        }
    }
    Ok(())
}
