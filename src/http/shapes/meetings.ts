import { z } from 'zod'
import { WARNING_CODES } from '../../meetings/record/warning-codes.ts'
import { REMOVAL_COUNT_NAMES } from '../../meetings/removal.ts'
import { isProjectId, PROJECT_ID_RULE_TEXT } from '../../projects/files/file-names.ts'
import { parseListenerName } from '../../deliveries/listeners/listeners.ts'
import { GAP_CAUSE_DESCRIPTION } from '../../meetings/transcript/gap-causes.ts'
import {
  Count,
  DocumentPath,
  Instant,
  MeetingId,
  NextCursor,
  Ordinal,
  RequestWarnings,
} from './common.ts'
import { ChatOptionsInput } from './chat.ts'
import {
  createCursorParameterSchema,
  createIntegerParameterSchema,
  createLimitParameterSchema,
  PageSizeParameter,
} from './query-parameters.ts'
import {
  DELIVERY_STATES,
  END_REASONS,
  EVENT_TYPES,
  MEETING_STATUSES,
  PLATFORM_NAMES,
  TEXT_TRANSCRIPT_FORMATS,
  TRANSCRIPT_FORMATS,
  type MeetingStatus,
} from './values.ts'

const documentPath = DocumentPath.nullable().describe('Null when no document is saved')
const seconds = z.int().min(1).max(604_800)
const status = z.enum(MEETING_STATUSES as [MeetingStatus, ...MeetingStatus[]])

/** The form of a project id, without character classes that some validators do not know; the check is stricter. */
const PROJECT_ID_FORM = String.raw`^[^\s._/\\-](?:[^/\\]*[^\s._/\\-])?$`
/** The form of a callback URL; the check below is stricter. */
const CALLBACK_URL_PATTERN = '^(?:[hH][tT][tT][pP][sS]?:|listen:)'

/** The id of a meeting in requests. An id that does not exist gets 404, whatever its form. */
export const MeetingIdInput = z.string().min(1).max(100)

export const CallbackUrl = z
  .string()
  .max(2_048)
  .refine(
    isCallbackUrl,
    'Must be an http or https URL without user name and password, or listen:NAME',
  )
  .meta({ pattern: CALLBACK_URL_PATTERN })

const startFields = {
  url: z.string().min(1).max(8_192).describe('Meeting URL on a supported platform'),
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ pattern: '\\S' })
    .optional()
    .describe('Label for the meeting'),
  callbackUrl: CallbackUrl.describe('URL that receives the events'),
  project: z
    .string()
    .refine(isProjectId, PROJECT_ID_RULE_TEXT)
    .meta({ pattern: PROJECT_ID_FORM, maxLength: 64, default: 'api' })
    .optional()
    .describe(
      'Project to save the transcript into; letters, digits, spaces, dots, hyphens and underscores',
    ),
  saveTranscript: z
    .boolean()
    .meta({ default: true })
    .optional()
    .describe('Save a transcript document in the project'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag such as en-US')
    .optional()
    .describe('Language of the captions; default that of the platform'),
  botName: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ pattern: '\\S' })
    .optional()
    .describe('The name the bot joins with; default the setting HANSARD_BOT_NAME'),
  account: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Name of the bot account to join with; without it the bot joins as a guest'),
  coach: z.boolean().meta({ default: true }).optional().describe('Report coaching insights'),
  events: z
    .array(z.enum(EVENT_TYPES))
    .optional()
    .describe('Event types to send to the callback URL; default all'),
  leave: z
    .object({
      lobbyTimeout: seconds.optional().describe('Seconds in the lobby'),
      hostTimeout: seconds.optional().describe('Seconds until the meeting starts'),
      nobodyJoined: seconds.optional().describe('Seconds while no one else joins'),
      everyoneLeft: seconds.optional().describe('Seconds after everyone else has left'),
      silence: seconds.nullable().optional().describe('Seconds without any speech; null: never'),
      maxDuration: seconds.optional().describe('Seconds in the meeting altogether'),
    })
    .optional()
    .describe('After how many seconds the bot leaves; defaults are the settings HANSARD_LEAVE_…'),
  chat: ChatOptionsInput.optional().describe('What the bot does with the meeting chat'),
}

