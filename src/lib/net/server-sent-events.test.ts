import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readServerSentEvents } from './server-sent-events.ts'

async function* chunks(text: string, size: number) {
  for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size)
}

async function read(text: string, size = text.length) {
  return Array.fromAsync(readServerSentEvents(chunks(text, size)))
}

test('a server-sent event has its type, its data lines and the newest id', async () => {
  const text =
    ': open\n\nid: 7\nevent: note\ndata: one\ndata:two\n\ndata:  three\n\nevent: none\n\n'
  assert.deepEqual(await read(text), [
    { id: '7', event: 'note', data: 'one\ntwo' },
    { id: '7', event: 'message', data: ' three' },
  ])
})

test('an incomplete server-sent event at the end is ignored', async () => {
  assert.deepEqual(await read('data: whole\n\ndata: half\n'), [
    { id: '', event: 'message', data: 'whole' },
  ])
})

test('server-sent events are parsed the same for any line ends and chunk sizes', async () => {
  const message = fc.record({
    id: fc.stringMatching(/^\w{1,5}$/),
    event: fc.stringMatching(/^\w{1,5}$/),
    data: fc.array(fc.stringMatching(/^[\w: ]{0,6}$/), { minLength: 1, maxLength: 3 }),
  })
  const end = fc.constantFrom('\n', '\r\n', '\r')
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 4 }),
      end,
      fc.integer({ min: 1, max: 9 }),
      async (messages, lineEnd, size) => {
        const lines = messages.flatMap(({ id, event, data }) => {
          return [
            `id: ${id}`,
            `event: ${event}`,
            ...data.map((line) => `data: ${line}`),
            '',
            ': beat',
          ]
        })
        const text = [...lines, ''].join(lineEnd)
        const expected = messages.map(({ data, ...rest }) => ({ ...rest, data: data.join('\n') }))
        assert.deepEqual(await read(text, size), expected)
      },
    ),
  )
})
