"""The engine and the gRPC server of evidencegate.

`engine_version` names the behaviour of the rule and judge code: it is raised whenever the same input and catalog can
give another result.
"""

ENGINE_VERSION = "1"
