import { z } from 'zod'
import { INSIGHT_CATEGORIES, INSIGHT_ENGINES, INSIGHT_SEVERITIES } from '../coach/coach.ts'
import {
  INCOMPLETE_DESCRIPTION,
  SEGMENT_SOURCE_DESCRIPTION,
  SEGMENT_SOURCES,
} from './captions/segment-sources.ts'
import { OFFICIAL_MODES } from './official/choose-lines.ts'
import { GAP_CAUSE_DESCRIPTION, GAP_TEXT_DESCRIPTION } from './transcript/gap-causes.ts'
import { ANNOUNCED_STATUSES, isFinalStatus, MEETING_STATUSES, END_REASONS } from './status.ts'

const ANNOUNCED_ACTION_STATES = ['open', 'done', 'deleted'] as const
const ANNOUNCED_DECISION_STATES = ['recorded', 'deleted'] as const
const ONLY_IF_LISTED = '; only sent when `events` of the start request lists it'

const instant = z.iso.datetime({ precision: 3 }).describe('ISO 8601 UTC with milliseconds')
const speechFields = { speaker: z.string(), text: z.string(), timestamp: instant }
const gaps = z
  .array(
    z.object({
      cause: z.string().describe(GAP_CAUSE_DESCRIPTION),
      startedAt: instant,
      endedAt: instant,
      afterSegmentNumber: z.int().min(0).describe('The last segment before the gap; 0 for none'),
      text: z
        .string()
        .optional()
        .describe(`${GAP_TEXT_DESCRIPTION}; absent in events of earlier versions`),
    }),
  )
  .optional()
  .describe(
    'Times since the previous segment in which nothing was recorded; absent when there are none',
  )
const participantFields = {
  participantId: z.string(),
  name: z.string().meta({ examples: ['Ada'] }),
  participantCount: z.int().min(0).describe('Participants after this event, without the bot'),
  timestamp: instant,
}

const recapItemFields = {
  project: z.string(),
  meetingTitle: z.string(),
  segmentNumbers: z.array(z.int().min(1)).describe('The segments in which it was said'),
  url: z.string().describe('Link to the meeting in the console'),
  timestamp: instant,
}
const actionFields = {
  text: z.string(),
  owner: z.string().nullable().describe('Who does it; null if nobody was named'),
  dueDate: z.string().nullable().describe('The due date, as `2026-11-18`; null without one'),
}
const actionState = z
  .enum(ANNOUNCED_ACTION_STATES)
  .describe('`deleted` too if a new recap does not have it')

/**
 * Every event that a callback URL can receive. An event with `isStored` is stored in the transaction of the change it
 * reports, and delivered at least once. Other events are sent live and never stored.
 */
