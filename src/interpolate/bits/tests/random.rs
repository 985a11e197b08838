//! Random terms: the translation has the value of the original.
