"""The forge: new tasks for students, proven by the exact solver and measured."""
