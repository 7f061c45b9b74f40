/** The steps of the console's list "Get started". */
export const GET_STARTED_STEPS = [
  'practice',
  'recap',
  'token',
  'inbox',
  'task',
  'real_meeting',
  'calendar',
] as const
export type GetStartedStep = (typeof GET_STARTED_STEPS)[number]

/** What the console lists under "Needs attention". The key of a dismissed item begins with one of these. */
export const ATTENTION_KINDS = [
  'lobby',
  'callbacks',
  'join',
  'calendar',
  'undelivered',
  'task',
  'model',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/**
 * What the console remembers for a user.
 * `get_started`: the key is a step that the user has done, or `hidden` for the list itself.
 * `attention`: the key is an item that the user has dismissed, with its state at that time.
 */
export const USER_MARK_KINDS = ['get_started', 'attention'] as const
export type UserMarkKind = (typeof USER_MARK_KINDS)[number]

export const HIDDEN_LIST_KEY = 'hidden'
/** The item, then a part that changes when something new happens, such as `calendar:cal_1:2026-11-15T08:30:00.000Z`. */
const ATTENTION_KEY_PATTERN = new RegExp(`^(?:${ATTENTION_KINDS.join('|')})(?::[\\w.:-]{1,180})?$`)

export function isUserMarkKey(kind: UserMarkKind, key: string): boolean {
  return kind === 'attention'
    ? ATTENTION_KEY_PATTERN.test(key)
    : [HIDDEN_LIST_KEY, ...GET_STARTED_STEPS].includes(key)
}
