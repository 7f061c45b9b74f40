import { MAX_ID_CHARS } from '../../wire/facts.ts'
import { read, unread, type Reading } from '../../wire/reading.ts'
import { numberIn, readFields, textIn, writeFields, type Field } from './protobuf.ts'
import { bytesOfBase64 } from './roster.ts'

const MAX_BYTES = 256 * 1_024
const DEVICE = /spaces\/[\w-]{1,80}\/devices\/[\w-]{1,32}/
const SESSION = /mediasessions\/[\w-]{1,80}/

/** `isSuspected`: the platform takes this client for a program, and will probably refuse it. */
export type OwnDevice = { deviceId: string; isSuspected: boolean }

/** What CreateMeetingDevice answers. Where in it the own device stands has been seen to vary. */
export function readOwnDevice(body: string): Reading<OwnDevice> {
  const bytes = bytesOfBase64(body, MAX_BYTES)
  if (!bytes.isRead) return bytes
  const fields = readFields(bytes.value)
  if (!fields.isRead) return fields
  const deviceId = find(DEVICE, textIn(fields.value, 1), bytes.value)
  if (deviceId === undefined || deviceId.length > MAX_ID_CHARS) return unread('unknown')
  return read({ deviceId, isSuspected: (numberIn(fields.value, 36) ?? 0) !== 0 })
}

/** What GetMediaSession answers: the name under which the language of captions is set. */
export function readMediaSession(body: string): Reading<string> {
  const bytes = bytesOfBase64(body, MAX_BYTES)
  if (!bytes.isRead) return bytes
  const fields = readFields(bytes.value)
  if (!fields.isRead) return fields
  const session = find(SESSION, textIn(fields.value, 1), bytes.value)
  return session === undefined ? unread('unknown') : read(session)
}

/** Asks for captions in a language, on `media-session`. The number rises with every wish of a connection. */
export function languageWish(operation: number, language: string): Uint8Array {
  const wish: Field[] = [
    [1, operation],
    [3, [[1, captionConfig(language)], configMask()]],
  ]
  return writeFields([[1, [[2, wish]]]])
}

/** The same as the body of UpdateMediaSession. */
export function languageUpdate(session: string, language: string): Uint8Array {
  return writeFields([
    [
      1,
      [
        [1, session],
        [3, captionConfig(language)],
      ],
    ],
    configMask(),
  ])
}

/** What the servers want to hear back of their own messages on `media-session`. */
export function sessionReceipt(sequence: number): Uint8Array {
  return writeFields([
    [
      1,
      [
        [
          1,
          [
            [2, sequence],
            [3, 1],
          ],
        ],
      ],
    ],
  ])
}

function captionConfig(language: string): Field[] {
  return [
    [
      9,
      [
        [1, language],
        [2, language],
      ],
    ],
  ]
}

function configMask(): Field {
  return [2, [[1, 'client_config.caption_config']]]
}

function find(pattern: RegExp, first: string | undefined, all: Uint8Array): string | undefined {
  return (pattern.exec(first ?? '') ?? pattern.exec(Buffer.from(all).toString('latin1')))?.[0]
}
