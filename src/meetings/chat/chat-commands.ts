/** What a participant can ask the bot for in the meeting chat. */
export type ChatCommand = 'leave' | 'pause' | 'resume'

/** The word that addresses every bot, whatever name it has joined with. */
const ADDRESS = 'hansard'

const COMMAND_BY_VERB: Readonly<Record<string, ChatCommand>> = {
  stop: 'leave',
  leave: 'leave',
  pause: 'pause',
  resume: 'resume',
  continue: 'resume',
}
/** Longer messages are conversation, even if they contain a command. */
const MAX_COMMAND_CHARS = 200

/**
 * The command in a chat message; null for every other message. A command is the name of the bot or `hansard`, and a
 * verb, in any case and with any punctuation: `@Hansard, stop!`.
 */
export function parseChatCommand(text: string, botName: string): ChatCommand | null {
  if (text.length > MAX_COMMAND_CHARS) return null
  const words = wordsOf(text).filter((word) => word !== 'please')
  const verb = words.at(-1) ?? ''
  const command = Object.hasOwn(COMMAND_BY_VERB, verb) ? COMMAND_BY_VERB[verb] : undefined
  const address = words.slice(0, -1).join(' ')
  const isAddressed =
    address === ADDRESS || (address !== '' && address === wordsOf(botName).join(' '))
  return isAddressed ? (command ?? null) : null
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
}
