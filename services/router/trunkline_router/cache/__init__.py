"""Reads answered by what was answered before, as long as nothing it depends on has been changed."""
