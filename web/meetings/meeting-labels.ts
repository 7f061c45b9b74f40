import {
  GAP_CAUSE_TEXTS,
  OPEN_STATUSES,
  PLATFORM_NAMES,
  type EndReason,
  type EventType,
  type GapCause,
  type MeetingStatus,
  type MeetingPlatform,
} from '../../src/http/shapes/values.ts'

export const PLATFORM_LABELS: Record<MeetingPlatform, string> = {
  google_meet: 'Google Meet',
  microsoft_teams: 'Microsoft Teams',
  practice: 'Practice',
  imported: 'Imported',
}

/** The platforms of real meetings, for a sentence: "Google Meet or Microsoft Teams". */
export const REAL_PLATFORMS_TEXT = PLATFORM_NAMES.filter((name) => name !== 'practice')
  .map((name) => PLATFORM_LABELS[name])
  .join(' or ')

type MeetingStatusLabel = { label: string; colour: string }

export const MEETING_STATUS_LABELS: Record<MeetingStatus, MeetingStatusLabel> = {
  scheduled: { label: 'Scheduled', colour: 'blue' },
  joining: { label: 'Joining', colour: 'blue' },
  lobby: { label: 'In the lobby', colour: 'orange' },
  live: { label: 'Live', colour: 'live' },
  stopping: { label: 'Stopping', colour: 'gray' },
  leaving: { label: 'Leaving', colour: 'gray' },
  ended: { label: 'Ended', colour: 'gray' },
  error: { label: 'Failed', colour: 'red' },
}

/** Whether a meeting with this status is not over; it may only be scheduled. */
export function isActiveStatus(status: string): boolean {
  return OPEN_STATUSES.some((active) => active === status)
}

/** Event types as lists and filters show them. */
export const EVENT_TYPE_LABELS: Record<EventType, string> = {
  meeting_status: 'Meeting status',
  caption_partial: 'Live caption',
  segment_finalized: 'Transcript segment',
  coach_insight: 'Insight',
  participant_joined: 'Participant joined',
  participant_left: 'Participant left',
  document_saved: 'Document saved',
  recap_ready: 'Recap ready',
}

/** Why nothing was recorded; null for a cause that this version of the console does not know. */
export function gapCauseLabel(cause: string): string | null {
  return Object.hasOwn(GAP_CAUSE_TEXTS, cause) ? GAP_CAUSE_TEXTS[cause as GapCause] : null
}

/** `what` says why a meeting ended; `nextStep` says what the user can do about it, if anything. */
type MeetingReasonText = { what: string; nextStep?: string }

export const MEETING_END_REASON_TEXTS: Record<EndReason, MeetingReasonText> = {
  stopped: { what: 'The meeting was stopped from Hansard.' },
  asked_to_leave: {
    what: 'A participant asked the bot to leave in the meeting chat.',
    nextStep: 'Ask the participants before you start again.',
  },
  host_ended: { what: 'The host ended the meeting.' },
  removed: { what: 'A participant removed the bot from the meeting.' },
  everyone_left: { what: 'All participants left.' },
  nobody_joined: { what: 'No participants joined.' },
  silence: { what: 'Nobody spoke for a long time.' },
  max_duration: { what: 'The meeting reached the maximum duration.' },
  lobby_timeout: {
    what: 'The bot waited in the lobby, but was not admitted in time.',
    nextStep: 'Start again and ask the host to admit the bot while it waits in the lobby.',
  },
  denied: {
    what: 'The bot’s request to join was denied.',
    nextStep: 'Tell the host to expect the bot and the name it joins with, then start again.',
  },
  no_answer: {
    what: 'Nobody answered the bot’s request to join.',
    nextStep: 'Start again and ask the host to admit the bot while it waits in the lobby.',
  },
  sign_in_required: {
    what: 'Only signed-in users can join this meeting.',
    nextStep:
      'Ask the host to allow guests, or ask a Hansard administrator to set up a bot account and start again with it.',
  },
  blocked_by_platform: {
    what: 'The platform blocked the bot’s browser.',
    nextStep:
      'Wait a few minutes and start again. If guests are blocked, use a signed-in bot account.',
  },
  captcha: {
    what: 'The platform asked for a CAPTCHA, which Hansard does not solve.',
    nextStep: 'Ask the host to allow guests without a CAPTCHA, or use a signed-in bot account.',
  },
  meeting_not_found: {
    what: 'There is no meeting at this link.',
    nextStep: 'Check the link with the person who sent it, then start again with the right one.',
  },
  meeting_not_started: {
    what: 'The host did not start the meeting.',
    nextStep: 'Start again once the host has started the meeting.',
  },
  page_not_loaded: {
    what: 'Hansard couldn’t open the meeting page.',
    nextStep:
      'Start again. If this keeps happening, ask an administrator to run “hansard doctor” on the server.',
  },
  captions_unavailable: {
    what: 'Captions are not available in this meeting.',
    nextStep: 'Ask the host to allow captions in the meeting settings.',
  },
  browser_crashed: {
    what: 'The bot’s browser crashed and the bot could not rejoin.',
    nextStep:
      'Ask an administrator to check the server’s memory with “hansard doctor”, then start again.',
  },
  service_restarted: {
    what: 'Hansard was restarted and the bot could not rejoin.',
    nextStep: 'Start again if the meeting is still in progress.',
  },
  at_capacity: {
    what: 'All bots were busy and the wait in the queue timed out.',
    nextStep: 'Start again later, or ask an administrator to raise HANSARD_MAX_BOTS.',
  },
  missed: {
    what: 'Hansard couldn’t join at the scheduled time, and the meeting was over before it could.',
    nextStep: 'Ask an administrator whether the server was down, full or busy at that time.',
  },
  not_allowed: {
    what: 'The meeting was no longer allowed at its scheduled time.',
    nextStep:
      'Check the API token, the callback URL and the access to the project, then start again.',
  },
  internal: {
    what: 'Something went wrong in Hansard.',
    nextStep:
      'Start again. An administrator can find the cause in the log under this meeting’s ID.',
  },
}
