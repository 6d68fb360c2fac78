#!/bin/sh
# Installs the shop, or a new version of it, on Debian 12 or newer: as root, from a checkout of the version wanted.
#   sh deploy/systemd/install.sh
# The program goes to /opt/palmira (the previous version stays in /opt/palmira.old), settings are in
# /etc/palmira/palmira.env, data in /var/lib/palmira. Running it again changes neither settings nor data.
set -eu

checkout=$(cd "$(dirname "$0")/../.." && pwd)
tools=/opt/palmira-tools
next=/opt/palmira.next

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }
is_new_enough() { "$1" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null; }

[ "$(id -u)" = 0 ] || fail "Run this as root."
[ -f "$checkout/server/main.ts" ] || fail "This is not a checkout of the shop: $checkout"

# Node 20 or newer and npm, only for the installation: the shop runs on its own Node. Debian 12 has 18, which can fetch a newer one
# from npm's registry.
PATH=$tools/node_modules/.bin:$PATH
export PATH
if ! command -v node >/dev/null || ! command -v npm >/dev/null || ! is_new_enough node; then
  say "Installing Node ..."
  if ! command -v npm >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm ca-certificates >/dev/null
  fi
  mkdir -p "$tools"
  npm install --prefix "$tools" --no-audit --no-fund --loglevel=error node@24 npm@11 >/dev/null
  hash -r
  is_new_enough node || fail "Node 20 or newer could not be installed."
fi

getent passwd palmira >/dev/null ||
  useradd --system --user-group --home-dir /var/lib/palmira --no-create-home --shell /usr/sbin/nologin palmira

say "Copying and building the shop (a minute or two) ..."
rm -rf "$next"
mkdir -m 755 "$next"
(cd "$checkout" && tar -cf - --exclude=./.git --exclude=./node_modules --exclude=./build --exclude=./data --exclude=./.env .) |
  tar -xf - -C "$next" --no-same-owner
cd "$next"
npm ci --no-audit --no-fund --loglevel=error
node_modules/.bin/node scripts/build.ts --quiet
npm prune --omit=dev --no-audit --no-fund --loglevel=error
# Data is never kept below this folder, which the next version replaces.
touch "$next/.installed"
chmod -R go+rX,go-w "$next"

mkdir -p /etc/palmira
if [ ! -f /etc/palmira/palmira.env ]; then
  install -m 640 -g palmira .env.example /etc/palmira/palmira.env
  say "Settings: /etc/palmira/palmira.env"
fi
install -m 644 deploy/systemd/palmira.service /etc/systemd/system/palmira.service
install -m 755 deploy/systemd/palmira /usr/local/bin/palmira
[ -d /var/lib/palmira ] || install -d -m 700 -o palmira -g palmira /var/lib/palmira

# The only downtime: the old version finishes its work and stops, and the new one starts.
is_running=no
if command -v systemctl >/dev/null; then
  systemctl daemon-reload || true
  if systemctl is-active --quiet palmira; then
    is_running=yes
    systemctl stop palmira
  fi
fi
rm -rf /opt/palmira.old
[ ! -d /opt/palmira ] || mv /opt/palmira /opt/palmira.old
mv "$next" /opt/palmira

if [ "$is_running" = yes ]; then
  palmira start || fail "To go back to the version before: palmira rollback"
  say "The new version runs. To go back: palmira rollback"
else
  ! command -v systemctl >/dev/null || systemctl enable --quiet palmira || true
  say "Installed. Edit /etc/palmira/palmira.env, then: palmira start"
fi
