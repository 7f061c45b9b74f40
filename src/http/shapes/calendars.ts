import { z } from 'zod'
import { CALENDAR_KINDS } from '../../calendars/calendar.ts'
import { UPCOMING_REASON_TEXTS, type UpcomingReason } from '../../calendars/planning/reasons.ts'
import { TASK_NAME_PATTERN, TASK_NAME_RULE_TEXT } from '../../tasks/task.ts'
import {
  Instant,
  InstantText,
  MeetingId,
  NextCursor,
  ProjectId,
  RequestWarnings,
  NullableText,
} from './common.ts'
import { CallbackUrl } from './meetings/start-meeting.ts'
import { createCursorParameterSchema, PageSizeParameter } from './query-parameters.ts'
import { DEFAULT_SPEECH_MODE, PLATFORM_NAMES, SPEECH_MODES, UPCOMING_REASONS } from './values.ts'

/*
 * Calendars whose meetings bots join. Routes, each under /api/v1 and /web:
 *   GET    /calendars                         CalendarsResponse
 *   POST   /calendars                         CreateCalendarBody → 201 CalendarResponse
 *   POST   /calendars/preview                 PreviewCalendarBody → CalendarPreviewResponse
 *   GET    /calendars/{calendarId}            CalendarResponse
 *   PATCH  /calendars/{calendarId}            UpdateCalendarBody → CalendarResponse
 *   DELETE /calendars/{calendarId}            SuccessResponse
 *   POST   /calendars/{calendarId}/poll       CalendarResponse
 *   GET    /calendars/{calendarId}/preview    CalendarPreviewResponse
 *   POST   /calendars/{calendarId}/preview    PreviewStoredCalendarBody → CalendarPreviewResponse
 *   GET    /upcoming                          UpcomingQuery → UpcomingResponse
 *   PATCH  /upcoming/{upcomingId}             UpdateUpcomingBody → UpcomingMeetingResponse
 *   GET    /upcoming/{upcomingId}/brief       BriefResponse (brief.ts)
 */

const MAX_URL_LENGTH = 2_048
const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, {
    error: 'Must be an email address',
  })
const titleWords = z.array(z.string().trim().min(1).max(200).meta({ pattern: '\\S' })).max(100)

const CalendarId = z
  .string()
  .meta({ pattern: '^cal_[0-9A-Za-z]+$', examples: ['cal_4fJq0Zb1y9nB4Q2wKxT5'] })

const rules = {
  onlyOrganised: z.boolean().describe('Only meetings that the person of the calendar organises'),
  onlyInvited: emailAddress
    .nullable()
    .describe('Only meetings to which this email address is invited; null for all'),
  onlyTitles: titleWords.describe(
    'Only meetings whose title has one of these texts, in any letter case; empty for all',
  ),
  neverTitles: titleWords.describe('No meeting whose title has one of these texts'),
  onlyAccepted: z
    .boolean()
    .describe('Only meetings that the person of the calendar accepted or organises'),
  neverPrivate: z
    .boolean()
    .describe('No meeting that is marked as private, personal or confidential'),
}
export const CalendarRules = z.object(rules).meta({ id: 'CalendarRules' })
/** Rules that are not sent stay unchanged. */
const CalendarRulesInput = z.object({
  onlyOrganised: rules.onlyOrganised.meta({ default: false }).optional(),
  onlyInvited: rules.onlyInvited.meta({ default: null }).optional(),
  onlyTitles: rules.onlyTitles.meta({ default: [] }).optional(),
  neverTitles: rules.neverTitles.meta({ default: [] }).optional(),
  onlyAccepted: rules.onlyAccepted.meta({ default: false }).optional(),
  neverPrivate: rules.neverPrivate
    .optional()
    .describe(
      'No meeting that is marked as private, personal or confidential. Default true with a connected account, and false with an address',
    ),
})

