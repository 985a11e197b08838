//! `ult`: a program verifier.
