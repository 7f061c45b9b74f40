import type { Viewer } from '../../../access/viewer.ts'
import { invalidField } from '../../../errors.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { ActionItem, ActionItemChange } from '../../../recap/store/action-item.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { ACTION_ITEM_SUBJECT, MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  ActionsQuery,
  ActionsResponse,
  UpdateActionBody,
  UpdateActionResponse,
} from '../../shapes/meetings/actions.ts'
import { MakeRecapResponse, RecapResponse } from '../../shapes/meetings/recap.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'

type Parts = { recaps: Recaps }

/** The recaps of ended meetings, and all their action items. */
export function recapRoutes(app: FastifyApp, surface: ApiSurface, { recaps }: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.get('/meetings/:meetingId/recap', {
    subject: MEETING_SUBJECT.read,
    errorCodes: ['recap_not_ready'],
    summary: 'The recap of a meeting',
    description:
      'What the meeting was about: summary, decisions, action items, open questions and topics, each with the segments it comes from. It is made when the meeting has ended.',
    response: RecapResponse,
    handler: async (request) => {
      const { step, actions, ...recap } = await recaps.get(request.params.meetingId)
      const isInProgress = step === 'rules' || step === 'model'
      return {
        ...recap,
        status: isInProgress ? ('in_progress' as const) : ('completed' as const),
        actions: actions.map(toApiAction),
      }
    },
  })

  routes.post('/meetings/:meetingId/recap', {
    subject: MEETING_SUBJECT.edit,
    errorCodes: ['meeting_active', 'recap_not_ready'],
    summary: 'Make the recap of a meeting again',
    description:
      'Makes it in the background. What people added, changed, ticked and deleted stays as it is.',
    status: 202,
    response: MakeRecapResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      await recaps.request(meetingId)
      return { meetingId, status: 'in_progress' as const }
    },
  })

  routes.get('/actions', {
    subject: 'list',
    summary: 'Action items of all meetings',
    description:
      'Page by page. The items of the newest recap come first, unless `order` says otherwise. Lists only open items, unless another state is asked for.',
    query: ActionsQuery,
    response: ActionsResponse,
    handler: async (request) => {
      const { limit, cursor, order, mine, ...filter } = request.query
      const viewer = request.viewer
      const page = await recaps.listActions(
        viewer,
        { ...filter, ownerId: mine === 'true' ? requireOwnUserId(viewer) : undefined },
        { order, limit: resolvePageSize(limit), cursor },
      )
      return { actions: page.actions.map(toApiAction), nextCursor: page.nextCursor }
    },
  })

  routes.patch('/actions/:actionId', {
    subject: ACTION_ITEM_SUBJECT,
    summary: 'Change an action item',
    description:
      'Ticks, changes, reassigns or deletes it. Fields that are not sent stay as they are. A new recap does not overwrite it.',
    body: UpdateActionBody,
    response: UpdateActionResponse,
    handler: async (request) => {
      const { text, owner, dueDate, state } = request.body
      const change: ActionItemChange = omitUndefined({ text, owner, dueDate, state })
      return { action: toApiAction(await recaps.changeAction(request.params.actionId, change)) }
    },
  })
}

/** The person behind the request. A service token doesn't belong to a person, so nothing is its own. */
function requireOwnUserId(viewer: Viewer): string {
  if (viewer.kind === 'user') return viewer.userId
  const message = 'Needs a personal token, because a service token is no person'
  throw invalidField('mine', message)
}

function toApiAction<Item extends ActionItem>({ id, ...item }: Item) {
  return { actionId: id, ...item }
}
