import { z } from 'zod'
import type { Registry } from 'prom-client'
import type { App } from '../type-provider.ts'

export type Check = { name: string; run(): Promise<string> }

const CheckRow = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })
const Ready = z.object({ status: z.enum(['ready', 'not ready']), checks: z.array(CheckRow) })

const KEEP_MS = 1_000

type Parts = {
  version: string
  checks: readonly Check[]
  metrics: Registry
  openapi: () => object
}

export function healthRoutes(app: App, { version, checks, metrics, openapi }: Parts): void {
  const examine = atMostOnceIn(KEEP_MS, () => Promise.all(checks.map(runCheck)))

  app.get('/healthz', { config: { access: 'open' } }, async () => ({ status: 'ok', version }))

  app.get(
    '/readyz',
    { config: { access: 'open' }, schema: { response: { 200: Ready, 503: Ready } } },
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
function atMostOnceIn<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at > ms) last = { at: now, answer: work() }
    return last.answer
  }
}

/** What a failed check says to anybody who asks: that it failed. The log has the reason. */
async function runCheck({ name, run }: Check): Promise<z.infer<typeof CheckRow>> {
  try {
    return { name, ok: true, detail: await run() }
  } catch (error) {
    const detail = error instanceof CheckFailed ? error.message : 'failed'
    return { name, ok: false, detail }
  }
}

/** A failed check whose text may be shown. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
}
