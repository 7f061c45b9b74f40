import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { fastify } from 'fastify'
import { createLazyValue } from '../../lib/async/sharing.ts'
import { sha256 } from '../../lib/crypto.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { contentSecurityPolicy } from '../pipeline/security-headers.ts'

const compress = promisify(gzip)

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hansard API reference</title>
</head>
<body>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Starts the reference page without the features that would call another host. */
const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
})})
`

/** Serves the API reference page. Its scripts come only from this service. */
export function serveApiReference(app: FastifyApp): void {
  const config = { access: 'key_or_session', subject: 'none' } as const
  const script = createLazyValue(loadReferenceScript)

  app.get('/docs', { config }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      // The reference page sets inline styles. Scripts still come only from this service.
      .header('content-security-policy', contentSecurityPolicy("'unsafe-inline'"))
      .send(REFERENCE_PAGE),
  )
  app.get('/docs/start.js', { config }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START_SCRIPT),
  )
  app.get('/docs/reference.js', { config }, async (request, reply) => {
    const { body, etag } = await script.get()
    void reply.headers({ etag, 'cache-control': 'private, no-cache' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('content-encoding', 'gzip')
      .send(body)
  })
}

/** The package offers its script only through a Fastify route. It is large, so it is loaded on first use. */
async function loadReferenceScript(): Promise<{ body: Buffer; etag: string }> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const source = fastify()
  await source.register(reference, {
    routePrefix: '/reference',
    configuration: { url: '/openapi.json' },
  })
  const { payload } = await source.inject('/reference/js/scalar.js')
  await source.close()
  const body = await compress(payload)
  return { body, etag: `"${sha256(body).toString('base64url')}"` }
}
