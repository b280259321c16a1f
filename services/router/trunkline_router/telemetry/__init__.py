"""What the spans that have ended tell: traces, measurements, what happens right now."""
