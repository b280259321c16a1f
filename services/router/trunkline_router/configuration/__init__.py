"""What the router is told: variables, `trunkline.yaml`, and how both are kept up to date."""
