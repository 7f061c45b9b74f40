import type { ConnectionsArea } from '../../../connections/area.ts'
import { NOTIFICATION_PATH } from '../../../connections/subscriptions.ts'
import { ServiceError } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { addGraphReportRoute, openReportScope } from './graph-notifications.ts'

type Parts = Pick<ConnectionsArea, 'receiveReports'>

/**
 * Where Microsoft reports new transcripts. Only the token of a report and whether it is about the subscription are used, and it
 * makes only the next poll due.
 */
export function connectionNotificationRoutes(app: FastifyApp, { receiveReports }: Parts): void {
  openReportScope(app, (scope) =>
    addGraphReportRoute(scope, NOTIFICATION_PATH, async (reports) => {
      if ((await receiveReports(reports)) === 0) throw new ServiceError('not_found')
    }),
  )
}
