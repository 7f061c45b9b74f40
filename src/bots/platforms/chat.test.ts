import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PageChatMessage } from './bridge/messages.ts'
import { createChatMerger } from './chat.ts'
import { createWireRoster } from './wire/wire-roster.ts'
import type { WireChatMessage } from './wire/wire-types.ts'

function openMerger() {
  const roster = createWireRoster()
  roster.applyChanges([
    { id: 'd1', presence: 'here', name: 'Ana' },
    { id: 'd9', presence: 'here', name: 'Notes', isSelf: true },
  ])
  const merger = createChatMerger({ roster, ownName: 'Notes', idPrefix: 'session' })
  merger.start(0)
  let now = 0
  return {
    roster,
    merger,
    wire: (text: string, more: Partial<WireChatMessage> = {}) =>
      merger.addWireMessages([{ messageId: `w${text}`, authorId: 'd1', text, ...more }], now),
    page: (text: string, more: Partial<PageChatMessage> = {}) =>
      merger.addPageMessages([{ id: `p${text}`, author: 'Ana', text, ageMs: null, ...more }], now),
    /** The messages as `author: text`, after the given time has passed. */
    take(ms = 1_000) {
      now += ms
      return merger.take(now).map(({ author, text }) => `${author}: ${text}`)
    },
  }
}

test('a message that arrives on the wire and on the page is emitted once, whichever comes first', () => {
  const { wire, page, take } = openMerger()
  wire('Hello')
  page('Hello')
  page(' Bye ')
  wire('Bye')
  assert.deepEqual(take(), ['Ana: Hello', 'Ana:  Bye '])
  assert.deepEqual(take(), [])
})

test('the same text written twice is two messages', () => {
  const { wire, page, take } = openMerger()
  wire('Yes', { messageId: '1' })
  page('Yes', { id: '1' })
  wire('Yes', { messageId: '2' })
  wire('Yes', { messageId: '2' })
  page('Yes', { id: '2' })
  assert.deepEqual(take(), ['Ana: Yes', 'Ana: Yes'])
})

test('a message on the wire waits for the name of its author, at most three seconds', () => {
  const { roster, wire, page, take } = openMerger()
  wire('Who?', { authorId: 'd2' })
  assert.deepEqual(take(), [])
  roster.applyChanges([{ id: 'd2', presence: 'here', name: 'Ben' }])
  assert.deepEqual(take(), ['Ben: Who?'])
  wire('Nobody', { authorId: 'd3' })
  assert.deepEqual(take(), [])
  assert.deepEqual(take(2_500), [': Nobody'])
  wire('On the page', { authorId: 'd4' })
  page('On the page', { author: 'Chloe' })
  assert.deepEqual(take(), ['Chloe: On the page'])
  assert.deepEqual(take(5_000), [])
})

test('the own notice is not emitted, but the words of an imitator are', () => {
  const { merger, wire, page, take } = openMerger()
  merger.addOwnText('I take notes.')
  wire('I take notes.', { authorId: 'd9' })
  page('I take notes.', { author: '' })
  page('I take  notes.', { id: 'again', author: 'Notes (Guest)' })
  page('I take notes.', { id: 'copy', author: 'Ana' })
  page('hansard leave', { author: 'Notes' })
  assert.deepEqual(take(), ['Ana: I take notes.', 'Notes: hansard leave'])
})

test('messages of an earlier meeting are ignored, and messages before admission wait', () => {
  const roster = createWireRoster()
  const merger = createChatMerger({ roster, ownName: 'Notes', idPrefix: 's' })
  const message = { id: '', author: 'Ana', text: 'x', ageMs: 10_000 }
  merger.addPageMessages([message, { ...message, text: 'old', ageMs: 86_400_000 }], 0)
  assert.deepEqual(merger.take(500), [])
  merger.start(1_000)
  assert.deepEqual(merger.take(1_000), [{ messageId: 's/chat-1', author: 'Ana', text: 'x' }])
})

test('a flood of messages is bounded', () => {
  const { wire, take } = openMerger()
  for (let i = 0; i < 20_000; i += 1) wire(`spam ${i}`)
  assert.equal(take().length, 5_000)
})
