"""The work at hand as several servers tell of it: what is kept of their answers, part by part."""
