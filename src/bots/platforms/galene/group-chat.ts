import { createChatMerger } from '../chat/chat-merger.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import type { GroupMembers } from './group-members.ts'
import type { MessageOfType } from './protocol/messages.ts'

/** Longer messages are cut. */
const MAX_POST_CHARS = 2_000

type Options = {
  joinRequest: JoinRequest
  members: GroupMembers
  idPrefix: string
  emit(event: PlatformEvent): void
}

/** The chat of a group. Private messages and messages from before the bot joined are not read. */
export interface GroupChat {
  start(now: number): void
  read(message: MessageOfType<'chat'>, now: number): void
  /** Reports new messages, and posts the next one of the bot with `post` if the bot may post. */
  update(now: number, post: ((text: string) => void) | null): void
}

export function createGroupChat({ joinRequest, members, idPrefix, emit }: Options): GroupChat {
  const { chat, displayName: ownName } = joinRequest
  const merger = createChatMerger({ roster: members.roster, ownName, idPrefix })

  function postNext(post: ((text: string) => void) | null): void {
    const text = chat?.outbox.first()?.slice(0, MAX_POST_CHARS)
    if (text === undefined) return
    if (post === null)
      emit({
        kind: 'chat unavailable',
        detail: 'The bot may not write in the chat of this Galène group (permission “message”)',
      })
    else {
      merger.addOwnText(text)
      post(text)
    }
    chat?.outbox.removeFirst()
  }

  return {
    start: merger.start,
    read({ kind, id, dest, source, username, value }, now) {
      // Captions that a member types are left out, because speech recognition hears the same words.
      if (chat?.isRead !== true || kind === 'caption' || dest !== '' || value === '') return
      const message = { messageId: id, authorId: source, authorName: username, text: value }
      merger.addWireMessages([message], now)
    },
    update(now, post) {
      const messages = merger.take(now)
      if (messages.length > 0) emit({ kind: 'chat', messages })
      postNext(post)
    },
  }
}
