# syntax=docker/dockerfile:1
# The shop alone; compose.yaml adds PostgreSQL and TLS. Built with: docker build -t palmira .

FROM node:24-bookworm-slim AS build
WORKDIR /shop
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node_modules/.bin/node scripts/build.ts --quiet
# Without build and test packages.
RUN npm prune --omit=dev --no-audit --no-fund \
 && rm -rf app emails e2e test bench scripts/imports .react-router build/compiled

# The shop's own Node is in node_modules, so it needs only Debian's C and C++ libraries.
FROM debian:bookworm-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin palmira \
 && install -d -o palmira -g palmira -m 700 /data /backups
COPY --from=build /shop /shop
WORKDIR /shop
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=2097152 \
    PATH=/shop/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
USER 10001:10001
VOLUME /data
EXPOSE 5000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 5000}/readyz?for=pages`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]
