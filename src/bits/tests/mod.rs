//! Tests of circuits against evaluation, and of the searches against enumeration.

mod abc;
mod circuits;
mod formats;
mod graphs;
mod locations;
mod nusmv;
mod searches;
