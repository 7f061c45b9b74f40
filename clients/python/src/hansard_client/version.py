"""The version of the service whose API this client was generated from."""

VERSION = "0.2.0"
