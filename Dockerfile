# Runs any of the processes: `gateway` (the default), `worker`, `sandbox`, and the commands of operators.
# By digest where you know one: `--build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…`; Compose takes it from `.env`.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY workflows workflows
COPY activities activities
RUN npm run build && npm run --silent sbom > sbom.cdx.json && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
# The Temporal SDK takes its certificate authorities from the system; tini passes signals on and reaps.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# Nothing is written by gateway, worker and sandbox: the root file system may be read-only.
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.GATEWAY_PORT || 8080) + '/readyz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "/app/dist/src/cli/main.js"]
CMD ["gateway"]
