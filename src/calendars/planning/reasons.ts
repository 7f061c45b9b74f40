/**
 * Why a bot joins a meeting of a calendar or does not, with the sentence that people read. If several reasons apply,
 * `decideAttendance` uses the first one that it finds. A test compares docs/calendars.md with this table.
 */
export const UPCOMING_REASON_TEXTS = {
  will_join: 'A bot will join',
  no_bot_free: 'No bot could be sent yet; Hansard keeps trying',
  past: 'The meeting is over',
  missed: 'No bot could join before the meeting was over',
  bot_left: 'The bot has left or could not join; see its meeting',
  cancelled: 'The meeting was cancelled',
  no_link: 'The invitation has no link to a supported meeting',
  skipped_by_person: 'Skipped manually',
  paused: 'The calendar is paused',
  no_access: 'You can no longer save meetings in the project of this calendar',
  token_revoked: 'The API token that signs the callbacks was revoked',
  account_missing: 'The bot account of this calendar cannot be used on this platform',
  callback_blocked: 'The callback URL of this calendar is not allowed',
  all_day: 'All-day events are not joined',
  private: 'The event is marked as private',
  declined: 'You declined the invitation',
  not_accepted: 'You have not accepted the invitation',
  not_organised: 'Someone else organises the meeting',
  not_invited: 'The address in your rules is not invited',
  title_excluded: 'The title contains a word that your rules exclude',
  title_not_matching: 'The title contains none of the words in your rules',
  same_room: 'Another bot of the same project attends this meeting',
} as const

export type UpcomingReason = keyof typeof UPCOMING_REASON_TEXTS
export const UPCOMING_REASONS = Object.keys(UPCOMING_REASON_TEXTS) as [
  UpcomingReason,
  ...UpcomingReason[],
]

/** Reasons that prevent all meetings of a calendar. */
export const OBSTACLE_REASONS: readonly UpcomingReason[] = [
  'paused',
  'no_access',
  'token_revoked',
  'account_missing',
  'callback_blocked',
]
