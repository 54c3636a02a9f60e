"""Draws the tiles: `python -m tools.draw_tiles` writes the sprite that the web pages show."""
