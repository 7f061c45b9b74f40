import type { MeetingStatus, PlatformName, EndReason } from '../../src/http/shapes/meetings.ts'

export const PLATFORM_LABELS: Record<PlatformName, string> = {
  google_meet: 'Google Meet',
  microsoft_teams: 'Microsoft Teams',
  practice: 'Practice',
}

type MeetingStatusLabel = { label: string; colour: string; isActive: boolean }

export const MEETING_STATUS_LABELS: Record<MeetingStatus, MeetingStatusLabel> = {
  joining: { label: 'Joining', colour: 'blue', isActive: true },
  lobby: { label: 'In the lobby', colour: 'orange', isActive: true },
  live: { label: 'Live', colour: 'moss', isActive: true },
  stopping: { label: 'Stopping', colour: 'gray', isActive: true },
  leaving: { label: 'Leaving', colour: 'gray', isActive: true },
  ended: { label: 'Ended', colour: 'gray', isActive: false },
  error: { label: 'Failed', colour: 'red', isActive: false },
}

/** What happened, for a sentence; `todo`: who must do what, where somebody must. */
type MeetingReasonText = { what: string; todo?: string }

export const MEETING_REASON_TEXTS: Record<EndReason, MeetingReasonText> = {
  stopped: { what: 'Somebody stopped it.' },
  host_ended: { what: 'The host ended the meeting.' },
  removed: { what: 'The bot was removed from the meeting by somebody in it.' },
  everyone_left: { what: 'Everybody had left.' },
  nobody_joined: { what: 'Nobody came.' },
  silence: { what: 'Nobody spoke for a long time.' },
  max_duration: { what: 'It reached the longest time a bot may stay.' },
  lobby_timeout: {
    what: 'Nobody let the bot in while it waited in the lobby.',
    todo: 'Ask the host to admit the bot when it knocks, then start again. It waits as long as the lobby time-out says.',
  },
  denied: {
    what: 'Somebody in the meeting refused to let the bot in.',
    todo: 'Tell the host that the bot is wanted and under which name it knocks, then start again.',
  },
  no_answer: {
    what: 'The platform did not answer when the bot knocked.',
    todo: 'Start again; if it repeats, check whether the meeting lets guests in.',
  },
  sign_in_required: {
    what: 'The meeting lets only signed-in people in.',
    todo: 'The host can allow guests, or an administrator of Hansard can set up a bot account and start with it.',
  },
  blocked_by_platform: {
    what: 'The platform refused the bot’s browser.',
    todo: 'Wait some minutes and start again; a signed-in bot account helps where guests are refused.',
  },
  captcha: {
    what: 'The platform asked for proof of a human, which a bot does not give.',
    todo: 'The host can let guests in without it, or use a signed-in bot account.',
  },
  meeting_not_found: {
    what: 'There is no meeting at this link.',
    todo: 'Check the link with whoever sent it, and start again with the right one.',
  },
  meeting_not_started: {
    what: 'The host had not begun the meeting.',
    todo: 'Start again once the host is there.',
  },
  page_not_loaded: {
    what: 'The page of the meeting never became one that a bot can enter.',
    todo: 'Start again; if it repeats, an administrator should run “hansard doctor” on the machine.',
  },
  captions_unavailable: {
    what: 'The meeting gave the bot no captions to write down.',
    todo: 'The host can allow captions in the meeting’s settings.',
  },
  browser_crashed: {
    what: 'The bot’s browser crashed, and it could not come back.',
    todo: 'An administrator should check memory on the machine (“hansard doctor”), then start again.',
  },
  service_restarted: {
    what: 'Hansard was restarted and the bot could not go back.',
    todo: 'Start again if the meeting still goes on.',
  },
  at_capacity: {
    what: 'All bots were busy until the place in the queue ran out.',
    todo: 'Start again later, or an administrator raises HANSARD_MAX_BOTS.',
  },
  internal: {
    what: 'Something inside Hansard went wrong.',
    todo: 'Start again; an administrator finds the cause in the log under the id of this meeting.',
  },
}

/** "1 line", "2 lines". */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** 75 → "1:15", 3,725 → "1:02:05". */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