export const Calendar = z
  .object({
    id: CalendarId,
    name: z.string().meta({ examples: ['Work'] }),
    kind: z.enum(CALENDAR_KINDS),
    host: z.string().describe('Host of the address; the address itself is never returned'),
    calendarAccountId: NullableText.describe(
      'The connected account with which it is read; null for an address',
    ),
    providerCalendarId: NullableText.describe(
      'The provider’s id of the calendar; null for an address',
    ),
    notifiedUntil: Instant.nullable().describe(
      'Until when the provider reports changes at once; null if the calendar is only polled',
    ),
    address: NullableText.meta({ examples: ['ada@example.com'] }).describe(
      'Email address of the person in the invitations; null when it is not known',
    ),
    project: z.string().describe('Project of its meetings'),
    account: NullableText.describe('Bot account that joins; null to join as a guest'),
    speech: z.enum(SPEECH_MODES).describe('When its bots recognize speech themselves'),
    task: NullableText.describe('Task that runs after each meeting; null for none'),
    callbackUrl: NullableText.describe(
      'URL that receives the events of its meetings; null for none',
    ),
    tokenId: NullableText.describe(
      'Token whose secret signs the callbacks; null without a callback URL',
    ),
    rules: CalendarRules,
    isPaused: z.boolean().describe('A paused calendar is read, but no bot joins its meetings'),
    timeZone: z.string().describe('IANA time zone of events that name none'),
    polledAt: Instant.nullable().describe('When it was last read or tried; null if never'),
    changedAt: Instant.nullable().describe('When its meetings last changed'),
    brokenSince: Instant.nullable().describe('Since when it cannot be read; null while it can'),
    problem: NullableText.describe(
      'Why it cannot be read, or what in it could not be understood; null for nothing',
    ),
    nextPollAt: Instant,
    createdAt: Instant,
  })
  .meta({ id: 'Calendar' })

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ pattern: '\\S', examples: ['Work'] }),
  url: z
    .string()
    .trim()
    .min(1)
    .max(MAX_URL_LENGTH)
    .meta({ examples: ['https://calendar.example.com/private-4fJq0Zb1/basic.ics'] })
    .describe('Secret address of the calendar in iCal format: https, http or webcal'),
  calendarAccountId: z
    .string()
    .min(1)
    .max(100)
    .describe('Instead of `url`: a connected account of yours, with `providerCalendarId`'),
  providerCalendarId: z
    .string()
    .min(1)
    .max(1_024)
    .regex(/^[!-~]+$/, { error: 'Must be the id of a calendar of the account' })
    .describe('A calendar of the connected account'),
  address: emailAddress
    .nullable()
    .meta({ examples: ['ada@example.com'] })
    .describe(
      'Email address of the person in the invitations; default that of the connected account or of the user',
    ),
  account: z.string().min(1).max(100).nullable().describe('Name of the bot account to join with'),
  speech: z
    .enum(SPEECH_MODES)
    .describe(
      'When its bots recognize speech themselves: `fallback` where captions are missing, `always` instead of captions',
    ),
  task: z
    .string()
    .regex(TASK_NAME_PATTERN, TASK_NAME_RULE_TEXT)
    .nullable()
    .describe('Name of a task that runs after each meeting of this calendar'),
  callbackUrl: CallbackUrl.nullable().describe('URL that receives the events of its meetings'),
  tokenId: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .describe(
      'Token whose secret signs the callbacks. With an API key it is the token of this key, and need not be sent',
    ),
  rules: CalendarRulesInput.describe('Which meetings are joined'),
  isPaused: z.boolean(),
  timeZone: z.string().min(1).max(100).describe('IANA time zone of events that name none'),
}

/** An address, or a calendar of a connected account. */
const place = {
  url: fields.url.optional(),
  calendarAccountId: fields.calendarAccountId.optional(),
  providerCalendarId: fields.providerCalendarId.optional(),
}

export const CreateCalendarBody = z
  .object({
    name: fields.name,
    ...place,
    project: ProjectId.optional().describe(
      'Project of its meetings; default a private project of the user, and `api` with a service token',
    ),
    address: fields.address.optional(),
    account: fields.account.optional(),
    speech: fields.speech.meta({ default: DEFAULT_SPEECH_MODE }).optional(),
    task: fields.task.optional(),
    callbackUrl: fields.callbackUrl.optional(),
    tokenId: fields.tokenId.optional(),
    rules: fields.rules.optional(),
    isPaused: fields.isPaused.meta({ default: false }).optional(),
    timeZone: fields.timeZone.meta({ default: 'UTC' }).optional(),
  })
  .meta({
    examples: [
      {
        name: 'Work',
        url: 'https://calendar.example.com/private-4fJq0Zb1/basic.ics',
        project: 'sales',
        rules: { onlyAccepted: true },
      },
    ],
  })

