//! `pupil lookup`: looks keys up in Hiera data, as `puppet lookup` does.

pub(crate) mod environment;
