"""The coherence protocol as states and steps, searched whole."""
