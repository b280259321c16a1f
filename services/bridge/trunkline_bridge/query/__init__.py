"""Running an agent on a prompt: what is asked, who may ask when, and what came of it."""
