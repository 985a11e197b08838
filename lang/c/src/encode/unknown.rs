//! Functions without a body.
