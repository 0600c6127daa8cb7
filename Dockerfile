# Builds Octavo and keeps what it needs to run.
FROM node:22-bookworm-slim AS build
WORKDIR /octavo
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build && npm prune --omit=dev && chmod +x scripts/octavo.js

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /octavo
COPY --from=build /octavo/package.json /octavo/LICENSE ./
COPY --from=build /octavo/node_modules ./node_modules
COPY --from=build /octavo/scripts/octavo.js /octavo/scripts/prepare.js ./scripts/
COPY --from=build /octavo/dist ./dist
COPY --from=build /octavo/docs ./docs
COPY --from=build /octavo/templates ./templates
RUN ln -s /octavo/scripts/octavo.js /usr/local/bin/octavo && mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OCTAVO_DATA=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OCTAVO_HEALTH_PORT || process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["octavo"]
CMD ["serve"]
