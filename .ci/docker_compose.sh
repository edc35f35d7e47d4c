#!/usr/bin/env bash
# Installs the second version of docker compose, which Debian bookworm lacks and Harbor needs: trixie's own packages, from
# the machine's own mirror, unpacked into docker's folder of plug-ins. Nothing else of trixie reaches the machine.
set -euo pipefail
docker compose version > /dev/null 2>&1 && exit 0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI)|$(COMPONENT)|$(RELEASE)' "Created-By: Packages" \
    | awk -F'|' '$2 == "main" && $3 == "bookworm" {print $1; exit}')
[ -n "$mirror" ] || { echo "no apt source of this machine carries bookworm"; exit 1; }
mkdir -p "$place"/lists/partial "$place"/cache/archives/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$place/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$place/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$place/lists"
    -o "Dir::Cache=$place/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$place" && "${apt[@]}" download docker-compose docker-buildx && for package in *.deb; do dpkg-deb -x "$package" tree; done)
mkdir -p "${DOCKER_CONFIG:-$HOME/.docker}/cli-plugins"
cp "$place"/tree/usr/libexec/docker/cli-plugins/* "${DOCKER_CONFIG:-$HOME/.docker}/cli-plugins/"
docker compose version
