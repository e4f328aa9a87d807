//! The program `emtee`, with the games included with it.

fn main() -> std::process::ExitCode {
    emtee_cli::program().run()
}
