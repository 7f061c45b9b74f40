import type { Registry } from 'prom-client'
import { z } from 'zod'
import { requireInstanceAccess } from '../../../access/subjects.ts'
import { isDoneWithinSteps } from '../../../lib/async/abort.ts'
import type { Log } from '../../../log.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { requireViewer } from '../../pipeline/access/caller.ts'

/** A check of /readyz. `run` returns a detail text or throws. The node stays ready if an advisory check fails. */
export type ReadinessCheck = { name: string; isAdvisory?: true; run(): Promise<string> }

const CheckResult = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })
const ReadinessResponse = z.object({
  status: z.enum(['ready', 'not ready']),
  checks: z.array(CheckResult),
})

const CACHE_MS = 1_000
/** A check that takes longer fails, so that a load balancer gets an answer while the database gives none. */
const CHECK_TIMEOUT = { ms: 4_000, steps: 4 }

type Parts = {
  version: string
  checks: readonly ReadinessCheck[]
  metrics: Registry
  /** Descriptions of the service for programs, by path. */
  documents: Readonly<Record<string, () => object>>
  log: Log
}

export function healthMetricsAndDocumentRoutes(app: FastifyApp, parts: Parts): void {
  const { version, checks, metrics, documents, log } = parts
  const runChecks = cacheResultFor(CACHE_MS, () =>
    Promise.all(checks.map((check) => runCheck(check, log))),
  )

  app.get('/healthz', { config: { access: 'open', subject: 'none' } }, async () => ({
    status: 'ok',
    version,
  }))

  app.get(
    '/readyz',
    {
      config: { access: 'open', subject: 'none' },
      schema: { response: { 200: ReadinessResponse, 503: ReadinessResponse } },
    },
    async (_request, reply) => {
      const rows = await runChecks()
      const isReady = rows.every(({ ok, isAdvisory }) => ok || isAdvisory)
      return reply
        .code(isReady ? 200 : 503)
        .send({ status: isReady ? 'ready' : 'not ready', checks: rows })
    },
  )

  app.get(
    '/metrics',
    { config: { access: 'key_or_session', subject: 'none' } },
    async (request, reply) => {
      requireInstanceAccess(requireViewer(request), 'read_metrics')
      return reply.type(metrics.contentType).send(await metrics.metrics())
    },
  )

  for (const [path, build] of Object.entries(documents)) {
    let document: string | undefined
    app.get(
      path,
      { config: { access: 'key_or_session', subject: 'none' } },
      async (_request, reply) =>
        reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(build()))),
    )
  }
}

/** Every caller may request /readyz, so the checks run at most once per interval. */
function cacheResultFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at > ms) last = { at: now, result: work() }
    return last.result
  }
}

/** Every caller may read the result, so a check's unexpected error is only logged. */
async function runCheck(
  { name, isAdvisory, run }: ReadinessCheck,
  log: Log,
): Promise<z.infer<typeof CheckResult> & { isAdvisory: boolean }> {
  const toResult = (ok: boolean, detail: string) => ({
    name,
    isAdvisory: isAdvisory === true,
    ok,
    detail,
  })
  try {
    const running = run()
    if (!(await isDoneWithinSteps(running, CHECK_TIMEOUT)))
      return toResult(false, `no answer within ${CHECK_TIMEOUT.ms / 1000} s`)
    return toResult(true, await running)
  } catch (error) {
    if (error instanceof ReadinessCheckFailed) return toResult(false, error.message)
    log.warn({ err: error, check: name }, 'readiness check failed')
    return toResult(false, 'failed')
  }
}

/** Thrown by a check whose error message every caller may read. */
export class ReadinessCheckFailed extends Error {
  override readonly name = 'ReadinessCheckFailed'
}
