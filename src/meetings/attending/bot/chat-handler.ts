import type { ChatMessage } from '../../../bots/platforms/platform.ts'
import type { Log } from '../../../log.ts'
import { PAUSED_REPLY, RESUMED_REPLY } from '../../chat/chat-notice.ts'
import type { MeetingChat } from '../../chat/meeting-chat.ts'
import { createMeetingOverOutcome, type BotOutcome } from './bot-outcome.ts'
import type { GapRecorder } from './gap-recorder.ts'

/** After this many pauses the record stays paused, so that a flood of commands does not fill the transcript with gaps. */
const MAX_PAUSES = 100

/** Returns a function that does what participants ask for in the meeting chat. A request to leave ends the visit. */
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
