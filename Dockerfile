# The image of docs/how-to/container.md. .ci/container builds and tries it.
ARG BASE=node:22-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts
RUN npm pack
RUN npm install --global --prefix /opt/recount ./recount-*.tgz

FROM ${BASE}
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates tini && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/recount /usr/local
RUN install --directory /etc/recount && install --directory --owner=1000 --group=1000 --mode=0750 /lake
USER 1000:1000
WORKDIR /lake
# In a read-only container only the volume can be written.
ENV RECOUNT_REPORTS=/lake/reports
VOLUME /lake
# tini is process 1: it hands signals to Recount and reaps what is left of ended processes.
ENTRYPOINT ["tini", "--", "recount"]
CMD ["schedule", "/etc/recount/nightly.yaml", "--lake", "/lake", "--health-port", "8081"]
HEALTHCHECK --interval=60s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
