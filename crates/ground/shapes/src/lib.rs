//! Validated plain data: bodies made of unstructured planar convex faces.
