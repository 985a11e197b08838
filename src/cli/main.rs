//! The command `ult`.

fn main() {
    ult_cli::main()
}
