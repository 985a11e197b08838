//! Tests of circuits against evaluation, and of the searches against enumeration.

mod circuits;
mod graphs;
mod searches;
