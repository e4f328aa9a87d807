//! The program `emtee-mpi`, with the games that come with emtee.

fn main() -> std::process::ExitCode {
    emtee_mpi::program().run()
}
