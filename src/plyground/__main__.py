"""`python -m plyground` is the same as `plyground`."""

from plyground.cli.main import main

if __name__ == "__main__":
    main()
