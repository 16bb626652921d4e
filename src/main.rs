//! The `paredown` binary: everything it does is in the library.

fn main() {}
