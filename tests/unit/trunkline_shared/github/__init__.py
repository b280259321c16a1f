"""Tests of the GitHub core."""
