import type { CalendarsArea } from '../../../calendars/area.ts'
import { NOTIFICATION_PATHS } from '../../../calendars/providers/subscriptions.ts'
import { ServiceError } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import {
  addGraphReportRoute,
  MAX_TOKEN_CHARS,
  openReportScope,
  REPORT_ROUTE,
} from './graph-notifications.ts'

type Parts = Pick<CalendarsArea, 'receiveReports'>

/**
 * Where providers report changes of calendars. A report contains only a token and makes its calendar due, so a forged, late or
 * repeated one does no harm.
 */
export function calendarNotificationRoutes(app: FastifyApp, { receiveReports }: Parts): void {
  const receive = async (tokens: readonly string[]) => {
    if ((await receiveReports(tokens)) === 0) throw new ServiceError('not_found')
  }
  openReportScope(app, (scope) => {
    addGraphReportRoute(scope, NOTIFICATION_PATHS.microsoft, (reports) =>
      receive([...new Set(reports.map(({ token }) => token))]),
    )
    scope.post(NOTIFICATION_PATHS.google, REPORT_ROUTE, async (request, reply) => {
      const token = request.headers['x-goog-channel-token']
      if (typeof token !== 'string' || token.length > MAX_TOKEN_CHARS)
        throw new ServiceError('not_found')
      // The first message only says that the channel exists.
      if (request.headers['x-goog-resource-state'] !== 'sync') await receive([token])
      return reply.code(204).send()
    })
  })
}
