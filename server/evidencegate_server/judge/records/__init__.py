"""Reads evidence into records: rows, objects, blocks, log lines and sentences, each value with key and place."""
