"""Lantern reads and dims lamps over a local bus."""
