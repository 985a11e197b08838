//! Program graphs as pictures.
//!
//! | module | what lives there |
//! |---|---|
//! | [`drawing`] | what is drawn: boxes, arrows, their texts |
//! | [`layout`] | where it lies: layers, orders, places |
//! | [`svg`], [`dot`] | the picture itself |

pub mod dot;
pub mod drawing;
pub mod layout;
pub mod svg;
