import type { Db } from '../../../db/database.ts'
import { listMeetingRemovals } from '../../../meetings/removal/removal.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import { RemovalsResponse, RemovalsQuery } from '../../shapes/meetings/removals.ts'
import { requireViewer } from '../../pipeline/access/request-viewer.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** Lists removed meetings, with who removed them and how much data was deleted. */
export function removalReportRoutes(app: FastifyApp, { db }: { db: Db }): void {
  app.get(
    '/api/v1/removals',
    {
      config: { access: 'key', scopes: ['read', 'meetings'], subject: 'list' },
      schema: {
        summary: 'Removed meetings, newest first',
        description: 'Who removed each meeting, and how much data was deleted.',
        tags: ['Meetings'],
        querystring: RemovalsQuery,
        response: { 200: RemovalsResponse },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query
      const { removals, nextCursor } = await listMeetingRemovals(
        db,
        requireViewer(request),
        resolvePageSize(limit),
        cursor,
      )
      return {
        removals: removals.map(({ counts, ...row }) => ({ ...row, removed: counts })),
        nextCursor,
      }
    },
  )
}
