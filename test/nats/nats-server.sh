#!/usr/bin/env bash
# Prints the path of a nats-server of at least 2.10.27; brings one from a later Debian release if the machine has none.
#   nats-server.sh           a current one
#   nats-server.sh old       the machine's own release's (Debian 12: 2.9.10), for the tests of refusing it
# It is kept in a cache folder outside the repository. The system's own package sources and packages are left alone.
set -euo pipefail

kind="${1:-current}"
cache="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/dsh-fabric-tavern/nats-server"
oldest=2.10.27

version_of() { "$1" --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1; }
is_current() { [ -n "$1" ] && [ "$(printf '%s\n%s\n' "$oldest" "$1" | sort -V | head -n 1)" = "$oldest" ]; }

# One package of one release, unpacked into $3.
fetch() {
  local release="$1" codename="$2" into="$3" work
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' RETURN
  mkdir -p "$work/parts" "$work/state/lists/partial" "$work/cache/archives/partial"
  for source in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$source" ] || continue
    grep -qw "$codename" "$source" || continue # not of the distribution itself
    sed "s/\b$codename\b/$release/g" "$source" >"$work/parts/$(basename "$source" | sed 's/^sources.list$/main.list/')"
  done
  local options=(-o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$work/parts"
    -o "Dir::State=$work/state" -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=root" -qq)
  # a release may lack an archive of its own (sid has no security archive): the rest is enough
  apt-get "${options[@]}" update >/dev/null 2>&1 || true
  (cd "$work" && apt-get "${options[@]}" download nats-server >/dev/null 2>&1) || return 1
  dpkg -x "$work"/nats-server_*.deb "$work/unpacked"
  mkdir -p "$into"
  install -m 755 "$work/unpacked/usr/sbin/nats-server" "$into/nats-server.$$"
  mv -f "$into/nats-server.$$" "$into/nats-server"
}

codename="$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")"

if [ "$kind" = old ]; then
  [ -x "$cache/old/nats-server" ] || fetch "$codename" "$codename" "$cache/old" || exit 1
  echo "$cache/old/nats-server"
  exit
fi

for candidate in "${NATS_SERVER:-}" "$(command -v nats-server || true)" "$cache/current/nats-server"; do
  if [ -x "$candidate" ] && is_current "$(version_of "$candidate")"; then
    echo "$candidate"
    exit
  fi
done

echo "First run: fetching a nats-server of at least $oldest for the tests (apt-get download, unpacked under $cache)..." >&2
for release in sid trixie forky; do
  if fetch "$release" "$codename" "$cache/current" && is_current "$(version_of "$cache/current/nats-server")"; then
    echo "$cache/current/nats-server"
    exit
  fi
done
echo "no nats-server of at least $oldest was found: put one on PATH or name it in NATS_SERVER" >&2
exit 1
