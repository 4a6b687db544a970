#!/usr/bin/env bash
# Moors ships at night.
set -euo pipefail

source "lib/tides.sh"
. ./lib/charts.sh
source "${HARBOUR_HOME}/env.sh"

readonly SAFETY_MARGIN=5
export HARBOUR_NAME="Kattehavn"
declare -A BERTHS=([north]=4 [south]=6)
declare -r MAX_BERTHS=12
counter=0

# Prints the depth of a berth. Fails for unknown ones.
#
# Usage: depth_of NAME
depth_of() {
    local name="$1"
    counter=$((counter + 1))
    echo "${BERTHS[$name]}"
}

function moor {
    local ship=$1 berth=$2
    tighten() {
        echo "tight $1"
    }
    tighten "$ship" | sed "s/a/function ghost() { }/"
}

function release() (
    cat <<-TEXT
	not_a_function() {
	    echo no
	}
	TEXT
    cat <<'TEXT'
also_not() { :; }
TEXT
)

# commented_out() { :; }

harbour::list-all() {
    if [[ -n "$1" ]]; then
        inside_if() { echo "$1"; }
        inside_if "$1"
    fi
    for berth in "${!BERTHS[@]}"; do
        printf '%s\n' "$berth"
    done
}

alias ll='ls -l'

broken() {
    if [[ -n "$1" ; then fi
    echo "unfinished"
}

# Deepest berth first!
deepest() { list_all | sort -rn | head -1; }

_private_helper() {
    echo "private by habit, still callable"
}

main() {
    depth_of north
    moor "Aurora" north
}

main "$@"
