"""The wires that servers speak, each as a Link."""
