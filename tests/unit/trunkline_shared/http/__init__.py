"""Tests of the outbound client, against scripted sockets."""
