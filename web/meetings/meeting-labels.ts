import {
  OPEN_STATUSES,
  PLATFORM_NAMES,
  type EndReason,
  type EventType,
  type MeetingStatus,
  type MeetingPlatform,
  type SpeechMode,
} from '../../src/http/shapes/values.ts'

export const SPEECH_MODE_LABELS: Record<SpeechMode, string> = {
  off: 'Off',
  fallback: 'Where captions are missing',
  always: 'Instead of captions',
}

export const PLATFORM_LABELS: Record<MeetingPlatform, string> = {
  google_meet: 'Google Meet',
  microsoft_teams: 'Microsoft Teams',
  galene: 'Galène',
  livekit: 'LiveKit',
  zoom: 'Zoom',
  practice: 'Practice',
  imported: 'Imported',
}

/** Practice meetings are not real, and the others work only after the operator has set them up. */
const NOT_EVERYWHERE: ReadonlySet<MeetingPlatform> = new Set([
  'practice',
  'galene',
  'livekit',
  'zoom',
])

/** The platforms of real meetings that work on every instance, for a sentence: "Google Meet or Microsoft Teams". */
export const REAL_PLATFORMS_TEXT = PLATFORM_NAMES.filter((name) => !NOT_EVERYWHERE.has(name))
  .map((name) => PLATFORM_LABELS[name])
  .join(' or ')

type MeetingStatusLabel = { label: string; colour: string }

export const MEETING_STATUS_LABELS: Record<MeetingStatus, MeetingStatusLabel> = {
  scheduled: { label: 'Scheduled', colour: 'blue' },
  awaiting_transcript: { label: 'Waiting for transcript', colour: 'blue' },
  joining: { label: 'Joining', colour: 'blue' },
  lobby: { label: 'In the lobby', colour: 'orange' },
  live: { label: 'Live', colour: 'live' },
  stopping: { label: 'Stopping', colour: 'gray' },
  leaving: { label: 'Leaving', colour: 'gray' },
  ended: { label: 'Ended', colour: 'gray' },
  error: { label: 'Failed', colour: 'red' },
}

/** What an active meeting is doing before anyone speaks. */
export const ACTIVE_STATUS_TEXTS: Partial<Record<MeetingStatus, string>> = {
  awaiting_transcript:
    'The official transcript comes some minutes after the meeting. No bot joins.',
  joining: 'Hansard is on its way into the meeting.',
  lobby: 'Hansard is waiting to be let in.',
  live: 'Nobody has said anything yet.',
  stopping: 'Hansard is leaving the meeting.',
  leaving: 'Hansard is leaving the meeting.',
}

/** True if a meeting with this status is not over. It may only be scheduled. */
export function isActiveStatus(status: string): boolean {
  return OPEN_STATUSES.some((active) => active === status)
}

/** True while the bot waits for the meeting's time. It is ready shortly before it joins. */
export function isBeforeJoinTime(
  { status, startedAt }: { status: string; startedAt: string },
  now: number,
): boolean {
  return status === 'scheduled' || (status === 'joining' && Date.parse(startedAt) > now)
}

export const EVENT_TYPE_LABELS: Record<EventType, string> = {
  meeting_status: 'Meeting status',
  caption_partial: 'Live caption',
  segment_finalized: 'Transcript segment',
  coach_insight: 'Insight',
  participant_joined: 'Participant joined',
  participant_left: 'Participant left',
  document_saved: 'Document saved',
  brief_ready: 'Brief ready',
  transcript_changed: 'Transcript changed',
  recap_ready: 'Recap ready',
  decision_recorded: 'Decision',
  action_created: 'New action item',
  action_changed: 'Action item changed',
}

/** True if an ended meeting has no transcript line, so there is nothing to read. */
export function hasNothingRecorded({
  status,
  segmentCount,
}: {
  status: string
  segmentCount: number
}): boolean {
  return !isActiveStatus(status) && segmentCount === 0
}

type MeetingReasonText = {
  /** How the meeting ended, in a few words beside its status. */
  ending: string
  /** Why it ended, in a sentence. */
  what: string
  /** What the user can do about it, if anything. */
  nextStep?: string
  /** True if a signed-in bot may get in where a guest does not. */
  accountHelps?: true
  /** True if the meeting's link does not work, so that another attempt would not help. */
  needsNewLink?: true
  /**
   * Where the page shows the server's text: as the headline if it is more exact than `what`, below, or below only if
   * the bot was signed in. If not set, the text adds nothing.
   */
  detail?: 'headline' | 'below' | 'below with account'
  /** True if the server's checks can find the cause. */
  checksHelp?: true
}