/** Only the sent fields change. Null removes a value. */
export const UpdateCalendarBody = z
  .object({
    name: fields.name.optional(),
    url: fields.url.optional(),
    project: ProjectId.optional().describe('Project of its meetings from now on'),
    address: fields.address.optional(),
    account: fields.account.optional(),
    speech: fields.speech.optional(),
    task: fields.task.optional(),
    callbackUrl: fields.callbackUrl.optional(),
    tokenId: fields.tokenId.optional(),
    rules: fields.rules.optional(),
    isPaused: fields.isPaused.optional(),
    timeZone: fields.timeZone.optional(),
  })
  .meta({ examples: [{ isPaused: true }] })

export const CalendarsResponse = z.object({ calendars: z.array(Calendar) })
export const CalendarResponse = z.object({ calendar: Calendar, warnings: RequestWarnings })

const meetingFields = {
  title: z.string(),
  startsAt: Instant,
  platform: z.enum(PLATFORM_NAMES).nullable().describe('Null without a link'),
  label: NullableText.describe('Short form of the link; null without one'),
  willJoin: z.boolean(),
  reason: z.enum(UPCOMING_REASONS).describe('Why a bot joins or does not'),
  reasonText: z
    .string()
    .meta({ examples: ['A bot will join'] })
    .describe('The reason as a sentence'),
}

const previewFields = {
  address: fields.address.optional(),
  rules: fields.rules.optional(),
  timeZone: fields.timeZone.optional(),
}
export const PreviewCalendarBody = z
  .object({ ...place, ...previewFields })
  .meta({ examples: [{ url: 'https://calendar.example.com/private-4fJq0Zb1/basic.ics' }] })
export const PreviewStoredCalendarBody = z
  .object(previewFields)
  .meta({ examples: [{ rules: { onlyAccepted: true } }] })
export const CalendarPreviewResponse = z.object({
  meetings: z
    .array(z.object({ ...meetingFields, endsAt: Instant }).meta({ id: 'PreviewedMeeting' }))
    .describe('What the calendar has in the next two weeks'),
  problems: z
    .array(z.string())
    .meta({ examples: [['An event has the unknown time zone “Mars/Base”']] })
    .describe('What in the calendar could not be understood'),
  warnings: RequestWarnings,
})

export const UpcomingMeeting = z
  .object({
    id: z
      .string()
      .meta({ examples: ['occ_0ToY1a2B5b0c6a1f9d2f1a7e3b4c'] })
      .describe('Of a meeting that was scheduled without a calendar, its meeting id'),
    calendarId: CalendarId.nullable().describe('Null for a meeting scheduled without a calendar'),
    calendarName: NullableText,
    meetingId: MeetingId.nullable().describe('Null until shortly before the start'),
    ...meetingFields,
    endsAt: Instant.nullable().describe('Null when it is not known'),
    project: z.string(),
    attend: z
      .boolean()
      .nullable()
      .meta({ examples: [true] })
      .describe('What a person decided for this meeting; null when the rules decide'),
  })
  .meta({ id: 'UpcomingMeeting' })

export const UpcomingQuery = z.object({
  from: InstantText.optional().describe('Meetings that end after this time; default now'),
  to: InstantText.optional().describe('Meetings that start before this time; default in 14 days'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(1_000),
})
export const UpcomingResponse = z.object({
  upcoming: z.array(UpcomingMeeting),
  nextCursor: NextCursor,
})
export const UpdateUpcomingBody = z
  .object({
    attend: z
      .boolean()
      .nullable()
      .meta({ examples: [false] })
      .describe(
        'True joins whatever the rules say, false never joins and stops a bot that is already there, null lets the rules decide',
      ),
  })
  .meta({ examples: [{ attend: false }] })
export const UpcomingMeetingResponse = z.object({
  upcoming: UpcomingMeeting,
  warnings: RequestWarnings,
})

export type ApiCalendar = z.input<typeof Calendar>
export type ApiCalendarRules = z.input<typeof CalendarRules>
export type ApiCalendarPreview = z.input<typeof CalendarPreviewResponse>
export type ApiPreviewedMeeting = ApiCalendarPreview['meetings'][number]
export type ApiUpcomingMeeting = z.input<typeof UpcomingMeeting>
export type ApiUpcoming = z.input<typeof UpcomingResponse>

export function addReasonText<Meeting extends { reason: UpcomingReason }>(
  meeting: Meeting,
): Meeting & { reasonText: string } {
  return { ...meeting, reasonText: UPCOMING_REASON_TEXTS[meeting.reason] }
}
