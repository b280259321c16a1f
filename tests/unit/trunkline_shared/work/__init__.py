"""Tests of what is kept of several servers' answers."""
