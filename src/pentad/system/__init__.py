"""What every part needs of the machine and the language: errors, files, memory, progress, words."""
