import { z } from 'zod'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { cursor, nextCursor, pageSize, defineTool } from '../define-tool.ts'

const joinAt = z.string().max(40).describe('ISO 8601 with an offset')
const meetingId = z.string().describe('Such as meeting_1763200000000_abc123def456')

/** Schema of a meeting without its transcript, as the tools return it to the assistant. */
const Meeting = z.object({
  meetingId: z.string(),
  title: z.string(),
  status: z.string(),
  platform: z.string(),
  project: z.string(),
  startedAt: z.string(),
  joinAt: z.string().nullable().describe('When the bot of a scheduled meeting joins'),
  endedAt: z.string().nullable(),
  reason: z.string().nullable().describe('Why it ended'),
  participantCount: z.int(),
  segmentCount: z.int().describe('Length of the transcript in segments'),
  documentPath: z.string().nullable(),
})

export const listMeetingsTool = defineTool({
  name: 'list_meetings',
  title: 'List meetings',
  description:
    'Lists active and ended meetings, newest first; scheduled ones only with status scheduled. Read their transcripts with read_transcript.',
  operations: ['meetings.list'],
  input: z.object({
    text: z.string().min(1).max(200).optional().describe('Part of the title'),
    project: z.string().min(1).optional(),
    status: z
      .enum([
        'scheduled',
        'awaiting_transcript',
        'joining',
        'lobby',
        'live',
        'stopping',
        'leaving',
        'ended',
        'error',
      ])
      .optional(),
    limit: pageSize(50, 20),
    cursor,
  }),
  output: z.object({ meetings: z.array(Meeting), nextCursor }),
  async run(client, { text, limit: size = 20, ...filter }) {
    const begun = filter.status === undefined ? ('true' as const) : undefined
    const query = omitUndefined({ q: text, limit: size, begun, ...filter })
    return client.meetings.list(query)
  },
})

export const getMeetingTool = defineTool({
  name: 'get_meeting',
  title: 'Get a meeting',
  description: 'Gets one meeting with its participants, talk time, insights and why it ended.',
  operations: ['meetings.get'],
  input: z.object({ meetingId }),
  output: z.object({
    meeting: Meeting,
    participants: z.array(z.string()),
    talkTime: z.array(z.object({ speaker: z.string(), words: z.int(), share: z.number() })),
    insights: z.array(
      z.object({
        category: z.string(),
        title: z.string(),
        text: z.string(),
        speaker: z.string().nullable(),
        segmentNumbers: z.array(z.int()),
      }),
    ),
  }),
  async run(client, { meetingId: id }) {
    const { meeting } = await client.meetings.get(id)
    const { talkTime, insights } = meeting
    const participants = [...new Set(meeting.participants.map(({ name }) => name))]
    return { meeting, participants, talkTime, insights }
  },
})

export const listReceiversTool = defineTool({
  name: 'list_receivers',
  title: 'List receivers of callbacks',
  description:
    'Lists the receivers with callbacks to deliver, those that fail first, with the reason. Use it to find out why a program gets no events.',
  operations: ['deliveries.receivers'],
  input: z.object({}),
  output: z.object({
    receivers: z.array(
      z.object({
        url: z.string(),
        tokenName: z.string().nullable().describe('The token whose secret signs'),
        problem: z.string().nullable().describe('Why callbacks fail; null while none do'),
        failingSince: z.string().nullable(),
        pending: z.int().describe('Events that wait'),
        meetings: z.array(z.object({ meetingId: z.string(), title: z.string() })),
      }),
    ),
  }),
  async run(client) {
    const { receivers } = await client.deliveries.receivers()
    return {
      receivers: receivers.map(({ problem, ...receiver }) => ({
        ...receiver,
        problem: problem === null ? null : `${problem.label}: ${problem.hint}`,
      })),
    }
  },
})

export const readTranscriptTool = defineTool({
  name: 'read_transcript',
  title: 'Read a transcript',
  description:
    'Reads a transcript page by page, also during the meeting. For the next page pass nextAfter as after, until it is null.',
  operations: ['meetings.transcript'],
  input: z.object({
    meetingId,
    after: z.int().min(0).optional().describe('Number of the last segment you have read'),
    limit: pageSize(500, 100),
  }),
  output: z.object({
    meetingId: z.string(),
    title: z.string(),
    status: z.string(),
    segments: z.array(
      z.object({ number: z.int(), speaker: z.string(), timestamp: z.string(), text: z.string() }),
    ),
    gaps: z
      .array(
        z.object({
          cause: z.string(),
          startedAt: z.string(),
          endedAt: z.string().nullable(),
          afterSegmentNumber: z.int(),
          text: z.string(),
        }),
      )
      .describe('Times in which nothing was recorded'),
    nextAfter: z.int().nullable(),
  }),
  async run(client, { meetingId: id, after = 0, limit: size = 100 }) {
    // Requests one segment more than the page has, to learn whether there is another page.
    const transcript = await client.meetings.transcript(id, { after, limit: size + 1 })
    const page = transcript.segments.slice(0, size)
    const lastNumber = page.at(-1)?.segmentNumber ?? 0
    const segments = page
      // A page is ordered by number. After the meeting, people read it by start time.
      .toSorted((a, b) =>
        transcript.endedAt === null ? 0 : Date.parse(a.timestamp) - Date.parse(b.timestamp),
      )
      .map(({ segmentNumber: number, ...segment }) => ({ number, ...segment }))
    const hasMore = transcript.segments.length > size
    const { title, status } = transcript
    const nextAfter = hasMore ? lastNumber : null
    const gaps = transcript.gaps.filter((gap) => !hasMore || gap.afterSegmentNumber < lastNumber)
    return { meetingId: id, title, status, segments, gaps, nextAfter }
  },
  show({ title, segments, gaps, nextAfter }) {
    const waiting = [...gaps]
    const gapLinesBefore = (number: number) => {
      const count = waiting.filter(({ afterSegmentNumber }) => afterSegmentNumber < number).length
      return waiting.splice(0, count).map(({ text }) => `(${text})`)
    }
    const lines = segments.flatMap(({ number, speaker, timestamp, text }) => [
      ...gapLinesBefore(number),
      `[${number}] ${timestamp} ${speaker}: ${text}`,
    ])
    lines.push(...gapLinesBefore(Infinity))
    const more = nextAfter === null ? [] : [`(more segments: after ${nextAfter})`]
    return [`# ${title}`, ...lines, ...more].join('\n')
  },
})

