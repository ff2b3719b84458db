"""Calls evidencegate: a thin client that needs grpcio and protobuf only."""
