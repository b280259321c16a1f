#!/bin/bash
# Puts what images have besides the packages of `common` into /own: shared/ for all, NAME/ for each server,
# demo/ for the stand-ins. It runs in / while services/Dockerfile builds.
set -euo pipefail
PACKAGES=$(echo opt/trunkline/lib/python3*/site-packages)

install() { # PACKAGE: it and what it needs, in the place of another
  /opt/uv/bin/uv sync --project /src --quiet --frozen --no-dev --no-editable --package "$1"
}

program() { # NAME OPTIONS
  printf '#!/bin/sh\nexec /opt/trunkline/bin/python %s "$@"\n' "$2" > "opt/trunkline/bin/$1"
  chmod 755 "opt/trunkline/bin/$1"
}

files() {
  find opt/trunkline -not -type d | sort
}

gather() { # NAME: what is not in /before
  mkdir -p "/own/$1"
  files | comm -13 /before - | tar -c -T - | tar -x -C "/own/$1"
}

install trunkline-shared
mkdir -p "/own/demo/$PACKAGES/trunkline_shared"
mv "$PACKAGES/trunkline_shared/testing" "/own/demo/$PACKAGES/trunkline_shared"
# Without the packages' search path it is sooner done.
program probe "-IS /$PACKAGES/trunkline_shared/probe.py"
gather shared
files > /before

program serve "-m trunkline_shared.testing.demo"
gather demo

for folder in src/services/*/; do
  module=$(basename "$folder")
  name=$(echo "$module" | tr _ -)
  install "trunkline-$name"
  program serve "-m trunkline_$module"
  gather "$name"
done
