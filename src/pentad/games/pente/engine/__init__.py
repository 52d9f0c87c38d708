"""Engine for Pente and its relatives: search position, threat search, alpha-beta search and bots at five levels."""

KERNELS = f"{__name__}.search_kernels"
