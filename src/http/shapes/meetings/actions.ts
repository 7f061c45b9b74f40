import { z } from 'zod'
import { Instant, InstantInput, NextCursor, RequestWarnings } from '../common.ts'
import { createCursorParameterSchema, PageSizeParameter } from '../query-parameters.ts'
import { ACTION_ITEM_STATES, ACTION_ORDERS } from '../values.ts'
import { MeetingIdInput } from './meeting-fields.ts'
import { DueDateInput, PersonInput, VisibleTextInput } from './recap-fields.ts'
import { Action } from './recap.ts'

/** An action item and the meeting where it was said. */
export const ListedAction = Action.extend({
  meetingTitle: z.string().meta({ examples: ['Planning'] }),
  project: z.string(),
  meetingStartedAt: Instant,
}).meta({ id: 'ListedAction' })

export const ActionsQuery = z.object({
  state: z
    .enum(ACTION_ITEM_STATES)
    .meta({ default: 'open' })
    .optional()
    .describe('Only items in this state'),
  owner: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name of the owner')
    .meta({ examples: ['Ada'] }),
  mine: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true: only items whose owner is you, by your full name, your email address, or your first name where no one else has it; needs a personal token',
    ),
  project: z.string().min(1).max(64).optional().describe('Only items of this project'),
  meetingId: MeetingIdInput.optional().describe('Only items of this meeting'),
  from: InstantInput.optional().describe(
    'Only items of meetings that started at this time or later',
  ),
  to: InstantInput.optional().describe('Only items of meetings that started before this time'),
  dueBefore: DueDateInput.optional().describe('Only items that are due before this date'),
  order: z
    .enum(ACTION_ORDERS)
    .meta({ default: 'recap' })
    .optional()
    .describe(
      '`recap`: those of the newest recap first; `due`: those that are due first, and those without a date last',
    ),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(400),
})
export const ActionsResponse = z.object({ actions: z.array(ListedAction), nextCursor: NextCursor })

export const UpdateActionBody = z
  .object({
    text: VisibleTextInput.optional(),
    owner: PersonInput.nullable().optional().describe('Who does it; null for nobody'),
    dueDate: DueDateInput.nullable().optional().describe('Null for no due date'),
    state: z.enum(ACTION_ITEM_STATES).optional().describe('`done` ticks it; `deleted` hides it'),
  })
  .meta({ examples: [{ state: 'done' }] })
export const UpdateActionResponse = z.object({ action: ListedAction, warnings: RequestWarnings })

export type ApiListedAction = z.input<typeof ListedAction>
export type ApiActions = z.input<typeof ActionsResponse>
