"""Tests of the work at hand."""
