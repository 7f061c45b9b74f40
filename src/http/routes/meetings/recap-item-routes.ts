import type { Db } from '../../../db/database.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { RecapItem } from '../../../recap/store/recap-item.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { requireViewer } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { addIdempotentPostRoute } from '../../pipeline/idempotency.ts'
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'
import {
  AddRecapItemBody,
  DecisionsQuery,
  DecisionsResponse,
  RecapItemParams,
  RecapItemResponse,
  UpdateRecapItemBody,
} from '../../shapes/meetings/recap-items.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = { recaps: Recaps }
const tags = ['Meetings']
const subject = MEETING_SUBJECT.edit

/** What people add, change and delete in recaps, and the decisions of all meetings. */
export function recapItemRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  addItemRoute(app, surface, parts)
  changeItemRoutes(app, surface, parts)
  decisionRoute(app, surface, parts)
}

function addItemRoute(app: FastifyApp, surface: ApiSurface, { recaps }: Parts): void {
  addIdempotentPostRoute(app, `${surface.prefix}/meetings/:meetingId/recap/items`, {
    config: {
      ...surface.change,
      subject,
      errorCodes: ['meeting_not_found', 'line_not_found', 'too_many_recap_items'],
    },
    schema: {
      summary: 'Add an item to a recap',
      description:
        'Adds a sentence to the summary, a decision, an action item or an open question. Works even before the meeting has a recap: an ended meeting gets one, and that of a live meeting has the item as soon as it is made. Without `speaker`, the speaker of the first line said it. A new recap keeps the item. A meeting has at most 100 added items of each kind, including deleted ones.',
      tags,
      params: MeetingParams,
      body: AddRecapItemBody,
    },
    status: 201,
    response: RecapItemResponse,
    run(request, beforeCommit: (tx: Db, item: RecapItem) => Promise<void>) {
      const { meetingId } = request.params
      const about = { viewer: requireViewer(request), meetingId, item: request.body }
      return recaps.addItem(about, (tx, item) => beforeCommit(tx, item))
    },
    toResponse: (item) => ({ item }),
  })
}

function changeItemRoutes(app: FastifyApp, surface: ApiSurface, { recaps }: Parts): void {
  const url = `${surface.prefix}/meetings/:meetingId/recap/items/:itemId`

  app.patch(
    url,
    {
      config: {
        ...surface.change,
        subject,
        errorCodes: [
          'meeting_not_found',
          'recap_item_not_found',
          'line_not_found',
          'too_many_recap_items',
        ],
      },
      schema: {
        summary: 'Change an item of a recap',
        description:
          'Fields that are not sent stay as they are. A new recap does not overwrite the item.',
        tags,
        params: RecapItemParams,
        body: UpdateRecapItemBody,
        response: { 200: RecapItemResponse },
      },
    },
    async (request) => {
      const ref = { viewer: requireViewer(request), ...request.params }
      return { item: await recaps.updateItem(ref, request.body) }
    },
  )

  app.delete(
    url,
    {
      config: {
        ...surface.change,
        subject,
        errorCodes: ['meeting_not_found', 'recap_item_not_found', 'too_many_recap_items'],
        emptyResponses: { 204: 'The item is deleted' },
      },
      schema: {
        summary: 'Delete an item of a recap',
        description: 'A new recap does not bring it back.',
        tags,
        params: RecapItemParams,
      },
    },
    async (request, reply) => {
      await recaps.deleteItem({ viewer: requireViewer(request), ...request.params })
      return reply.code(204).send()
    },
  )
}

function decisionRoute(app: FastifyApp, surface: ApiSurface, { recaps }: Parts): void {
  app.get(
    `${surface.prefix}/decisions`,
    {
      config: { ...surface.read, subject: 'list' },
      schema: {
        summary: 'Decisions of all meetings',
        description: 'Page by page. Decisions of the newest meeting come first.',
        tags,
        querystring: DecisionsQuery,
        response: { 200: DecisionsResponse },
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query
      return recaps.listDecisions(requireViewer(request), filter, {
        limit: resolvePageSize(limit),
        cursor,
      })
    },
  )
}
