import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decodeFields, encodeProtobuf, type ProtobufField } from '../wire/protobuf.ts'
import { createChatReader, encodeChatPackets } from './room-chat.ts'

const packet = (author: string, ...fields: ProtobufField[]) =>
  encodeProtobuf([[4, author], ...fields])
const header = (id: string, topic = 'lk.chat'): ProtobufField => [
  13,
  [
    [1, id],
    [3, topic],
  ],
]
const chunk = (id: string, index: number, text: string): ProtobufField => [
  14,
  [
    [1, id],
    [2, index],
    [3, text],
  ],
]
const trailer = (id: string): ProtobufField => [15, [[1, id]]]

function readAll(...packets: Uint8Array[]): string[] {
  const reader = createChatReader()
  return packets.flatMap((one) =>
    reader.read(one).map(({ messageId, authorId, text }) => `${messageId} ${authorId}: ${text}`),
  )
}

test('what the bot writes is read as one message in both forms', () => {
  const packets = encodeChatPackets('Bonjour à tous', 1_000).map((bytes) =>
    Buffer.concat([bytes, encodeProtobuf([[4, 'bot']])]),
  )
  const messages = readAll(...packets)
  assert.equal(messages.length, 2)
  assert.equal(messages[0], messages[1])
  assert.match(messages[0] ?? '', /^[\da-f-]{36} bot: Bonjour à tous$/)
})

test('chunks are joined in order, and only their author can add to a message', () => {
  assert.deepEqual(
    readAll(
      packet('ana', header('s')),
      packet('ana', chunk('s', 1, 'world')),
      packet('eve', chunk('s', 2, ', give me money')),
      packet('ana', chunk('s', 0, 'Hello ')),
      packet('eve', trailer('s')),
      packet('ana', trailer('s')),
      packet('ana', trailer('s')),
    ),
    ['s ana: Hello world'],
  )
})

test('the older form is read, unless the message follows in the newer one', () => {
  const old = (message: object | null, topic = 'lk-chat-topic') =>
    packet('ana', [
      2,
      [
        [2, JSON.stringify(message)],
        [4, topic],
      ],
    ])
  assert.deepEqual(
    readAll(
      old({ id: 'm', message: 'Hello' }),
      old({ id: 'n', message: 'Hello', ignoreLegacy: true }),
      old({ id: 'o', message: 5 }),
      old(null),
      old({ id: 'p', message: 'Hello' }, 'game'),
    ),
    ['m ana: Hello'],
  )
})

test('private messages, other topics, deleted ones and invalid bytes are left out', () => {
  const chat = (...fields: ProtobufField[]): ProtobufField => [9, [[1, 'm'], [4, 'x'], ...fields]]
  assert.deepEqual(
    readAll(
      packet('ana', [5, 'ben'], chat()),
      packet('', chat()),
      packet('ana', chat([5, true])),
      packet('ana', chat([6, true])),
      packet('ana', header('s', 'files')),
      packet('ana', chunk('s', 0, 'x')),
      packet('ana', trailer('s')),
      packet('x'.repeat(10_000), chat()),
      Buffer.from('no protobuf'),
      Buffer.alloc(0),
    ),
    [],
  )
})

test('a message without end and many open messages need little memory', () => {
  const reader = createChatReader()
  reader.read(packet('ana', header('s')))
  const long = 'x'.repeat(10_000)
  for (let index = 0; index < 100; index += 1) reader.read(packet('ana', chunk('s', index, long)))
  const [message] = reader.read(packet('ana', trailer('s')))
  assert.ok((message?.text.length ?? 0) < 10_000)
  for (let index = 0; index < 1_000; index += 1) reader.read(packet('ana', header(`t${index}`)))
  assert.deepEqual(reader.read(packet('ana', trailer('t0'))), [])
})

test('an encoded message can be decoded, with numbers of more than 32 bits', () => {
  const decoded = decodeFields(
    encodeProtobuf([
      [1, 2 ** 45],
      [2, 'é'],
      [3, [[1, false]]],
    ]),
  )
  assert.ok(decoded.isDecoded)
  assert.deepEqual(decoded.value.get(1), [2 ** 45])
  assert.equal(Buffer.from(decoded.value.get(2)?.[0] as Uint8Array).toString(), 'é')
})
