import type { SessionEnd } from '../../page-session/page-session.ts'
import type { PlatformEndReason } from '../../platform.ts'
import type { MessageOfType } from './messages.ts'

/** Why the server did not let the bot in. */
export type Refusal = {
  because: PlatformEndReason
  detail: string
  /** Whether the group may open by itself, so that asking again makes sense. */
  mayOpenLater?: boolean
}

type RefusalRow = {
  /** The server's words, or its code of the error. */
  texts: readonly string[]
  because(hasPassword: boolean): PlatformEndReason
  /** What to do about it. */
  advice(hasPassword: boolean): string
  mayOpenLater?: boolean
}

const SETTING = 'HANSARD_GALENE_PASSWORD'

/** What Galène answers to a request to join. Words of an operator who locked the group are in no row. */
const REFUSALS: readonly RefusalRow[] = [
  {
    texts: ['not authorised'],
    because: (hasPassword) => (hasPassword ? 'denied' : 'sign_in_required'),
    advice: (hasPassword) =>
      hasPassword
        ? `Check ${SETTING}: the group may need another password, or a password for the name of the bot`
        : `If the group needs a password, set it as ${SETTING}`,
  },
  {
    texts: ['duplicate-username'],
    because: () => 'denied',
    advice: () => 'Choose another name for the bot: a member of the group has this name',
  },
  {
    texts: ['group does not exist', 'illegal group name'],
    because: () => 'meeting_not_found',
    advice: () => 'Check the link',
  },
  {
    texts: ['this group is not open yet', 'there are no operators in this group'],
    because: () => 'meeting_not_started',
    advice: () => 'Start the bot when the group is open',
    mayOpenLater: true,
  },
  {
    texts: ['this group is closed'],
    because: () => 'meeting_not_found',
    advice: () => 'The group has expired. Ask its owner for a new one',
  },
  {
    texts: ['too many users'],
    because: () => 'denied',
    advice: () => 'The group has reached its limit of participants (max-clients)',
  },
]

const LOCKED_ADVICE =
  'If the group is locked, ask an operator of the group to unlock it, then start again'

/** Explains the answer to a request to join, with the server's own words. */
export function describeRefusal(
  { kind, error, value }: Pick<MessageOfType<'joined'>, 'kind' | 'error' | 'value'>,
  hasPassword: boolean,
): Refusal {
  const said = value.slice(0, 300)
  if (kind === 'redirect')
    return {
      because: 'meeting_not_found',
      detail: `The group has moved to ${said}. Start again with that link`,
    }
  const row = REFUSALS.find(({ texts }) => texts.includes(error) || texts.includes(value))
  const quote = `Galène did not let the bot in: “${said || error || 'no reason given'}”`
  if (row === undefined) return { because: 'denied', detail: `${quote}. ${LOCKED_ADVICE}` }
  return {
    because: row.because(hasPassword),
    detail: `${quote}. ${row.advice(hasPassword)}`,
    ...(row.mayOpenLater === true && { mayOpenLater: true }),
  }
}

/** With these words the server removes everybody after the last operator left. */
const OPERATORS_LEFT = 'there are no operators in this group'
/** With these words the server removes everybody before it ends. It may be started again. */
const SERVER_ENDS = 'server is shutting down'

/** How the session ends after the server removed the bot. */
export function describeKick(words: string): SessionEnd {
  const said = words.slice(0, 300)
  if (words === SERVER_ENDS) return { kind: 'again', why: `The server said: “${said}”` }
  return words === OPERATORS_LEFT
    ? { kind: 'over', because: 'host_ended', detail: `Galène ended the meeting: “${said}”` }
    : {
        kind: 'over',
        because: 'removed',
        detail: `An operator removed the bot from the group: “${said}”`,
      }
}
