"""Reads what the benchmarks wrote, and makes tables and plots of it; see ../report.py."""
