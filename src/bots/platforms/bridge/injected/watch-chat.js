import { normalizeText } from './find-parts.js'

/**
 * The rest is sent with the next polls, so that a flood of messages does not delay captions. The newest messages are
 * sent first, so that a flood does not delay later messages either.
 */
const MAX_CHAT_MESSAGES = 200
const MAX_CHAT_TEXT = 5_000
const MAX_CHAT_ID = 300
/** No chat has this many messages. The oldest ids are forgotten first. */
const MAX_KNOWN_CHAT_IDS = 20_000

/** Sends each chat message once. The page contains the chat only after it was opened. */
export function watchChat({ findHidden, findAround }, send) {
  /** What was sent for each element: the message's id, or its text. A list may reuse an element. */
  const sentByElement = new WeakMap()
  const knownIds = new Set()

  function idOf(element) {
    const id = element.getAttribute('data-message-id') ?? element.getAttribute('data-mid') ?? ''
    return id.slice(0, MAX_CHAT_ID)
  }
  function readText(element) {
    const body = findHidden('chatText', element)[0]
    const text = (body ?? element).textContent.slice(0, MAX_CHAT_TEXT)
    return { bodyId: (body?.id ?? '').slice(0, MAX_CHAT_ID), text }
  }
  function remember(id) {
    knownIds.add(id)
    if (knownIds.size > MAX_KNOWN_CHAT_IDS) knownIds.delete(knownIds.values().next().value)
  }
  function readAge(around) {
    const written = Date.parse(findHidden('chatTime', around)[0]?.getAttribute('datetime') ?? '')
    return Number.isNaN(written) ? null : Date.now() - written
  }
  /** An element's new message; null if it was already sent or is still empty. */
  function readNew(element) {
    const ownId = idOf(element)
    if (ownId !== '' && sentByElement.get(element) === ownId) return null
    const { bodyId, text } = readText(element)
    if (text.trim() === '') return null
    const id = ownId || bodyId
    const mark = id || text
    if (sentByElement.get(element) === mark) return null
    sentByElement.set(element, mark)
    if (id !== '' && knownIds.has(id)) return null
    if (id !== '') remember(id)
    const around = findAround('chatGroup', element) ?? element
    const author = normalizeText(findHidden('chatAuthor', around)[0]?.textContent)
    return { id, author, text, ageMs: readAge(around) }
  }

  return {
    sendNew() {
      const list = findHidden('chatList', document)[0]
      if (list === undefined) return
      const messages = []
      for (const element of findHidden('chatMessage', list).toReversed()) {
        const message = readNew(element)
        if (message !== null) messages.push(message)
        if (messages.length === MAX_CHAT_MESSAGES) break
      }
      if (messages.length > 0) send(['chat', messages.toReversed()])
    },
  }
}