export const StartMeetingBody = z.object(startFields).meta({
  examples: [
    {
      url: 'https://meet.google.com/abc-defg-hij',
      title: 'Planning',
      callbackUrl: 'https://example.com/callbacks',
    },
    { url: 'practice://standup?speed=10', callbackUrl: 'listen:laptop', saveTranscript: false },
  ],
})

/**
 * A meeting that a user starts in the console needs no callback URL. With one, `tokenId` names the token whose secret
 * signs the callbacks.
 */
export const ConsoleStartMeetingBody = z.object({
  ...startFields,
  callbackUrl: CallbackUrl.optional(),
  tokenId: z.string().min(1).max(100).optional(),
})

export const CheckMeetingLinkBody = z.object({ url: startFields.url })
export const CheckMeetingLinkResponse = z.object({
  platform: z.enum(PLATFORM_NAMES),
  label: z.string(),
  others: z.array(z.string()).describe('Active meetings with the same link'),
  warnings: RequestWarnings,
})

export const StartMeetingResponse = z.object({
  meetingId: MeetingId,
  status,
  platform: z.enum(PLATFORM_NAMES),
  project: z.string(),
  documentPath,
  warnings: RequestWarnings,
})

export const StopMeetingBody = z
  .object({ meetingId: MeetingIdInput.describe('The id that start returned') })
  .meta({ examples: [{ meetingId: 'meeting_1763195400000_k3v9x0q2m4za' }] })
export const StopMeetingResponse = z.object({
  meetingId: MeetingId,
  status,
  warnings: RequestWarnings,
})

export const ActiveMeeting = z
  .object({
    meetingId: MeetingId,
    status,
    platform: z.enum(PLATFORM_NAMES),
    title: z.string(),
    startedAt: Instant,
    participantCount: Count.describe('Participants that are present, without the bot'),
    segmentCount: Count.describe('Final segments'),
    project: z.string(),
    documentPath,
  })
  .meta({ id: 'Meeting' })

