import type { UpcomingMeeting } from 'hansard/client'
import { z } from 'zod'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { cursor, defineTool } from '../define-tool.ts'

export const listCalendarsTool = defineTool({
  name: 'list_calendars',
  title: 'List calendars',
  description:
    'Lists the calendars whose meetings bots join, and whether each can be read. Their meetings are in list_upcoming.',
  operations: ['calendars.list'],
  input: z.object({}),
  output: z.object({
    calendars: z.array(
      z.object({
        calendarId: z.string(),
        name: z.string(),
        project: z.string(),
        isPaused: z.boolean(),
        brokenSince: z.string().nullable().describe('Since when it cannot be read'),
        problem: z.string().nullable(),
      }),
    ),
  }),
  async run(client) {
    const { calendars } = await client.calendars.list()
    return {
      calendars: calendars.map(({ id: calendarId, ...calendar }) => ({ calendarId, ...calendar })),
    }
  },
})

const Upcoming = z.object({
  upcomingId: z.string(),
  title: z.string(),
  startsAt: z.string(),
  endsAt: z.string().nullable(),
  calendarName: z.string().nullable(),
  project: z.string(),
  meetingId: z.string().nullable(),
  willJoin: z.boolean(),
  reason: z.string().describe('Why a bot joins or does not'),
})

export const listUpcomingTool = defineTool({
  name: 'list_upcoming',
  title: 'List upcoming meetings',
  description:
    'Lists the meetings of the next two weeks by start: those of the calendars, each with the reason why a bot joins or does not, and scheduled ones.',
  operations: ['upcoming.list'],
  input: z.object({
    from: z.string().optional().describe('Only meetings that end after this time (ISO 8601)'),
    to: z.string().optional().describe('Only meetings that start before this time'),
    cursor,
  }),
  output: z.object({ upcoming: z.array(Upcoming), nextCursor: z.string().nullable() }),
  async run(client, input) {
    const { upcoming, nextCursor } = await client.upcoming.list(omitUndefined(input))
    return { upcoming: upcoming.map(toToolUpcoming), nextCursor }
  },
})

const statementFields = {
  text: z.string(),
  meetingId: z.string(),
  segmentNumbers: z.array(z.int()).describe('The segments it comes from'),
}
const BriefStatement = z.object({ ...statementFields, speaker: z.string().nullable() })

export const getBriefTool = defineTool({
  name: 'get_brief',
  title: 'Read the brief of an upcoming meeting',
  description:
    'What to know before an upcoming meeting: earlier meetings of the series and with the same people, what was decided, what is still open and whose, and related documents.',
  operations: ['upcoming.brief'],
  input: z.object({ upcomingId: z.string().min(1).max(100).describe('From list_upcoming') }),
  output: z.object({
    title: z.string(),
    startsAt: z.string(),
    people: z.array(z.object({ name: z.string().nullable(), address: z.string() })),
    meetings: z.array(
      z.object({
        meetingId: z.string(),
        title: z.string(),
        project: z.string(),
        startedAt: z.string(),
        relation: z.string().describe('series or people'),
        gist: z.string().nullable(),
      }),
    ),
    decisions: z.array(BriefStatement),
    actions: z.array(
      z.object({
        ...statementFields,
        owner: z.string().nullable(),
        dueDate: z.string().nullable(),
      }),
    ),
    openQuestions: z.array(BriefStatement),
    documents: z.array(z.object({ project: z.string(), path: z.string(), title: z.string() })),
  }),
  async run(client, { upcomingId }) {
    return client.upcoming.brief(upcomingId)
  },
})

export const setAttendanceTool = defineTool({
  name: 'set_attendance',
  title: 'Join or skip an upcoming meeting',
  description:
    'Decides whether a bot joins one upcoming meeting: join, skip (which also stops a bot that is already there), or leave the decision to the rules of its calendar.',
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  scope: 'meetings',
  operations: ['upcoming.update'],
  input: z.object({
    upcomingId: z.string().min(1).max(100).describe('From list_upcoming'),
    attendance: z.enum(['join', 'skip', 'rules']),
  }),
  output: Upcoming,
  async run(client, { upcomingId, attendance }) {
    const attend = attendance === 'rules' ? null : attendance === 'join'
    const { upcoming } = await client.upcoming.update(upcomingId, { attend })
    return toToolUpcoming(upcoming)
  },
})

function toToolUpcoming({ id: upcomingId, reasonText: reason, ...meeting }: UpcomingMeeting) {
  return { ...meeting, upcomingId, reason }
}
