FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
COPY projections ./projections
COPY scripts ./scripts
# The pages of the console are built by now, and what they are made of is not asked for any more.
RUN npm run build && npm uninstall --no-save --omit=dev \
  @dagrejs/dagre @fontsource-variable/inter @fontsource-variable/source-serif-4 @tanstack/preact-query \
  @tanstack/virtual-core d3-scale d3-shape esbuild openapi-fetch preact wouter-preact

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "dist/src/main.js"]
