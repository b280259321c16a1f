"""A checkout kept like its remote: what a mesh without a working copy of its own serves."""
