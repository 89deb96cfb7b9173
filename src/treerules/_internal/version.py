"""The version, read by the build and written into emitted files."""

__version__ = "0.1.0"