export const EVENTS = {
  meeting_status: {
    isStored: true,
    about: 'The status of the meeting changed',
    payload: z.object({
      status: z.enum(ANNOUNCED_STATUSES as [string, ...string[]]),
      previousStatus: z.string().nullable().describe('null for the first status'),
      reason: z.enum(END_REASONS).optional().describe('Why the meeting is ending, ended or failed'),
      detail: z.string().optional().describe('Explanation of the reason for people'),
      gaps,
    }),
  },
  caption_partial: {
    isStored: false,
    about:
      'Live caption that still changes, high frequency, for display; the newest replaces earlier ones',
    payload: z.object({ captionId: z.string(), ...speechFields }),
  },
  segment_finalized: {
    isStored: true,
    about: 'Clean, final transcript segment: the one to store',
    payload: z.object({
      ...speechFields,
      segmentNumber: z.int().min(1).describe('From 1, consecutive'),
      captionId: z.string(),
      source: z
        .enum(SEGMENT_SOURCES)
        .optional()
        .describe(`${SEGMENT_SOURCE_DESCRIPTION}; absent in events of earlier versions`),
      incomplete: z.boolean().optional().describe(INCOMPLETE_DESCRIPTION),
      gaps,
    }),
  },
  coach_insight: {
    isStored: true,
    about: 'Coaching insight with a category and the segments it is based on',
    payload: z.object({
      insightId: z.string(),
      category: z.enum(INSIGHT_CATEGORIES),
      severity: z.enum(INSIGHT_SEVERITIES),
      title: z.string(),
      text: z.string(),
      speaker: z
        .string()
        .nullable()
        .describe('The speaker the insight is about; null for all participants'),
      engine: z
        .enum(INSIGHT_ENGINES)
        .describe('`rules`: counting and patterns; `llm`: a language model'),
      segmentNumbers: z.array(z.int().min(1)).describe('The segments the insight is based on'),
      timestamp: instant,
    }),
  },
  participant_joined: {
    isStored: true,
    about: 'Someone joined the meeting',
    payload: z.object(participantFields),
  },
  participant_left: {
    isStored: true,
    about: 'Someone left the meeting',
    payload: z.object(participantFields),
  },
  document_saved: {
    isStored: true,
    about: 'The transcript document was flushed to disk',
    payload: z.object({
      documentPath: z.string(),
      segmentsWritten: z.int().min(0).describe('Segments written with this flush'),
      totalSegments: z.int().min(0).describe('Segments in the document'),
    }),
  },
  brief_ready: {
    isStored: true,
    about: `A scheduled meeting begins and something is known about earlier ones${ONLY_IF_LISTED}`,
    payload: z.object({
      briefPath: z
        .string()
        .meta({ examples: ['/api/v1/upcoming/meeting_1763195400000_k3v9x0q2m4za/brief'] })
        .describe('The path of the brief in the API, which has what its reader may read'),
      startsAt: instant.describe('When the bot joins'),
      meetingCount: z
        .int()
        .min(1)
        .describe('Earlier meetings of the series and with the same people'),
      decisionCount: z.int().min(0),
      actionCount: z.int().min(0).describe('Action items that are still open'),
      openQuestionCount: z.int().min(0),
      timestamp: instant,
    }),
  },
  transcript_changed: {
    isStored: true,
    about: `The lines of the ended meeting changed, because its official transcript arrived or is used differently${ONLY_IF_LISTED}`,
    payload: z.object({
      officialTranscript: z
        .enum(OFFICIAL_MODES)
        .describe(
          '`keep`: only lines of the bot; `fill`: official lines where nothing was recorded; `replace`: official lines for the time that the official transcript covers',
        ),
      segmentCount: z.int().min(0).describe('Lines in the transcript now'),
      timestamp: instant,
    }),
  },
  recap_ready: {
    isStored: true,
    about: `The recap of the ended meeting was made${ONLY_IF_LISTED}`,
    payload: z.object({
      version: z.int().min(1).describe('Grows with every change of the recap'),
      method: z.enum(['rules', 'model']).describe('`rules`: without a language model'),
      model: z.string().nullable().describe('The language model; null for rules'),
      error: z
        .string()
        .nullable()
        .describe(
          'Why the recap is by rules although a language model is configured, or that the model wrote in another language than it was asked to; else null',
        ),
      summary: z.array(z.string()).describe('The sentences of the summary'),
      decisionCount: z.int().min(0),
      actionCount: z.int().min(0),
      openQuestionCount: z.int().min(0),
      timestamp: instant,
    }),
  },
  decision_recorded: {
    isStored: true,
    about: `A decision is in the recap for the first time, changed or was deleted${ONLY_IF_LISTED}`,
    payload: z.object({
      decisionId: z.string().describe('Stays the same for the same decision'),
      text: z.string(),
      speaker: z.string().nullable(),
      state: z.enum(ANNOUNCED_DECISION_STATES),
      previous: z
        .object({
          text: z.string().optional(),
          speaker: z.string().nullable().optional(),
          state: z.enum(ANNOUNCED_DECISION_STATES).optional(),
        })
        .nullable()
        .describe('Fields that changed, with their earlier values; null the first time'),
      ...recapItemFields,
    }),
  },
  action_created: {
    isStored: true,
    about: `An action item is in the recap for the first time${ONLY_IF_LISTED}`,
    payload: z.object({
      actionId: z.string().describe('Stays the same for the same action item'),
      ...actionFields,
      state: actionState,
      ...recapItemFields,
    }),
  },
  action_changed: {
    isStored: true,
    about: `An action item changed, was done or was deleted${ONLY_IF_LISTED}`,
    payload: z.object({
      actionId: z.string().describe('Stays the same for the same action item'),
      ...actionFields,
      state: actionState,
      previous: z
        .object({
          text: actionFields.text.optional(),
          owner: actionFields.owner.optional(),
          dueDate: actionFields.dueDate.optional(),
          state: actionState.optional(),
        })
        .describe('Fields that changed, with their earlier values'),
      ...recapItemFields,
    }),
  },
} as const satisfies Record<string, { isStored: boolean; about: string; payload: z.ZodObject }>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
export type EventPayload<T extends EventType> = z.infer<(typeof EVENTS)[T]['payload']>

export type EventContent = { [T in EventType]: { type: T; payload: EventPayload<T> } }[EventType]

/** The JSON text of an event. It is created once, then stored, signed and sent unchanged. */
export function formatEventBody(
  meetingId: string,
  sequence: number,
  at: Date,
  { type, payload }: EventContent,
): string {
  return JSON.stringify({ type, meetingId, sequence, timestamp: at.toISOString(), payload })
}

const LAST_STATUSES: ReadonlySet<string> = new Set(MEETING_STATUSES.filter(isFinalStatus))

/** True if the event reports a final status. Only events about the recap and the lines may follow it. */
export function isLastEvent({ type, body }: { type: string; body: string }): boolean {
  if (type !== 'meeting_status') return false
  const { payload } = JSON.parse(body) as { payload: { status: string } }
  return LAST_STATUSES.has(payload.status)
}
