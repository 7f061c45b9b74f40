const DEFAULT_NOTICE =
  'Hello, I am {name}, a note-taking bot. I write down what is said in this meeting, from its captions.'
const COMMANDS_NOTICE =
  'To stop me, write “hansard leave” in this chat. “hansard pause” and “hansard resume” pause and continue my notes.'
const WITHOUT_COMMANDS_NOTICE = 'To stop me, remove me from the meeting.'

export const PAUSED_REPLY =
  'I have paused my notes. Write “hansard resume” in this chat to continue them.'
export const RESUMED_REPLY = 'I am taking notes again.'

/**
 * The notice that the bot posts when it is admitted: who it is, what it does and how to make it stop. Null when it posts
 * none. `{name}` in a custom text becomes the name of the bot.
 */
export function formatChatNotice(
  /** The text of the operator or of the start request; undefined for the default, null for none. */
  custom: string | null | undefined,
  { botName, hasCommands }: { botName: string; hasCommands: boolean },
): string | null {
  if (custom === null) return null
  const hint = hasCommands ? COMMANDS_NOTICE : WITHOUT_COMMANDS_NOTICE
  return (custom ?? `${DEFAULT_NOTICE} ${hint}`).replaceAll('{name}', () => botName)
}
