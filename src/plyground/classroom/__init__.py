"""The classroom: students' players, run safely and graded fairly."""
