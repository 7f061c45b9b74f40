import type { UpcomingReason } from '../../src/http/shapes/values.ts'

/** True if a person can override this reason for one meeting. */
export const CAN_BE_OVERRULED: Record<UpcomingReason, boolean> = {
  will_join: true,
  no_bot_free: true,
  past: false,
  missed: false,
  bot_left: true,
  cancelled: false,
  no_link: false,
  skipped_by_person: true,
  paused: false,
  no_access: false,
  token_revoked: false,
  account_missing: false,
  callback_blocked: false,
  all_day: true,
  private: true,
  declined: true,
  not_accepted: true,
  not_organised: true,
  not_invited: true,
  title_excluded: true,
  title_not_matching: true,
  same_room: true,
}

/** Which meetings the page shows. */
export const UPCOMING_VIEWS = ['all', 'joining'] as const

const MAX_NAME_LENGTH = 60

export function shortenTitle(title: string): string {
  return title.length > MAX_NAME_LENGTH ? `${title.slice(0, MAX_NAME_LENGTH)}…` : title
}
