"""What a release is made of: wheels with machine code, their checks, and the files to upload."""
