import type { Db } from '../../../db/database.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { RecapItem } from '../../../recap/store/recap-item.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  AddRecapItemBody,
  DecisionsQuery,
  DecisionsResponse,
  RecapItemResponse,
  UpdateRecapItemBody,
} from '../../shapes/meetings/recap-items.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = { recaps: Recaps }
const subject = MEETING_SUBJECT.edit

/** What people add, change and delete in recaps, and the decisions of all meetings. */
export function recapItemRoutes(app: FastifyApp, surface: ApiSurface, { recaps }: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.idempotentPost('/meetings/:meetingId/recap/items', {
    subject,
    errorCodes: ['line_not_found', 'too_many_recap_items'],
    summary: 'Add an item to a recap',
    description:
      'Adds a sentence to the summary, a decision, an action item or an open question. Works even before the meeting has a recap: an ended meeting gets one, and that of a live meeting has the item as soon as it is made. Without `speaker`, the speaker of the first line said it. A new recap keeps the item. A meeting has at most 100 added items of each kind, including deleted ones.',
    body: AddRecapItemBody,
    status: 201,
    response: RecapItemResponse,
    run(request, beforeCommit: (tx: Db, item: RecapItem) => Promise<void>) {
      const { meetingId } = request.params
      const about = { viewer: request.viewer, meetingId, item: request.body }
      return recaps.addItem(about, (tx, item) => beforeCommit(tx, item))
    },
    toResponse: (item) => ({ item }),
  })

  routes.patch('/meetings/:meetingId/recap/items/:itemId', {
    subject,
    errorCodes: ['recap_item_not_found', 'line_not_found', 'too_many_recap_items'],
    summary: 'Change an item of a recap',
    description:
      'Fields that are not sent stay as they are. A new recap does not overwrite the item.',
    body: UpdateRecapItemBody,
    response: RecapItemResponse,
    handler: async (request) => {
      const ref = { viewer: request.viewer, ...request.params }
      return { item: await recaps.updateItem(ref, request.body) }
    },
  })

  routes.delete('/meetings/:meetingId/recap/items/:itemId', {
    subject,
    emptyResponses: { 204: 'The item is deleted' },
    errorCodes: ['recap_item_not_found', 'too_many_recap_items'],
    summary: 'Delete an item of a recap',
    description: 'A new recap does not bring it back.',
    handler: async (request, reply) => {
      await recaps.deleteItem({ viewer: request.viewer, ...request.params })
      return reply.code(204).send()
    },
  })

  routes.get('/decisions', {
    subject: 'list',
    summary: 'Decisions of all meetings',
    description: 'Page by page. Decisions of the newest meeting come first.',
    query: DecisionsQuery,
    response: DecisionsResponse,
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query
      return recaps.listDecisions(request.viewer, filter, {
        limit: resolvePageSize(limit),
        cursor,
      })
    },
  })
}
