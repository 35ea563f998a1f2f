#!/bin/sh
# What the image of nginx does at its start: the resolver's address, the scripts that were added, the templates.
set -eu
if [ -n "${NGINX_ENTRYPOINT_LOCAL_RESOLVERS:-}" ]; then
  NGINX_LOCAL_RESOLVERS=$(awk '$1 == "nameserver" { printf "%s ", $2 }' /etc/resolv.conf)
  export NGINX_LOCAL_RESOLVERS
fi
for script in /docker-entrypoint.d/*.sh; do
  if [ -x "$script" ]; then "$script"; fi
done
names=$(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/${\1}/p' | tr '\n' ' ')
mkdir -p /tmp/conf.d
for template in /etc/nginx/templates/*.template; do
  envsubst "$names" <"$template" >"/tmp/conf.d/$(basename "$template" .template)"
done
exec nginx -c /etc/nginx/nginx.conf -e stderr -g 'daemon off;'
