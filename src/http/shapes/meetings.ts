import { z } from 'zod'
import { REMOVAL_COUNT_NAMES } from '../../meetings/removal.ts'
import { isProjectId, PROJECT_ID_RULE_TEXT } from '../../projects/files/file-names.ts'
import { parseListenerName } from '../../deliveries/listeners/listeners.ts'
import { Instant, RequestWarnings } from './common.ts'
import {
  createLimitParameterSchema,
  createIntegerParameterSchema,
  PAGE_SIZE_DESCRIPTION,
} from './query-parameters.ts'
import {
  DELIVERY_STATES,
  END_REASONS,
  EVENT_TYPES,
  MEETING_STATUSES,
  PLATFORM_NAMES,
  TRANSCRIPT_FORMATS,
  type MeetingStatus,
} from './values.ts'

const seconds = z.int().min(1).max(604_800)
const status = z.enum(MEETING_STATUSES as [MeetingStatus, ...MeetingStatus[]])

export const CallbackUrl = z
  .string()
  .max(2_048)
  .refine(
    isCallbackUrl,
    'Must be an http or https URL without user name and password, or listen:NAME',
  )

export const StartMeetingBody = z.object({
  url: z.string().min(1).max(8_192).describe('Meeting URL on a supported platform'),
  title: z.string().trim().min(1).max(200).optional().describe('Label for the meeting'),
  callbackUrl: CallbackUrl.describe('URL that receives the events'),
  project: z
    .string()
    .refine(isProjectId, PROJECT_ID_RULE_TEXT)
    .optional()
    .describe('Project to save the transcript into; default api'),
  saveTranscript: z.boolean().optional().describe('Save a transcript document; default true'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag such as en-US')
    .optional(),
  botName: z.string().trim().min(1).max(100).optional(),
  account: z.string().min(1).max(100).optional(),
  coach: z.boolean().optional(),
  events: z.array(z.enum(EVENT_TYPES)).optional(),
  leave: z
    .object({
      lobbyTimeout: seconds.optional(),
      hostTimeout: seconds.optional(),
      nobodyJoined: seconds.optional(),
      everyoneLeft: seconds.optional(),
      silence: seconds.nullable().optional(),
      maxDuration: seconds.optional(),
    })
    .optional(),
})

/**
 * A meeting that a user starts in the console needs no callback URL. With one, `tokenId` names the token whose secret
 * signs the callbacks.
 */
export const ConsoleStartMeetingBody = StartMeetingBody.extend({
  callbackUrl: CallbackUrl.optional(),
  tokenId: z.string().min(1).max(100).optional(),
})

export const CheckMeetingLinkBody = StartMeetingBody.pick({ url: true })
export const CheckMeetingLinkResponse = z.object({
  platform: z.enum(PLATFORM_NAMES),
  label: z.string(),
  others: z.array(z.string()).describe('Active meetings with the same link'),
  warnings: RequestWarnings,
})

export const StartMeetingResponse = z.object({
  meetingId: z.string(),
  status,
  platform: z.enum(PLATFORM_NAMES),
  project: z.string(),
  documentPath: z.string().nullable(),
  warnings: RequestWarnings,
})

export const StopMeetingBody = z.object({ meetingId: z.string().min(1).max(100) })
export const StopMeetingResponse = z.object({
  meetingId: z.string(),
  status,
  warnings: RequestWarnings,
})

export const ActiveMeeting = z
  .object({
    meetingId: z.string(),
    status,
    platform: z.enum(PLATFORM_NAMES),
    title: z.string(),
    startedAt: Instant,
    participantCount: z.int(),
    segmentCount: z.int(),
    project: z.string(),
    documentPath: z.string().nullable(),
  })
  .meta({ id: 'Meeting' })

export const DeliveryHealth = z
  .object({
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting`: callbacks of other meetings to the same address, signed with the same token, fail, so these wait until one succeeds',
      ),
    pending: z.int().describe('Events that are not delivered yet'),
    oldestPendingAgeMs: z.int().nullable(),
    delivered: z.int(),
    failed: z.int().describe('Events that are no longer retried'),
    lastError: z.string().nullable(),
    nextAttemptAt: Instant.nullable(),
  })
  .meta({ id: 'DeliveryHealth' })

export const ActiveMeetingsResponse = z.object({
  meetings: z.array(
    ActiveMeeting.extend({ delivery: DeliveryHealth.nullable() }).meta({ id: 'MeetingStatus' }),
  ),
})

/** A meeting with the fields that are known after it ended. */
export const PastMeeting = ActiveMeeting.extend({
  reason: z.enum(END_REASONS).nullable(),
  detail: z.string().nullable(),
  liveAt: Instant.nullable(),
  endedAt: Instant.nullable(),
}).meta({ id: 'PastMeeting' })

/** One meeting with everything but its transcript. */
export const MeetingResponse = z.object({
  meeting: PastMeeting.extend({
    delivery: DeliveryHealth.nullable(),
    botName: z.string(),
    language: z.string().nullable(),
    visits: z.int().describe('How many times a bot tried to join'),
    statuses: z
      .array(
        z.object({
          status: z.string(),
          at: Instant,
          reason: z.string().nullable(),
          detail: z.string().nullable(),
        }),
      )
      .describe('Every status change, oldest first'),
    participants: z.array(
      z.object({
        participantId: z.string(),
        name: z.string(),
        isHost: z.boolean(),
        joinedAt: Instant,
        leftAt: Instant.nullable(),
      }),
    ),
    talkTime: z
      .array(
        z.object({
          speaker: z.string(),
          segments: z.int(),
          words: z.int(),
          seconds: z
            .int()
            .describe('Estimated from when segments start, because captions have no durations'),
          share: z.number().describe('Share of all words, from 0 to 1'),
        }),
      )
      .describe('Speakers with the most words first'),
    insights: z.array(
      z.object({
        insightId: z.string(),
        category: z.string(),
        severity: z.string(),
        title: z.string(),
        text: z.string(),
        speaker: z.string().nullable(),
        engine: z.string(),
        segmentNumbers: z.array(z.int()),
        timestamp: Instant,
      }),
    ),
    warnings: z
      .array(
        z.object({
          code: z.enum(['page_drift', 'unidentified']),
          subject: z.string(),
          text: z.string(),
          at: Instant,
        }),
      )
      .describe(
        'Problems that did not stop the bot but may need attention; the newest for each subject',
      ),
    evidenceCount: z.int().describe('How many pieces of evidence …/evidence lists'),
  }).meta({ id: 'MeetingDetail' }),
})

export const Segment = z
  .object({
    speaker: z.string(),
    text: z.string(),
    timestamp: Instant,
    segmentNumber: z.int(),
  })
  .meta({ id: 'Segment' })

export const TranscriptResponse = z.object({
  meetingId: z.string(),
  status,
  project: z.string(),
  documentPath: z.string().nullable(),
  segments: z.array(Segment),
  title: z.string(),
  platform: z.enum(PLATFORM_NAMES),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  participants: z.array(z.string()),
})

export const MeetingParams = z.object({ meetingId: z.string().min(1).max(100) })

const RemovedCounts = z
  .object(
    Object.fromEntries(REMOVAL_COUNT_NAMES.map((name) => [name, z.int()])) as Record<
      (typeof REMOVAL_COUNT_NAMES)[number],
      z.ZodInt
    >,
  )
  .meta({ id: 'RemovedCounts' })

export const RemoveMeetingResponse = z.object({
  success: z.literal(true),
  meetingId: z.string(),
  removed: RemovedCounts.describe('How much stored data of the meeting was deleted'),
})

export const RemovalsQuery = z.object({
  limit: createLimitParameterSchema().optional().describe(PAGE_SIZE_DESCRIPTION),
  cursor: z.string().min(1).max(300).optional().describe('nextCursor of the previous page'),
})
export const RemovalsResponse = z.object({
  removals: z.array(
    z.object({
      meetingId: z.string(),
      at: Instant,
      removedBy: z.string().describe('Id of the token or user, or retention'),
      removed: RemovedCounts,
    }),
  ),
  nextCursor: z.string().nullable(),
})

export const MeetingHistoryQuery = z.object({
  project: z.string().min(1).max(64).optional(),
  status: status.optional(),
  platform: z.enum(PLATFORM_NAMES).optional(),
  q: z.string().min(1).max(200).optional().describe('Part of the title'),
  limit: createLimitParameterSchema().optional().describe(PAGE_SIZE_DESCRIPTION),
  cursor: z.string().min(1).max(300).optional().describe('nextCursor of the previous page'),
})
export const MeetingHistoryResponse = z.object({
  meetings: z.array(PastMeeting),
  nextCursor: z.string().nullable(),
})

export const TranscriptQuery = z.object({
  format: z.enum(TRANSCRIPT_FORMATS).optional(),
  after: createIntegerParameterSchema('after').optional(),
  limit: createLimitParameterSchema()
    .optional()
    .describe('Maximum number of segments after `after`; default all'),
})

function isCallbackUrl(text: string): boolean {
  if (parseListenerName(text) !== null) return true
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  return url.username === '' && url.password === ''
}

/** Each `Wire…` type is the JSON form of a response or of a part of one, with times as text. The console uses them. */
export type WirePastMeeting = z.input<typeof PastMeeting>
export type WireActiveMeeting = z.input<typeof ActiveMeetingsResponse>['meetings'][number]
export type WireMeetingDetail = z.input<typeof MeetingResponse>['meeting']
export type WireDeliveryHealth = z.input<typeof DeliveryHealth>
export type WireSegment = z.input<typeof Segment>
export type WireTranscript = z.input<typeof TranscriptResponse>
export type WireMeetingHistory = z.input<typeof MeetingHistoryResponse>
export type WireMeetingLinkCheck = z.input<typeof CheckMeetingLinkResponse>
export type WireStartedMeeting = z.input<typeof StartMeetingResponse>
export type WireInsight = WireMeetingDetail['insights'][number]
export type { EventPayload } from '../../meetings/event-types.ts'
export type { EndReason, EventType, MeetingStatus, PlatformName } from './values.ts'
