"""What a course's `player.py` for Fishing Derby is written against, as this course knows it."""
