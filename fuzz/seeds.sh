#!/usr/bin/env bash
# Makes the first corpus of each target of replies from the fixtures of the tests: fuzz/corpus/TARGET/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for target in parse_fsrb parse_response parse_diff fences file_names search_replace edits replies json; do
  mkdir -p "fuzz/corpus/$target"
  find tests/fixtures tests/example -type f -size -8k -print0 | while IFS= read -r -d '' file; do
    cp "$file" "fuzz/corpus/$target/$(cksum <"$file" | tr ' ' -)"
  done
done
