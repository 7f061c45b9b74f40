import { z } from 'zod'
import type { Registry } from 'prom-client'
import type { FastifyApp } from '../../fastify-app.ts'

export type ReadinessCheck = { name: string; run(): Promise<string> }

const CheckResult = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })
const ReadinessResponse = z.object({
  status: z.enum(['ready', 'not ready']),
  checks: z.array(CheckResult),
})

const CACHE_MS = 1_000

type Parts = {
  version: string
  checks: readonly ReadinessCheck[]
  metrics: Registry
  openapi: () => object
}

export function healthRoutes(app: FastifyApp, { version, checks, metrics, openapi }: Parts): void {
  const examine = cacheResultFor(CACHE_MS, () => Promise.all(checks.map(runCheck)))

  app.get('/healthz', { config: { access: 'open' } }, async () => ({ status: 'ok', version }))

  app.get(
    '/readyz',
    {
      config: { access: 'open' },
      schema: { response: { 200: ReadinessResponse, 503: ReadinessResponse } },
    },
    async (_request, reply) => {
      const rows = await examine()
      const isReady = rows.every(({ ok }) => ok)
      return reply
        .code(isReady ? 200 : 503)
        .send({ status: isReady ? 'ready' : 'not ready', checks: rows })
    },
  )

  app.get('/metrics', { config: { access: 'reader' } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  )

  let document: string | undefined
  app.get('/openapi.json', { config: { access: 'reader' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openapi()))),
  )
}

/** Anybody may ask; however often, the checks run once in a while. */
function cacheResultFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at > ms) last = { at: now, answer: work() }
    return last.answer
  }
}

/** What a failed check says to anybody who asks: that it failed. The log has the reason. */
async function runCheck({ name, run }: ReadinessCheck): Promise<z.infer<typeof CheckResult>> {
  try {
    return { name, ok: true, detail: await run() }
  } catch (error) {
    const detail = error instanceof ReadinessCheckFailed ? error.message : 'failed'
    return { name, ok: false, detail }
  }
}

/** A failed check whose text may be shown. */
export class ReadinessCheckFailed extends Error {
  override readonly name = 'CheckFailed'
}
