import { z } from 'zod'
import { REMOVAL_COUNT_NAMES } from '../../../meetings/removal.ts'
import { WARNING_CODES } from '../../../meetings/status.ts'
import {
  CallbackProblem,
  Count,
  Instant,
  InstantText,
  MeetingId,
  NextCursor,
  Ordinal,
  ProjectId,
  RequestWarnings,
  NullableText,
} from '../common.ts'
import { createCursorParameterSchema, PageSizeParameter } from '../query-parameters.ts'
import {
  CAPTURES,
  DELIVERY_STATES,
  END_REASONS,
  MEETING_PLATFORMS,
  OFFICIAL_MODES,
  SPEECH_MODES,
} from '../values.ts'
import {
  JoinAt,
  MeetingStatusField,
  MeetingTitleInput,
  NullableDocumentPath,
} from './meeting-fields.ts'

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

export const ActiveMeeting = z
  .object({
    meetingId: MeetingId,
    status: MeetingStatusField,
    platform: z.enum(MEETING_PLATFORMS),
    title: z.string(),
    startedAt: Instant.describe('While the meeting is scheduled, when the bot joins'),
    joinAt: JoinAt,
    participantCount: Count.describe(
      'Participants that are present, without the bot; after the end, all that were ever present',
    ),
    segmentCount: Count.describe('Final segments'),
    project: z.string(),
    documentPath: NullableDocumentPath,
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
    lastError: NullableText.describe('Why the last attempt failed; null when none did'),
    problem: CallbackProblem.describe('The same for people'),
    nextAttemptAt: Instant.nullable().describe('Null when no attempt is scheduled'),
  })
  .meta({ id: 'DeliveryHealth' })

const Gist = NullableText.describe(
  'One line about it: how many decisions and action items its recap has, and the first of them, or the first sentence of the summary; while it is active, what was said last; null when there is neither',
)

export const ActiveMeetingsResponse = z.object({
  meetings: z.array(
    ActiveMeeting.extend({ delivery: DeliveryHealth.nullable(), gist: Gist }).meta({
      id: 'MeetingStatus',
    }),
  ),
})

/** A meeting with the fields that are known after its end. */
export const PastMeeting = ActiveMeeting.extend({
  reason: z.enum(END_REASONS).nullable().describe('Why it ends, ended or failed; null before that'),
  detail: NullableText.describe('Explanation of the reason for people'),
  liveAt: Instant.nullable().describe('When the bot was first in the call'),
  endedAt: Instant.nullable(),
}).meta({ id: 'PastMeeting' })

/** One meeting with everything except its transcript. */
export const MeetingResponse = z.object({
  meeting: PastMeeting.extend({
    delivery: DeliveryHealth.nullable(),
    botName: z.string(),
    language: NullableText.describe('Requested language of the captions'),
    recapLanguage: NullableText.describe('Requested language of the recap; null for the default'),
    speech: z.enum(SPEECH_MODES).describe('When the bot recognizes speech itself'),
    account: NullableText.describe('The bot account that the bot joined with; null for a guest'),
    retryOf: MeetingId.nullable().describe(
      'The meeting that this one tries again; null for a first attempt, and when you may not read that one',
    ),
    retriedAs: z
      .object({ meetingId: MeetingId, status: MeetingStatusField })
      .nullable()
      .describe(
        'The newest meeting that tries this one again; null when there is none you may read',
      ),
    capture: z.enum(CAPTURES).describe('What the transcript is made of'),
    storesChat: z.boolean().describe('Whether …/chat has the messages of the meeting chat'),
    visits: Count.describe('How many times a bot tried to join'),
    officialTranscript: z
      .enum(OFFICIAL_MODES)
      .nullable()
      .describe(
        'What the official transcript is used for. `keep`: nothing; `fill`: the times at which nothing was recorded; `replace`: the time that it covers; null if the bot is the only source, or there is no bot',
      ),
    editCount: Count.describe(
      'How many changes …/edits lists: of the title and of names of speakers',
    ),
    renamedSpeakers: z
      .array(z.object({ platformName: z.string(), name: z.string().meta({ examples: ['Ada'] }) }))
      .describe('Speakers that people gave another name. Events keep the name of the platform'),
    statuses: z
      .array(
        z.object({
          status: z.string(),
          at: Instant,
          reason: NullableText,
          detail: NullableText,
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
        speaker: NullableText.describe('Null for all participants'),
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

export const ChangeMeetingBody = z
  .object({
    project: ProjectId.optional().describe('The project to move the meeting to'),
    title: MeetingTitleInput.optional().describe('The new title; the path of the document stays'),
    joinAt: InstantText.optional().describe(
      'When the bot joins, at most 90 days ahead; only while the meeting is scheduled',
    ),
    officialTranscript: z
      .enum(OFFICIAL_MODES)
      .optional()
      .describe(
        'What the official transcript of a meeting that a bot attended is used for; only if there is one, and only after the meeting',
      ),
    startedAt: InstantText.optional().describe(
      'When an imported meeting started: all its times move, and its recap is made again with new due dates',
    ),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Name at least one of project, title, joinAt, startedAt and officialTranscript',
  })
  .meta({
    examples: [
      { title: 'Planning' },
      { project: 'sales' },
      { joinAt: '2026-11-20T09:00:00+01:00' },
    ],
  })
export const ChangeMeetingResponse = z.object({
  meetingId: MeetingId,
  status: MeetingStatusField,
  title: z.string(),
  project: z.string(),
  documentPath: NullableDocumentPath,
  joinAt: JoinAt,
  warnings: RequestWarnings,
})

export const MeetingHistoryQuery = z.object({
  project: z.string().min(1).max(64).optional().describe('Only meetings of this project'),
  status: MeetingStatusField.optional().describe('Only meetings with this status'),
  platform: z.enum(MEETING_PLATFORMS).optional().describe('Only meetings on this platform'),
  begun: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: leave out scheduled meetings, which are otherwise listed first'),
  retried: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'false: leave out meetings that were tried again, whose `meetingId` another one has as `retryOf`',
    ),
  q: z.string().min(1).max(200).optional().describe('Part of the title'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(300),
})
export const MeetingHistoryResponse = z.object({
  meetings: z.array(PastMeeting.extend({ gist: Gist }).meta({ id: 'ListedMeeting' })),
  nextCursor: NextCursor,
})

/** Each `Api…` type is the JSON form of a response or of a part of one, with times as text, for the console. */
export type ApiPastMeeting = z.input<typeof PastMeeting>
export type ApiActiveMeeting = z.input<typeof ActiveMeetingsResponse>['meetings'][number]
export type ApiMeetingDetail = z.input<typeof MeetingResponse>['meeting']
export type ApiDeliveryHealth = z.input<typeof DeliveryHealth>
export type ApiListedMeeting = z.input<typeof MeetingHistoryResponse>['meetings'][number]
export type ApiInsight = ApiMeetingDetail['insights'][number]
export type { EventPayload } from '../../../meetings/event-types.ts'
export type { EndReason, EventType, MeetingPlatform, MeetingStatus } from '../values.ts'
