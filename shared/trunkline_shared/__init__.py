"""What every Trunkline server shares."""
