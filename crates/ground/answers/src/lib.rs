//! The vocabulary between rooms.
