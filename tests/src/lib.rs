//! Helpers shared by the cross-cutting tests.
