"""The modules of pyRDDLGym's ``core``."""
