import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Answer } from '../exchange/exchange.js';

/** Nothing from elsewhere and no inline script; the page sets styles on its elements as it goes. */
const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Store management: the interface</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// No validator: it would send the document's address to somebody else.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, filter: true, persistAuthorization: true, validatorUrl: null });\n`;

const page = (type: string, body: string | Buffer): Answer => ({
  status: 200,
  headers: ['Content-Type', type, 'Content-Security-Policy', CONTENT_SECURITY],
  body,
});

const bundled = createRequire(import.meta.url);

const file = (name: string, type: string) => async (): Promise<Answer> =>
  page(type, await readFile(bundled.resolve(`swagger-ui-dist/${name}`)));

/** The files of the documentation page, by path; all of them lie on this machine. */
export const DOCS_FILES: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
  '/docs': () => page('text/html; charset=utf-8', PAGE),
  '/docs/': () => page('text/html; charset=utf-8', PAGE),
  '/docs/start.js': () => page('text/javascript; charset=utf-8', START),
  '/docs/swagger-ui.css': file('swagger-ui.css', 'text/css; charset=utf-8'),
  '/docs/swagger-ui-bundle.js': file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  '/docs/favicon-32x32.png': file('favicon-32x32.png', 'image/png'),
};
