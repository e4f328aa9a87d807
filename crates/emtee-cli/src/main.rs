//! The program `emtee`, with the games that come with it.

fn main() -> std::process::ExitCode {
    emtee_cli::program().run()
}
