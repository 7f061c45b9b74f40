import { createChatMerger } from '../chat.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import type { WireChatMessage } from '../wire/wire-types.ts'
import type { CallMembers } from './members.ts'

/** Writes in the chat; null if the bot may not. */
export type ChatPoster = ((text: string) => void) | null

/** Longer messages are cut. */
const MAX_POST_CHARS = 2_000

type Options = {
  joinRequest: JoinRequest
  members: CallMembers
  idPrefix: string
  /** What to report if the bot may not write. */
  unavailable: string
  emit(event: PlatformEvent): void
}

/** The chat of a call. Messages from before the bot joined are not read. */
export function createCallChat({ joinRequest, members, idPrefix, unavailable, emit }: Options) {
  const { chat, displayName: ownName } = joinRequest
  const merger = createChatMerger({ roster: members.roster, ownName, idPrefix })

  function postNext(post: ChatPoster): void {
    const text = chat?.outbox.first()?.slice(0, MAX_POST_CHARS)
    if (text === undefined) return
    if (post === null) emit({ kind: 'chat unavailable', detail: unavailable })
    else {
      merger.addOwnText(text)
      post(text)
    }
    chat?.outbox.removeFirst()
  }

  return {
    start: merger.start,
    read(message: WireChatMessage, now: number) {
      if (chat?.isRead === true && message.text !== '') merger.addWireMessages([message], now)
    },
    /** Reports new messages, and posts the bot's next message. */
    update(now: number, poster: ChatPoster) {
      const messages = merger.take(now)
      if (messages.length > 0) emit({ kind: 'chat', messages })
      postNext(poster)
    },
  }
}
