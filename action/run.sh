#!/usr/bin/env bash
# Runs a bench as the action's inputs say, which come in the environment and are never evaluated: a line is an argument.
# The exit code is that of assay run, or else that of the comparison.
set -euo pipefail

assay=${ASSAY_PROGRAM:-$RUNNER_TEMP/assay-program}
work=$(mktemp -d "$RUNNER_TEMP/assay.XXXXXX")
summary=$work/summary.md

# each NAME FLAG adds FLAG LINE to args for every line of a variable that is not empty; without FLAG the line alone.
args=()
each() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    [ -n "$line" ] || continue
    if [ -n "$2" ]; then args+=("$2"); fi
    args+=("$line")
  done <<<"$1"
}

args=(run "$ASSAY_BENCH" --db "$ASSAY_DATABASE" --json)
each "$ASSAY_MODELS" --model
each "$ASSAY_GATES" --gate
each "$ASSAY_ARGS" ""
code=0
"$assay" "${args[@]}" >"$work/result.json" 2> >(tee "$work/errors" >&2) || code=$?
run=$(sed -n 's/^  "run": "\([0-9a-z]*\)",$/\1/p' "$work/result.json" | head -n 1)
if [ -z "$run" ]; then # it could not begin, and has said why
  exit "$([ "$code" -ne 0 ] && echo "$code" || echo 3)"
fi

{
  case $code in
    0) echo "**assay: every gate holds.**" ;;
    1) echo "**assay: a gate does not hold.**" ;;
    *) echo "**assay: exit $code; what is missing is no result.**" ;;
  esac
  echo
  if [ "$code" -ne 0 ]; then
    sed 's/^/    /' "$work/errors" | tail -n 20 # indented: as it is, and never markup
    echo
  fi
} >"$summary"

if [ -n "$ASSAY_BASELINE" ]; then
  args=(compare "$run" --baseline "$ASSAY_BASELINE" --db "$ASSAY_DATABASE" --markdown)
  each "$ASSAY_COMPARE_GATES" --gate
  against=0
  "$assay" "${args[@]}" >>"$summary" 2> >(tee "$work/compared" >&2) || against=$?
  if [ "$against" -ne 0 ]; then
    { echo; sed 's/^/    /' "$work/compared"; } >>"$summary"
  fi
  if [ "$code" -eq 0 ]; then code=$against; fi
  echo >>"$summary"
fi
"$assay" result "$run" --db "$ASSAY_DATABASE" --markdown >>"$summary"
if [ -n "$ASSAY_JUNIT" ]; then
  "$assay" export --run "$run" --db "$ASSAY_DATABASE" junit -o "$ASSAY_JUNIT" >/dev/null
fi

head -c 900000 "$summary" >>"$GITHUB_STEP_SUMMARY" # more than a megabyte is refused
printf 'run=%s\nsummary=%s\n' "$run" "$summary" >>"$GITHUB_OUTPUT"
if [ "$ASSAY_COMMENT" = true ] && [ -n "${ASSAY_PULL:-}" ]; then
  head -c 60000 "$summary" >"$work/comment.md"
  gh pr comment "$ASSAY_PULL" --body-file "$work/comment.md"
fi
exit "$code"