export const MEETING_END_REASON_TEXTS: Record<EndReason, MeetingReasonText> = {
  stopped: { ending: 'Stopped from Hansard', what: 'The meeting was stopped from Hansard.' },
  asked_to_leave: {
    ending: 'Asked to leave in the chat',
    what: 'A person in the meeting asked the bot to leave, in the meeting chat.',
    nextStep: 'Ask the people in the meeting before you try again.',
  },
  host_ended: { ending: 'Ended by the host', what: 'The host ended the meeting.' },
  removed: {
    ending: 'Removed by a person in the meeting',
    what: 'A person in the meeting removed the bot.',
    nextStep: 'Ask the people in the meeting before you try again.',
  },
  everyone_left: { ending: 'Everyone left', what: 'Everyone left the meeting.' },
  nobody_joined: {
    ending: 'Nobody came',
    what: 'Nobody else came to the meeting.',
    nextStep: 'Check the time and the link of the meeting, then try again.',
  },
  silence: {
    ending: 'Nobody spoke for a long time',
    what: 'Nobody spoke for a long time, so the bot left.',
  },
  max_duration: {
    ending: 'Reached the time limit',
    what: 'The meeting reached the longest time a bot stays.',
  },
  lobby_timeout: {
    ending: 'Nobody let the bot in',
    what: 'Nobody let the bot in while it waited in the lobby.',
    nextStep: 'Try again, and ask the host to let the bot in while it waits.',
    accountHelps: true,
    detail: 'below',
  },
  denied: {
    ending: 'The host said no',
    what: 'The host did not let the bot in.',
    nextStep: 'Tell the host which name the bot joins with and why, then try again.',
    accountHelps: true,
  },
  no_answer: {
    ending: 'Nobody let the bot in',
    what: 'Nobody answered when the bot asked to join.',
    nextStep: 'Try again, and ask the host to let the bot in while it waits.',
    accountHelps: true,
  },
  sign_in_required: {
    ending: 'Sign-in needed',
    what: 'Only people who are signed in can join this meeting.',
    nextStep: 'Use a bot account that is invited to the meeting, or ask the host to allow guests.',
    accountHelps: true,
    detail: 'below with account',
  },
  blocked_by_platform: {
    ending: 'Guests are blocked',
    what: 'The meeting service did not let the bot’s browser in, as it does with most automated guests.',
    nextStep: 'Use a bot account that is invited to the meeting, or try again in a few minutes.',
    accountHelps: true,
    detail: 'below with account',
  },
  captcha: {
    ending: 'Asked to prove it is a person',
    what: 'The meeting service asked for proof that a person is joining, which a bot must not give.',
    nextStep: 'Use a bot account, or ask the host to turn the check off for guests.',
    accountHelps: true,
  },
  meeting_not_found: {
    ending: 'Wrong or expired link',
    what: 'There is no meeting at this link. It is wrong, or it has expired.',
    nextStep: 'Ask for the current link and start a meeting with it.',
    needsNewLink: true,
  },
  meeting_not_started: {
    ending: 'The host never started it',
    what: 'The host did not start the meeting.',
    nextStep: 'Try again once the host has started the meeting.',
    detail: 'below',
  },
  page_not_loaded: {
    ending: 'Couldn’t open the meeting page',
    what: 'Hansard couldn’t open the meeting page.',
    nextStep:
      'Try again. If this keeps happening, ask an administrator to open System and run the checks, or to run “hansard doctor”.',
    detail: 'headline',
    checksHelp: true,
  },
  captions_unavailable: {
    ending: 'No captions',
    what: 'Captions could not be turned on in this meeting, and speech could not be recognized.',
    detail: 'below',
    nextStep:
      'Ask the host to allow captions, or an administrator to install speech recognition, then try again.',
    accountHelps: true,
  },
  browser_crashed: {
    ending: 'The bot’s browser failed',
    what: 'The bot’s browser failed, and the bot could not come back.',
    nextStep:
      'Try again. If this keeps happening, ask an administrator to check the memory of the server with “hansard doctor”.',
    detail: 'below',
    checksHelp: true,
  },
  app_not_installed: {
    ending: 'Zoom app not installed',
    what: 'No organization has installed the Zoom app that sends its meetings to Hansard.',
    nextStep: 'Ask an administrator to install the Zoom app, as docs/zoom.md says, then try again.',
    detail: 'below',
  },
  host_did_not_start: {
    ending: 'The host never started the stream',
    what: 'The host did not start the meeting, or not the Zoom app in it.',
    nextStep: 'Ask the host to start the Zoom app in the meeting, then try again.',
    detail: 'below',
  },
  stream_ended_by_host: {
    ending: 'The stream was stopped',
    what: 'A person in the meeting ended the stream to Hansard.',
    detail: 'headline',
  },
  stream_not_allowed: {
    ending: 'The stream is not allowed',
    what: 'The host or an administrator does not allow the stream to Hansard.',
    nextStep: 'Ask the host or the administrator of Zoom to allow the app and its transcript.',
    detail: 'headline',
  },
  stream_revoked: {
    ending: 'Zoom withdrew the stream',
    what: 'Zoom withdrew the stream and asks that its content be deleted.',
    nextStep: 'Delete this meeting.',
  },
  stream_failed: {
    ending: 'The stream was lost',
    what: 'The stream of the meeting could not be read.',
    nextStep: 'Ask the host to start the Zoom app again, then start the meeting again.',
    detail: 'headline',
  },
  credentials_rejected: {
    ending: 'Wrong app credentials',
    what: 'Zoom did not accept the credentials of the Zoom app.',
    nextStep:
      'Ask an administrator to check HANSARD_ZOOM_CLIENT_ID and HANSARD_ZOOM_CLIENT_SECRET.',
    detail: 'below',
  },
  service_restarted: {
    ending: 'Hansard restarted',
    what: 'Hansard was restarted, and the bot could not come back.',
    nextStep: 'Try again if the meeting is still in progress.',
  },
  at_capacity: {
    ending: 'All bots were busy',
    what: 'All bots were busy, and none became free in time.',
    nextStep: 'Try again later, or ask an administrator to raise HANSARD_MAX_BOTS.',
    detail: 'below',
  },
  missed: {
    ending: 'Missed',
    what: 'Hansard couldn’t join at the scheduled time, and the meeting was over before it could.',
    nextStep: 'Ask an administrator whether the server was down, full or busy at that time.',
    detail: 'below',
  },
  not_allowed: {
    ending: 'No longer allowed',
    what: 'The meeting was no longer allowed at its scheduled time.',
    nextStep:
      'Check the API token, the callback URL and the access to the project, then start again.',
    detail: 'below',
  },
  transcription_off: {
    ending: 'Not transcribed',
    what: 'The meeting service has no official transcript of this meeting.',
    nextStep: 'Turn on transcription in the next meeting, or send a bot.',
    detail: 'below',
  },
  transcript_not_allowed: {
    ending: 'Transcript not allowed',
    what: 'Hansard may not read the official transcript of this meeting.',
    nextStep: 'Ask an administrator to check the connection, or send a bot next time.',
    detail: 'below',
  },
  transcript_not_ready: {
    ending: 'Transcript came too late',
    what: 'The official transcript was not available in time.',
    nextStep: 'If it comes later, it becomes a meeting of its own.',
    detail: 'below',
  },
  transcript_expired: {
    ending: 'Transcript expired',
    what: 'The official transcript was deleted or has expired before Hansard could read it.',
    nextStep: 'Ask the organizer for the transcript and import it.',
    detail: 'below',
  },
  transcript_no_licence: {
    ending: 'No licence',
    what: 'The meeting service asks for a licence or a payment before it hands out transcripts.',
    nextStep: 'Ask an administrator to check the licences of the organization.',
    detail: 'below',
  },
  no_connection: {
    ending: 'No connection',
    what: 'No connection reads the official transcripts of the person who organizes the meeting.',
    nextStep: 'Ask an administrator to add the organizer to a connection, or send a bot.',
    detail: 'below',
  },
  internal: {
    ending: 'An error in Hansard',
    what: 'Something went wrong in Hansard.',
    nextStep: 'Try again. An administrator can find the cause in the log under this meeting’s ID.',
    detail: 'below',
  },
}

/** How a meeting ended, in a few words. Null before the end, and for an imported transcript. */
export function describeMeetingEnding({
  status,
  reason,
}: {
  status: string
  reason: EndReason | null
}): string | null {
  return reason === null || isActiveStatus(status) ? null : MEETING_END_REASON_TEXTS[reason].ending
}