export const startMeetingTool = defineTool({
  name: 'start_meeting',
  title: 'Send a bot to a meeting',
  description:
    'Joins a Google Meet or Microsoft Teams meeting by its link, now or at joinAt, and transcribes it. All participants see the bot, so ask the user first. practice://standup is a simulated meeting for trying it out.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  scope: 'meetings',
  operations: ['meetings.start'],
  input: z.object({
    url: z.string().min(1).max(8_192).describe('The meeting link'),
    title: z.string().min(1).max(200).optional(),
    project: z.string().min(1).max(64).optional().describe('Project to save the transcript in'),
    language: z.string().optional().describe('Language of the captions, such as en-US'),
    recapLanguage: z.string().optional().describe('Language of the recap, such as de'),
    speech: z
      .enum(['off', 'fallback', 'always'])
      .optional()
      .describe(
        'When the bot recognizes speech itself; default fallback: where captions are missing',
      ),
    callbackUrl: z
      .string()
      .max(2_048)
      .optional()
      .describe('URL that receives the events of the meeting'),
    joinAt: joinAt
      .optional()
      .describe('When the bot joins, such as 2026-11-20T09:00:00+01:00; default now'),
  }),
  output: z.object({
    meetingId: z.string(),
    status: z.string(),
    platform: z.string(),
    project: z.string(),
    documentPath: z.string().nullable(),
    joinAt: z.string().nullable(),
  }),
  async run(client, { callbackUrl, ...rest }) {
    // Without a callback URL the service sends no events. The assistant reads the meeting with the tools.
    const callback =
      callbackUrl === undefined ? { callbackUrl: 'listen:assistant', events: [] } : { callbackUrl }
    return client.meetings.start(omitUndefined({ ...rest, ...callback }))
  },
})

export const rescheduleMeetingTool = defineTool({
  name: 'reschedule_meeting',
  title: 'Change when a bot joins',
  description: 'Changes the time at which the bot of a scheduled meeting joins, until it begins.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  scope: 'meetings',
  operations: ['meetings.update'],
  input: z.object({ meetingId, joinAt }),
  output: z.object({ meetingId: z.string(), status: z.string(), joinAt: z.string().nullable() }),
  async run(client, { meetingId: id, joinAt: at }) {
    const { status, joinAt: changed } = await client.meetings.update(id, { joinAt: at })
    return { meetingId: id, status, joinAt: changed }
  },
})

export const renameMeetingTool = defineTool({
  name: 'rename_meeting',
  title: 'Rename a meeting',
  description:
    'Changes the title of a meeting, also in its document and in the search. People see who changed it, and can undo it.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  scope: 'meetings',
  operations: ['meetings.update'],
  input: z.object({ meetingId, title: z.string().min(1).max(200).describe('The new title') }),
  output: z.object({ meetingId: z.string(), title: z.string() }),
  async run(client, { meetingId: id, title }) {
    const changed = await client.meetings.update(id, { title })
    return { meetingId: id, title: changed.title }
  },
})

export const importTranscriptTool = defineTool({
  name: 'import_transcript',
  title: 'Import a transcript',
  description:
    'Stores a transcript that another product wrote as an ended meeting, so that it can be searched and gets a recap. Pass the text of the file unchanged; WebVTT, SubRip, JSON and plain text are recognised. Over HTTP a call can have up to 4 MiB; import larger files with `hansard import`.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  scope: 'meetings',
  operations: ['meetings.import'],
  input: z.object({
    content: z.string().min(1).describe('The text of the transcript file'),
    fileName: z.string().min(1).max(300).optional().describe('The name of the file'),
    title: z.string().min(1).max(200).optional(),
    project: z.string().min(1).max(64).optional().describe('Project to save the transcript in'),
    startedAt: z
      .string()
      .optional()
      .describe('When the meeting started, if the file does not say it: 2026-11-15T08:30:00Z'),
    timeZone: z.string().optional().describe('Time zone of dates in the file: Europe/Berlin'),
  }),
  output: z.object({
    meetingId: z.string(),
    status: z.string(),
    platform: z.string(),
    project: z.string(),
    documentPath: z.string().nullable(),
    segmentCount: z.int(),
    format: z.string(),
    warnings: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
  async run(client, input) {
    const { warnings = [], ...imported } = await client.meetings.import(omitUndefined(input))
    return { ...imported, warnings }
  },
})

export const stopMeetingTool = defineTool({
  name: 'stop_meeting',
  title: 'Leave a meeting',
  description:
    'Makes the bot leave a meeting, or not join one that is scheduled. The transcript stays available.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  scope: 'meetings',
  operations: ['meetings.stop'],
  input: z.object({ meetingId }),
  output: z.object({ meetingId: z.string(), status: z.string() }),
  async run(client, { meetingId: id }) {
    const { status } = await client.meetings.stop({ meetingId: id })
    return { meetingId: id, status }
  },
})
