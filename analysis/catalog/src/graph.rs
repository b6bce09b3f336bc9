//! Dependencies between resources.
