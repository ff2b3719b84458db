"""Serves the use cases over gRPC: servicers only translate."""
