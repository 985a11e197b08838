//! The command `ult`.

fn main() {
    ult::cli::main()
}
