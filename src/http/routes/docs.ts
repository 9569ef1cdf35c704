import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { ApiError } from '../../errors.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tonearm API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`;
const start = `SwaggerUIBundle({ url: 'api/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;
// Nothing is fetched from anywhere else.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

/** The machine-readable description and a page to read it on. */
export function docsEndpoints(document: () => object): Endpoint[] {
  const common = {
    tag: 'Description',
    access: 'public',
    rateClass: 'unlimited',
    price: 0,
    writes: false,
    meta: 'none',
    method: 'GET',
  } as const;
  let json: string | undefined;
  return [
    defineEndpoint({
      ...common,
      path: '/api/openapi.json',
      operationId: 'openapi',
      summary: 'OpenAPI document',
      description: 'This description, as OpenAPI 3.1.',
      success: {
        status: 200,
        description: 'The document',
        schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      },
      errors: [],
      handle: () => ({ json: (json ??= JSON.stringify(document())) }),
    }),
    defineEndpoint({
      ...common,
      path: '/docs',
      operationId: 'docs',
      summary: 'Reference page',
      description: 'This description, to be read by people.',
      success: { status: 200, description: 'The page', contentType: 'text/html' },
      errors: [],
      handle(_input, { reply }) {
        void reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page);
        return { handled: true };
      },
    }),
    defineEndpoint({
      ...common,
      path: '/docs/{file}',
      operationId: 'docs_file',
      summary: 'Part of the reference page',
      description: 'Script and style of the reference page.',
      params: Type.Object({ file: Type.String() }),
      success: { status: 200, description: 'The file', contentType: 'text/*' },
      errors: ['not_found'],
      handle({ params: { file = '' } }, { reply }) {
        const type = Object.hasOwn(assets, file) ? assets[file] : undefined;
        if (file === 'start.js') void reply.type('text/javascript; charset=utf-8').send(start);
        else if (type !== undefined) void reply.type(type).send(readFileSync(join(swaggerUi, file)));
        else throw new ApiError('not_found', 'The reference page has no such part.');
        return { handled: true };
      },
    }),
  ];
}