export const DeliveryHealth = z
  .object({
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting`: callbacks of other meetings to the same address, signed with the same token, fail, so these wait until one succeeds',
      ),
    pending: Count.describe('Events that are not delivered yet'),
    oldestPendingAgeMs: Count.nullable().describe('Null when no event is pending'),
    delivered: Count.describe('Events that the receiver accepted'),
    failed: Count.describe('Events that are no longer retried'),
    lastError: z.string().nullable().describe('Why the last attempt failed; null when none did'),
    nextAttemptAt: Instant.nullable().describe('Null when no attempt is scheduled'),
  })
  .meta({ id: 'DeliveryHealth' })

export const ActiveMeetingsResponse = z.object({
  meetings: z.array(
    ActiveMeeting.extend({ delivery: DeliveryHealth.nullable() }).meta({ id: 'MeetingStatus' }),
  ),
})

/** A meeting with the fields that are known after it ended. */
export const PastMeeting = ActiveMeeting.extend({
  reason: z.enum(END_REASONS).nullable().describe('Why it ends, ended or failed; null before that'),
  detail: z.string().nullable().describe('Explanation of the reason for people'),
  liveAt: Instant.nullable().describe('When the bot was first in the call'),
  endedAt: Instant.nullable(),
}).meta({ id: 'PastMeeting' })

/** One meeting with everything but its transcript. */
export const MeetingResponse = z.object({
  meeting: PastMeeting.extend({
    delivery: DeliveryHealth.nullable(),
    botName: z.string(),
    language: z.string().nullable().describe('Requested language of the captions'),
    storesChat: z.boolean().describe('Whether …/chat has the messages of the meeting chat'),
    visits: Count.describe('How many times a bot tried to join'),
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
        name: z.string().meta({ examples: ['Ada'] }),
        isHost: z.boolean(),
        joinedAt: Instant,
        leftAt: Instant.nullable().describe('Null while present'),
      }),
    ),
    talkTime: z
      .array(
        z.object({
          speaker: z.string(),
          segments: Count,
          words: Count,
          seconds: Count.describe(
            'Estimated from when segments start, because captions have no durations',
          ),
          share: z.number().min(0).max(1).describe('Share of all words, from 0 to 1'),
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
        speaker: z.string().nullable().describe('Null for all participants'),
        engine: z.string(),
        segmentNumbers: z.array(Ordinal).describe('The segments the insight is based on'),
        timestamp: Instant,
      }),
    ),
    warnings: z
      .array(
        z.object({
          code: z.enum(WARNING_CODES),
          subject: z.string(),
          text: z.string(),
          at: Instant,
        }),
      )
      .describe(
        'Problems that did not stop the bot but may need attention; the newest for each subject',
      ),
    evidenceCount: Count.describe('How many pieces of evidence …/evidence lists'),
  }).meta({ id: 'MeetingDetail' }),
})

export const Segment = z
  .object({
    speaker: z.string(),
    text: z.string(),
    timestamp: Instant,
    segmentNumber: Ordinal.describe('From 1, without gaps'),
  })
  .meta({ id: 'Segment' })

export const TranscriptGap = z
  .object({
    cause: z.string().describe(GAP_CAUSE_DESCRIPTION),
    startedAt: Instant,
    endedAt: Instant.nullable().describe('null while the gap lasts'),
    afterSegmentNumber: z.int().min(0).describe('The last segment before the gap; 0 for none'),
  })
  .meta({ id: 'TranscriptGap' })

export const TranscriptResponse = z.object({
  meetingId: MeetingId,
  status,
  project: z.string(),
  documentPath,
  segments: z
    .array(Segment)
    .describe(
      'In the order in which they became final while the meeting is active; by start time once it is over. With `after` or `limit` always by segment number',
    ),
  gaps: z
    .array(TranscriptGap)
    .describe('Times in which nothing was recorded, oldest first; with a range those in it'),
  title: z.string(),
  platform: z.enum(PLATFORM_NAMES),
  startedAt: Instant,
  endedAt: Instant.nullable().describe('Null while the meeting is running'),
  participants: z.array(z.string()).describe('Names of everyone who took part'),
})

export const MeetingParams = z.object({
  meetingId: MeetingIdInput.describe('The id that start returned'),
})

const RemovedCounts = z
  .object(
    Object.fromEntries(REMOVAL_COUNT_NAMES.map((name) => [name, Count])) as Record<
      (typeof REMOVAL_COUNT_NAMES)[number],
      typeof Count
    >,
  )
  .meta({ id: 'RemovedCounts' })

export const RemoveMeetingResponse = z.object({
  success: z.literal(true),
  meetingId: MeetingId,
  removed: RemovedCounts.describe('How much stored data of the meeting was deleted'),
})

export const RemovalsQuery = z.object({
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(300),
})
export const RemovalsResponse = z.object({
  removals: z.array(
    z.object({
      meetingId: MeetingId,
      at: Instant,
      removedBy: z.string().describe('Id of the token or user, or retention'),
      removed: RemovedCounts,
    }),
  ),
  nextCursor: NextCursor,
})

export const MeetingHistoryQuery = z.object({
  project: z.string().min(1).max(64).optional().describe('Only meetings of this project'),
  status: status.optional().describe('Only meetings with this status'),
  platform: z.enum(PLATFORM_NAMES).optional().describe('Only meetings on this platform'),
  q: z.string().min(1).max(200).optional().describe('Part of the title'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(300),
})
export const MeetingHistoryResponse = z.object({
  meetings: z.array(PastMeeting),
  nextCursor: NextCursor,
})

/** The part of a transcript to return. */
export const TranscriptRangeQuery = z.object({
  after: createIntegerParameterSchema(0)
    .optional()
    .describe('Only segments after this segment number'),
  limit: createLimitParameterSchema()
    .optional()
    .describe('Maximum number of segments after `after`; default all'),
})
export const TranscriptQuery = TranscriptRangeQuery.extend({
  format: z
    .enum(TRANSCRIPT_FORMATS)
    .meta({ default: 'json' })
    .optional()
    .describe('json: this object; otherwise the transcript as text'),
})
export const TranscriptTextParams = MeetingParams.extend({
  format: z.enum(TEXT_TRANSCRIPT_FORMATS).describe('File extension of the format'),
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
export type WireTranscriptGap = z.input<typeof TranscriptGap>
export type WireTranscript = z.input<typeof TranscriptResponse>
export type WireMeetingHistory = z.input<typeof MeetingHistoryResponse>
export type WireMeetingLinkCheck = z.input<typeof CheckMeetingLinkResponse>
export type WireStartedMeeting = z.input<typeof StartMeetingResponse>
export type WireInsight = WireMeetingDetail['insights'][number]
export type { EventPayload } from '../../meetings/event-types.ts'
export type { EndReason, EventType, MeetingStatus, PlatformName } from './values.ts'
