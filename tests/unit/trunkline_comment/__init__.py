"""Tests of the comment service."""
