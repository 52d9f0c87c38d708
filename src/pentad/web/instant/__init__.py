"""Games that a page plays itself: modules of WebAssembly, and drawings and words as data."""
