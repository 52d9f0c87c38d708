"""`python -m pentad.jobs MODULE NICE`: a worker process for the jobs of a module."""

from pentad.jobs.worker import main

main()
