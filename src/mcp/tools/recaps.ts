import { z } from 'zod'
import { defineTool, omitUndefined, READ_ONLY_TOOL_ANNOTATIONS } from '../define-tool.ts'

const segmentNumbers = z.array(z.int()).describe('The segments it comes from')
const Statement = z.object({ text: z.string(), speaker: z.string().nullable(), segmentNumbers })
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

export const getRecapTool = defineTool({
  name: 'get_recap',
  title: 'Get a recap',
  description:
    'Gets what an ended meeting was about: summary, decisions, action items, open questions and topics, each with its segments.',
  annotations: READ_ONLY_TOOL_ANNOTATIONS,
  operations: ['meetings.recap'],
  input: z.object({
    meetingId: z.string().describe('Such as meeting_1763200000000_abc123def456'),
  }),
  output: z.object({
    meetingId: z.string(),
    method: z.string().describe('rules: quotations, without a language model'),
    language: z.string().nullable(),
    summary: z.array(z.object({ text: z.string(), segmentNumbers })),
    decisions: z.array(Statement),
    actions: z.array(Action),
    openQuestions: z.array(Statement),
    topics: z.array(
      z.object({ title: z.string(), firstSegmentNumber: z.int(), lastSegmentNumber: z.int() }),
    ),
  }),
  async run(client, { meetingId }) {
    const recap = await client.meetings.recap(meetingId)
    const { method, language, summary, decisions, openQuestions } = recap
    return {
      meetingId,
      method,
      language,
      summary,
      decisions,
      actions: recap.actions.map(toActionSummary),
      openQuestions,
      topics: recap.topics.map(({ title, firstSegmentNumber, lastSegmentNumber }) => ({
        title,
        firstSegmentNumber,
        lastSegmentNumber,
      })),
    }
  },
})

export const listActionsTool = defineTool({
  name: 'list_actions',
  title: 'List action items',
  description:
    'Lists what people said they would do, of all meetings, newest meetings first. By default only open items.',
  annotations: READ_ONLY_TOOL_ANNOTATIONS,
  operations: ['actions.list'],
  input: z.object({
    state: state.optional(),
    owner: z.string().min(1).max(200).optional().describe('Part of a name'),
    project: z.string().min(1).optional(),
    dueBefore: z.string().optional().describe('A date such as 2026-11-20'),
    limit: z.int().min(1).max(100).optional().describe('At most 100; default 50'),
    cursor: z.string().optional().describe('nextCursor of the previous page'),
  }),
  output: z.object({
    actions: z.array(ListedAction),
    nextCursor: z.string().nullable().describe('null on the last page'),
  }),
  async run(client, filter) {
    const { actions, nextCursor } = await client.actions.list(omitUndefined(filter))
    return { actions: actions.map(toListedSummary), nextCursor }
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
    owner: z.string().min(1).max(200).nullable().optional().describe('null for nobody'),
    dueDate: z.string().nullable().optional().describe('Such as 2026-11-20; null for none'),
    state: state.optional(),
  }),
  output: z.object({ action: ListedAction }),
  async run(client, { actionId, ...change }) {
    const { action } = await client.actions.update(actionId, omitUndefined(change))
    return { action: toListedSummary(action) }
  },
})

function toActionSummary(action: z.input<typeof Action>): z.input<typeof Action> {
  const { actionId, meetingId, text, owner, dueDate, state: now } = action
  return {
    actionId,
    meetingId,
    text,
    owner,
    dueDate,
    state: now,
    segmentNumbers: action.segmentNumbers,
  }
}

function toListedSummary(action: z.input<typeof ListedAction>): z.input<typeof ListedAction> {
  const { meetingTitle, project } = action
  return { ...toActionSummary(action), meetingTitle, project }
}
