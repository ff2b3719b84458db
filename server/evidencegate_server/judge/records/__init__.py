"""Reads evidence into records: rows, objects, blocks, log lines and sentences, each value with its key and its place."""
