#!/bin/sh
# What the image of PostgreSQL does at its first start, and then each time.
set -eu
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
  initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile "$POSTGRES_PASSWORD_FILE" --encoding UTF8 --no-locale \
    --auth-local trust --auth-host scram-sha-256
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_USER\"" | postgres --single -D "$data" postgres
fi
exec postgres -D "$data" -c 'listen_addresses=*' -c unix_socket_directories=/tmp
