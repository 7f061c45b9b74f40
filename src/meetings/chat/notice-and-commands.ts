import { PLATFORM_INFO } from '../../bots/platforms/platform-info.ts'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { SpeechMode } from '../../bots/platforms/speech/speech-mode.ts'

/** Replaced by the source of the bot's notes, which is known when a bot attends the meeting. */
const SOURCE = '{source}'
const DEFAULT_NOTICE = `Hello, I am {name}, a note-taking bot. ${SOURCE}`
/** Participants consent to what the notice says, so it must not describe less than the bot does. */
const SOURCE_NOTICES: Readonly<Record<SpeechMode, string>> = {
  off: 'I write down what is said in this meeting, from its captions.',
  fallback:
    'I write down what is said in this meeting, from its captions. Where captions are missing, I listen and recognize the speech.',
  always: 'I listen to this meeting, recognize the speech and write down what is said.',
}
const COMMANDS_NOTICE =
  'To stop me, write “hansard leave” in this chat. “hansard pause” and “hansard resume” pause and continue my notes.'
const WITHOUT_COMMANDS_NOTICE = 'To stop me, remove me from the meeting.'

export const PAUSED_REPLY =
  'I have paused my notes. Write “hansard resume” in this chat to continue them.'
export const RESUMED_REPLY = 'I am taking notes again.'

/** What a participant can tell the bot to do in the meeting chat. */
export type ChatCommand = 'leave' | 'pause' | 'resume'

/** Addresses every bot, whatever name it joined with. */
const ADDRESS = 'hansard'

const COMMAND_BY_VERB: Readonly<Record<string, ChatCommand>> = {
  stop: 'leave',
  leave: 'leave',
  pause: 'pause',
  resume: 'resume',
  continue: 'resume',
}
/** A longer message is conversation, even if it contains a command. */
const MAX_COMMAND_CHARS = 200

/**
 * The notice that the bot posts when it is admitted: who it is, what it does and how to make it stop. Null if it posts
 * none. `{name}` in a custom text is replaced by the bot's name.
 */
export function formatChatNotice(
  /** The text of the operator or of the start request. Undefined means the default, null means no notice. */
  custom: string | null | undefined,
  { botName, hasCommands }: { botName: string; hasCommands: boolean },
): string | null {
  if (custom === null) return null
  const hint = hasCommands ? COMMANDS_NOTICE : WITHOUT_COMMANDS_NOTICE
  return (custom ?? `${DEFAULT_NOTICE} ${hint}`).replaceAll('{name}', () => botName)
}

/** Adds the source of the bot's notes to a notice. Where the platform has no captions, bots always listen. */
export function completeChatNotice(
  notice: string,
  { platform, speech }: { platform: PlatformName; speech: SpeechMode },
): string {
  return notice.replaceAll(
    SOURCE,
    SOURCE_NOTICES[PLATFORM_INFO[platform].hasCaptions ? speech : 'always'],
  )
}

/**
 * Returns the command in a chat message, or null. A command is the bot's name or `hansard`, and a verb, in any case and
 * with any punctuation: `@Hansard, stop!`.
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
