import { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import { parseListenerName } from '../../../deliveries/listeners.ts'
import { InstantText, MeetingId, ProjectId, RequestWarnings } from '../common.ts'
import {
  CAPTURES,
  DEFAULT_CAPTURE,
  DEFAULT_SPEECH_MODE,
  EVENT_TYPES,
  PLATFORM_NAMES,
  SPEECH_MODES,
} from '../values.ts'
import { ChatOptionsInput } from './chat.ts'
import {
  JoinAt,
  MeetingIdInput,
  MeetingStatusField,
  MeetingTitleInput,
  NullableDocumentPath,
  RecapLanguageInput,
} from './meeting-fields.ts'

const seconds = z.int().min(1).max(604_800)
/** The form of a callback URL. The check below is stricter. */
const CALLBACK_URL_PATTERN = '^(?:[hH][tT][tT][pP][sS]?:|listen:)'

export const CallbackUrl = z
  .string()
  .max(2_048)
  .refine(
    isCallbackUrl,
    'Must be an http or https URL without user name and password, or listen:NAME',
  )
  .meta({ pattern: CALLBACK_URL_PATTERN })

/** Like a callback URL, but not a listener. */
export const HttpUrl = z
  .string()
  .max(2_048)
  .refine(isHttpUrl, 'Must be an http or https URL without user name and password')
  .meta({ pattern: '^[hH][tT][tT][pP][sS]?:' })

const startFields = {
  url: z.string().min(1).max(8_192).describe('Meeting URL on a supported platform'),
  title: MeetingTitleInput.optional().describe('Label for the meeting'),
  joinAt: InstantText.optional().describe(
    'When the bot joins, at most 90 days ahead; without it the bot joins now',
  ),
  callbackUrl: CallbackUrl.describe('URL that receives the events'),
  project: ProjectId.meta({ default: DEFAULT_PROJECT })
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
  recapLanguage: RecapLanguageInput,
  speech: z
    .enum(SPEECH_MODES)
    .meta({ default: DEFAULT_SPEECH_MODE })
    .optional()
    .describe(
      'When the bot recognizes speech itself: `fallback` where captions are missing or in another language, `always` instead of captions',
    ),
  capture: z
    .enum(CAPTURES)
    .meta({ default: DEFAULT_CAPTURE })
    .optional()
    .describe(
      'What the transcript is made of. `bot`: what a bot records; `official`: the official transcript, without a bot; `both`: a bot, completed by the official transcript. The last two need a connection',
    ),
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
    .describe(
      'Event types to send to the callback URL; default all but `brief_ready` and those about the recap',
    ),
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
 * A meeting that a user starts in the console needs no callback URL. If it has one, `tokenId` names the token whose
 * secret signs the callbacks.
 */
export const ConsoleStartMeetingBody = z.object({
  ...startFields,
  callbackUrl: CallbackUrl.optional(),
  tokenId: z.string().min(1).max(100).optional(),
})

/** The differences when an ended meeting is tried again. */
export const RetryMeetingBody = z.object({
  account: startFields.account
    .unwrap()
    .nullable()
    .optional()
    .describe('Name of another bot account; null for a guest. Without it, as before'),
  withoutCallbacks: z.boolean().optional().describe('Send no callbacks this time'),
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
  status: MeetingStatusField,
  platform: z.enum(PLATFORM_NAMES),
  project: z.string(),
  documentPath: NullableDocumentPath,
  joinAt: JoinAt,
  warnings: RequestWarnings,
})

export const StopMeetingBody = z
  .object({ meetingId: MeetingIdInput.describe('The id that start returned') })
  .meta({ examples: [{ meetingId: 'meeting_1763195400000_k3v9x0q2m4za' }] })
export const StopMeetingResponse = z.object({
  meetingId: MeetingId,
  status: MeetingStatusField,
  warnings: RequestWarnings,
})

function isCallbackUrl(text: string): boolean {
  return parseListenerName(text) !== null || isHttpUrl(text)
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  return url.username === '' && url.password === ''
}

export type ApiStartedMeeting = z.input<typeof StartMeetingResponse>
