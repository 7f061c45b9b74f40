import { createChatOutbox } from '../../bots/platforms/chat.ts'
import type { ChatMessage } from '../../bots/platforms/platform.ts'
import type { Db } from '../../db/database.ts'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { cleanText, findCutBetweenCharacters } from '../../language/clean-text.ts'
import { cleanParticipantName } from '../../language/person-names.ts'
import { addIfNew } from '../../lib/newest-entries.ts'
import type { Log } from '../../log.ts'
import { createMeetingOverOutcome, type BotOutcome } from '../attending/bot/bot-event-loop.ts'
import type { GapRecorder } from '../attending/bot/gap-recorder.ts'
import type { ChatOptions } from '../meeting.ts'
import { LeaseLost, type MeetingLease } from '../record/meeting-store.ts'
import { makePlatformIdStorable } from '../record/platform-ids.ts'
import {
  parseChatCommand,
  type ChatCommand,
  PAUSED_REPLY,
  RESUMED_REPLY,
} from './notice-and-commands.ts'
import { saveChatMessages, type NewChatMessage } from './stored-chat.ts'

/** A command of a participant. The author is empty if the platform does not say who wrote it. */
export type ReceivedCommand = { command: ChatCommand; author: string }

export type MeetingChat = ReturnType<typeof createMeetingChat>

type Parts = {
  db: Db
  lease: MeetingLease
  options: ChatOptions
  botName: string
  /** True if an earlier bot of the meeting was in the call and posted the notice. */
  hasBeenAdmitted: boolean
  log: Log
}

const FLUSH_MS = 1_000
const MAX_TEXT_CHARS = 2_000
/** Messages that are waiting to be stored. More are dropped, so that a flood cannot fill the memory. */
const MAX_WAITING = 5_000
/** Messages whose commands were already handled. A platform shows messages again when the bot rejoins. */
const MAX_KNOWN_IDS = 20_000

/** After this many pauses the recording stays paused, so that many commands cannot fill the transcript with gaps. */
const MAX_PAUSES = 100

export function createMeetingChat(parts: Parts) {
  const { db, lease, options, botName, log } = parts
  const outbox = createChatOutbox()
  const knownIds = new Set<string>()
  let waiting: NewChatMessage[] = []
  let flushAt = Infinity
  let isNoticeDue = options.notice !== null && !parts.hasBeenAdmitted

  function keep({ messageId, author, text }: ChatMessage, at: Date): void {
    if (waiting.length >= MAX_WAITING) return
    const row = {
      messageId: makePlatformIdStorable(messageId),
      author: cleanParticipantName(author),
      at,
    }
    const clean = cleanText(text.slice(0, 2 * MAX_TEXT_CHARS))
    const cut = findCutBetweenCharacters(clean, Math.min(clean.length, MAX_TEXT_CHARS))
    waiting.push({ ...row, text: clean.slice(0, cut) })
    flushAt = Math.min(flushAt, at.getTime() + FLUSH_MS)
  }

  return {
    /** Lets the platform post and read messages. */
    access: { outbox, isRead: options.commands || options.store },
    /** Called when the bot is in the call. The first bot of a meeting posts the notice, once. */
    handleAdmission() {
      if (isNoticeDue && options.notice !== null) outbox.add(options.notice)
      isNoticeDue = false
    },
    /** Posts a message, for example the answer to a command. */
    post: outbox.add,
    /** Takes new messages and returns the commands in them. No message is stored while the recording is paused. */
    receive(messages: readonly ChatMessage[], at: Date, isPaused: boolean): ReceivedCommand[] {
      const fresh = messages.filter(({ messageId }) => addIfNew(knownIds, messageId, MAX_KNOWN_IDS))
      if (options.store && !isPaused) for (const message of fresh) keep(message, at)
      if (!options.commands) return []
      return fresh.flatMap(({ author, text }) => {
        const command = parseChatCommand(text, botName)
        return command === null ? [] : [{ command, author: cleanParticipantName(author) }]
      })
    },
    /** When messages must be stored next, in milliseconds since the epoch; Infinity if none are waiting. */
    nextFlushAt: () => flushAt,
    async flush() {
      flushAt = Infinity
      const messages = waiting
      waiting = []
      if (messages.length === 0) return
      try {
        await retryWhileTransient(() => saveChatMessages(db, lease, messages))
      } catch (error) {
        if (error instanceof LeaseLost) throw error
        log.warn({ err: error, messages: messages.length }, 'failed to store chat messages')
      }
    },
  }
}

/** Returns a function that handles participants' commands. A request to leave ends the visit. */
export function createChatHandler(
  { chat, log }: { chat?: MeetingChat; log: Log },
  gapRecorder: GapRecorder,
) {
  let pauses = 0
  return async (messages: readonly ChatMessage[], at: Date): Promise<BotOutcome | null> => {
    for (const message of messages) {
      for (const { command, author } of chat?.receive([message], at, gapRecorder.isPaused()) ??
        []) {
        log.info({ command }, 'command received in the meeting chat')
        if (command === 'leave') {
          const detail = `${author || 'A participant'} asked the bot to leave in the meeting chat`
          return createMeetingOverOutcome('asked_to_leave', detail)
        }
        if (command === 'pause' && (await gapRecorder.pause(at))) {
          pauses += 1
          chat?.post(PAUSED_REPLY)
        }
        if (command === 'resume' && pauses <= MAX_PAUSES && (await gapRecorder.resume(at)))
          chat?.post(RESUMED_REPLY)
      }
    }
    return null
  }
}
