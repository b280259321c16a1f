"""What every stand-in of a vendor is made of: faults, gates, a log, a door on a real socket."""
