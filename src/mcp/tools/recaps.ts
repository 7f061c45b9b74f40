import { z } from 'zod'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { cursor, nextCursor, pageSize, defineTool } from '../define-tool.ts'

const segmentNumbers = z.array(z.int()).describe('The segments it comes from')
const Sentence = z.object({
  id: z.string().describe('For update_recap_item'),
  text: z.string(),
  segmentNumbers,
})
const Statement = Sentence.extend({ speaker: z.string().nullable() })
const state = z.enum(['open', 'done', 'deleted'])

/** An action item, as the tools return it to the assistant. */
const Action = z.object({
  actionId: z.string(),
  meetingId: z.string(),
  text: z.string(),
  owner: z.string().nullable(),
  dueDate: z.string().nullable(),
  state,
  segmentNumbers,
})
const ListedAction = Action.extend({ meetingTitle: z.string(), project: z.string() })

const ListedDecision = Statement.extend({
  meetingId: z.string(),
  meetingTitle: z.string(),
  project: z.string(),
})

/** An item of a recap, of any kind. */
const RecapItem = Statement.extend({
  kind: z.string(),
  owner: z.string().nullable(),
  dueDate: z.string().nullable(),
})

const personName = z.string().min(1).max(200).nullable().optional()
/** What a person or an assistant may say about an item besides its text. */
const itemFields = {
  speaker: personName.describe('Not for action items; null for nobody'),
  owner: personName.describe('Only for action items; null for nobody'),
  dueDate: z
    .string()
    .nullable()
    .optional()
    .describe('Only for action items, such as 2026-11-20; null for none'),
}

export const getRecapTool = defineTool({
  name: 'get_recap',
  title: 'Get a recap',
  description:
    'Gets what an ended meeting was about: summary, decisions, action items, open questions and topics, each with its segments.',
  operations: ['meetings.recap'],
  input: z.object({
    meetingId: z.string().describe('Such as meeting_1763200000000_abc123def456'),
  }),
  output: z.object({
    meetingId: z.string(),
    method: z.string().describe('rules: quotations, without a language model'),
    language: z.string().nullable(),
    title: z.string().nullable(),
    summary: z.array(Sentence),
    decisions: z.array(Statement.extend({ reason: z.string().nullable() })),
    actions: z.array(Action),
    openQuestions: z.array(Statement),
    topics: z.array(
      z.object({ title: z.string(), firstSegmentNumber: z.int(), lastSegmentNumber: z.int() }),
    ),
  }),
  async run(client, { meetingId }) {
    return client.meetings.recap(meetingId)
  },
})

export const listActionsTool = defineTool({
  name: 'list_actions',
  title: 'List action items',
  description:
    'Lists what people said they would do, of all meetings, newest meetings first. By default only open items.',
  operations: ['actions.list'],
  input: z.object({
    state: state.optional(),
    owner: z.string().min(1).max(200).optional().describe('Part of a name'),
    project: z.string().min(1).optional(),
    dueBefore: z.string().optional().describe('A date such as 2026-11-20'),
    limit: pageSize(100, 50),
    cursor,
  }),
  output: z.object({
    actions: z.array(ListedAction),
    nextCursor,
  }),
  async run(client, filter) {
    return client.actions.list(omitUndefined(filter))
  },
})

export const listDecisionsTool = defineTool({
  name: 'list_decisions',
  title: 'List decisions',
  description: 'Lists what was decided, of all meetings, newest meetings first.',
  operations: ['decisions.list'],
  input: z.object({
    speaker: z.string().min(1).max(200).optional().describe('Part of a name'),
    project: z.string().min(1).optional(),
    meetingId: z.string().min(1).optional(),
    from: z.string().optional().describe('Only of meetings since then: 2026-11-15T08:30:00Z'),
    to: z.string().optional().describe('Only of meetings before then'),
    limit: pageSize(100, 50),
    cursor,
  }),
  output: z.object({
    decisions: z.array(ListedDecision),
    nextCursor,
  }),
  async run(client, filter) {
    return client.decisions.list(omitUndefined(filter))
  },
})

export const addRecapItemTool = defineTool({
  name: 'add_recap_item',
  title: 'Add to a recap',
  description:
    'Adds a decision, an action item, an open question or a sentence of the summary to the recap of a meeting. Ask the user first.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  scope: 'meetings',
  operations: ['meetings.addRecapItem'],
  input: z.object({
    meetingId: z.string(),
    kind: z.enum(['summary', 'decision', 'action', 'question']),
    text: z.string().min(1).max(400),
    segmentNumbers: z.array(z.int().min(1)).min(1).max(50).describe('The segments it comes from'),
    ...itemFields,
  }),
  output: z.object({ item: RecapItem }),
  async run(client, { meetingId, ...item }) {
    return client.meetings.addRecapItem(meetingId, omitUndefined(item))
  },
})

export const updateRecapItemTool = defineTool({
  name: 'update_recap_item',
  title: 'Correct a recap',
  description:
    'Changes or deletes one item of a recap: a sentence, decision, action item or open question. Ask the user first. Fields that are absent stay as they are.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  scope: 'meetings',
  operations: ['meetings.updateRecapItem', 'meetings.removeRecapItem'],
  input: z.object({
    meetingId: z.string(),
    itemId: z.string().describe('The id of a statement, or an actionId'),
    text: z.string().min(1).max(400).optional(),
    segmentNumbers: z.array(z.int().min(1)).min(1).max(50).optional(),
    ...itemFields,
    isDeleted: z.literal(true).optional().describe('Deletes it; a new recap does not restore it'),
  }),
  output: z.object({ item: RecapItem.nullable().describe('null for a deleted item') }),
  async run(client, { meetingId, itemId, isDeleted, ...change }) {
    if (isDeleted) {
      await client.meetings.removeRecapItem(meetingId, itemId)
      return { item: null }
    }
    return client.meetings.updateRecapItem(meetingId, itemId, omitUndefined(change))
  },
})

export const updateActionTool = defineTool({
  name: 'update_action',
  title: 'Change an action item',
  description:
    'Ticks, rewrites, reassigns or deletes an action item. Ask the user first. Fields that are absent stay as they are.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  scope: 'meetings',
  operations: ['actions.update'],
  input: z.object({
    actionId: z.string(),
    text: z.string().min(1).max(400).optional(),
    owner: personName.describe('null for nobody'),
    dueDate: z.string().nullable().optional().describe('Such as 2026-11-20; null for none'),
    state: state.optional(),
  }),
  output: z.object({ action: ListedAction }),
  async run(client, { actionId, ...change }) {
    return client.actions.update(actionId, omitUndefined(change))
  },
})
