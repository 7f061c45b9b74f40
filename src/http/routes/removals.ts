import type { Db } from '../../db/open.ts'
import { listRemovals } from '../../meetings/removal.ts'
import { pageSize } from '../page-size.ts'
import { RemovalsAnswer, RemovalsQuery } from '../shapes/meetings.ts'
import type { App } from '../type-provider.ts'

/** What was removed, by whom, and how much of it. */
export function removalRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/api/v1/removals',
    {
      config: { access: 'key', scopes: ['read', 'meetings'] },
      schema: {
        summary: 'Meetings that were removed, newest first',
        tags: ['Meetings'],
        querystring: RemovalsQuery,
        response: { 200: RemovalsAnswer },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query
      const { removals, nextCursor } = await listRemovals(db, pageSize(limit), cursor)
      return {
        removals: removals.map(({ counts, ...row }) => ({ ...row, removed: counts })),
        nextCursor,
      }
    },
  )
}
