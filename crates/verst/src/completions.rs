//! `verst completions`: what a shell needs to complete our words.

use crate::fail::Done;
use clap::CommandFactory;

/// What `verst completions` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Writes the script to standard output.
pub fn run(args: &Args) -> Done {
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "verst", &mut std::io::stdout());
    Ok(())
}
