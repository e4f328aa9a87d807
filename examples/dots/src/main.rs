mod dots;
mod text;

fn main() -> std::process::ExitCode {
    emtee_cli::program().game::<dots::Dots>("dots").run()
}
