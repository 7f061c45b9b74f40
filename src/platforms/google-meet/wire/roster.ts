import { MAX_ID_CHARS, type Presence, type WirePerson } from '../../wire/facts.ts'
import { unpack } from '../../wire/inflate.ts'
import { read, unread, type Reading } from '../../wire/reading.ts'
import { messagesAt, numberIn, readFields, textIn, type Fields } from './protobuf.ts'

/** Some thousand people with long names and picture addresses. */
const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_PEOPLE = 5_000

const PRESENCE: Readonly<Record<number, Presence>> = { 1: 'here', 6: 'gone', 7: 'removed' }

/** A message of `collections`: those of whom something changed, often nobody. */
export function readCollections(bytes: Uint8Array): Reading<WirePerson[]> {
  const root = readRoot(bytes)
  if (!root.isRead) return root
  if (messagesAt(root.value, 1).length === 0) return unread('unknown')
  return read(peopleOf(messagesAt(root.value, 1, 2, 13, 1, 2)))
}

/** What SyncMeetingSpaceCollections answers: everybody. A list without anybody is none, as we are on it. */
export function readEverybody(body: string): Reading<WirePerson[]> {
  const bytes = bytesOfBase64(body, MAX_BYTES)
  if (!bytes.isRead) return bytes
  const root = readRoot(bytes.value)
  if (!root.isRead) return root
  const people = peopleOf(messagesAt(root.value, 2, 2, 2))
  return people.length === 0 ? unread('unknown') : read(people)
}

/** What is not base64 at all is malformed; what surrounds and breaks it is not minded. */
export function bytesOfBase64(text: string, maxBytes: number): Reading<Uint8Array> {
  if (text.length > maxBytes * 1.5) return unread('too large')
  if (!/^[\w+/=\s-]*$/.test(text)) return unread('malformed')
  return read(Buffer.from(text, 'base64'))
}

function readRoot(bytes: Uint8Array): Reading<Fields> {
  const plain = unpack(bytes, { maxBytes: MAX_BYTES, offsets: [0, 3] })
  return plain.isRead ? readFields(plain.value) : plain
}

function peopleOf(users: readonly Fields[]): WirePerson[] {
  return users.slice(0, MAX_PEOPLE).flatMap(personOf)
}

function personOf(user: Fields): WirePerson[] {
  const id = textIn(user, 1)
  if (!id || id.length > MAX_ID_CHARS) return []
  const name = textIn(user, 2) || textIn(user, 29)
  const parentId = textIn(user, 21)
  const host = numberIn(user, 34)
  return [
    {
      id,
      presence: PRESENCE[numberIn(user, 4) ?? 0] ?? 'unsaid',
      ...(name && { name }),
      ...(host !== undefined && { isHost: host !== 0 }),
      ...(textIn(user, 7) && { isSelf: true }),
      ...(parentId && { parentId }),
    },
  ]
}
