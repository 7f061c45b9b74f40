import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CalendarsArea } from '../../../calendars/area.ts'
import { NOTIFICATION_PATHS } from '../../../calendars/providers/subscriptions.ts'
import { ServiceError } from '../../../errors.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSingleParameters } from '../../pipeline/access/session-cookie.ts'

type Parts = Pick<CalendarsArea, 'receiveReports'>

const MAX_BODY_BYTES = 256_000
const MAX_TOKEN_CHARS = 200
const MAX_VALIDATION_CHARS = 2_000

const GraphNotifications = z.object({
  value: z.array(z.object({ clientState: z.string().max(MAX_TOKEN_CHARS).nullish() })).max(1_000),
})

/**
 * Where providers report changes. A report contains only a token and makes its calendar due, so a forged, late or
 * repeated one does no harm. Requests are limited for each address, as those of people who sign in.
 */
export function calendarNotificationRoutes(app: FastifyApp, { receiveReports }: Parts): void {
  const route = { config: { access: 'same_site', subject: 'none' } } as const
  const receive = async (tokens: readonly string[]) => {
    if ((await receiveReports(tokens)) === 0) throw new ServiceError('not_found')
  }

  // Only this Fastify scope reads bodies as text: Microsoft's validation has no JSON, and Google's reports have no body.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post(NOTIFICATION_PATHS.microsoft, route, async (request, reply) => {
      const { validationToken } = readSingleParameters(request.query)
      if (validationToken !== undefined) {
        if (validationToken.length > MAX_VALIDATION_CHARS) throw new ServiceError('not_found')
        return reply.type('text/plain; charset=utf-8').send(validationToken)
      }
      await receive(readClientStates(request))
      return reply.code(202).send()
    })
    scope.post(NOTIFICATION_PATHS.google, route, async (request, reply) => {
      const token = request.headers['x-goog-channel-token']
      if (typeof token !== 'string' || token.length > MAX_TOKEN_CHARS)
        throw new ServiceError('not_found')
      // The first message only says that the channel exists.
      if (request.headers['x-goog-resource-state'] !== 'sync') await receive([token])
      return reply.code(204).send()
    })
  })
}

function readClientStates({ body }: FastifyRequest): string[] {
  const parsed = GraphNotifications.safeParse(typeof body === 'string' ? tryParseJson(body) : null)
  if (!parsed.success) throw new ServiceError('invalid_request')
  return [...new Set(parsed.data.value.flatMap(({ clientState }) => clientState ?? []))]
}
