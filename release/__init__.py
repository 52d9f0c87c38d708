"""Commands of a checkout: all checks of the project, the wheels, and the files of a release with their checks."""
