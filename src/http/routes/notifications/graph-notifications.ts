import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../../errors.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSingleParameters } from '../../pipeline/access/session-cookie.ts'

const MAX_BODY_BYTES = 256_000
export const MAX_TOKEN_CHARS = 200
const MAX_VALIDATION_CHARS = 2_000
const MAX_EVENT_CHARS = 100

const GraphNotifications = z.object({
  value: z
    .array(
      z.object({
        clientState: z.string().max(MAX_TOKEN_CHARS).nullish(),
        lifecycleEvent: z.string().max(MAX_EVENT_CHARS).nullish(),
      }),
    )
    .max(1_000),
})

/** One notification of Microsoft Graph. `lifecycleEvent`: it is about the subscription itself. */
export type GraphReport = { token: string; lifecycleEvent: string | null }

/** Anybody can send reports. Requests are limited for each address, as those of people who sign in. */
export const REPORT_ROUTE = { config: { access: 'same_site', subject: 'none' } } as const

/** Only this Fastify scope reads bodies as text: Microsoft's validation has no JSON, and Google's reports have no body. */
export function openReportScope(app: FastifyApp, addRoutes: (scope: FastifyApp) => void): void {
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    addRoutes(scope)
  })
}

/** Microsoft Graph validates the address once for each subscription, and then sends notifications to it. */
export function addGraphReportRoute(
  scope: FastifyApp,
  path: string,
  receive: (reports: GraphReport[]) => Promise<void>,
): void {
  scope.post(path, REPORT_ROUTE, async (request, reply) => {
    const { validationToken } = readSingleParameters(request.query)
    if (validationToken !== undefined) {
      if (validationToken.length > MAX_VALIDATION_CHARS) throw new ServiceError('not_found')
      return reply.type('text/plain; charset=utf-8').send(validationToken)
    }
    await receive(readReports(request))
    return reply.code(202).send()
  })
}

function readReports({ body }: FastifyRequest): GraphReport[] {
  const parsed = GraphNotifications.safeParse(typeof body === 'string' ? tryParseJson(body) : null)
  if (!parsed.success) throw new ServiceError('invalid_request')
  return parsed.data.value.flatMap(({ clientState, lifecycleEvent = null }) =>
    clientState ? [{ token: clientState, lifecycleEvent }] : [],
  )
}
