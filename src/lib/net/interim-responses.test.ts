import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { installInterimResponseFilter } from './interim-responses.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'

/** A socket that returns the given chunks, and everything that a client reads from it. */
function createSocket(...chunks: string[]) {
  const waiting = chunks.map((chunk) => Buffer.from(chunk))
  const socket = { read: (): Buffer | null => waiting.shift() ?? null }
  const filter = installInterimResponseFilter(socket)
  const readAll = () => {
    let text = ''
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) text += chunk.toString()
    return text
  }
  return { filter, readAll, receive: (chunk: string) => void waiting.push(Buffer.from(chunk)) }
}

test('interim responses before a response are removed, wherever the bytes are split', () => {
  const all = `${CONTINUE}${HINTS}HTTP/1.1 102 Processing\r\n\r\n${CONTINUE}${OK}`
  assert.equal(createSocket(all).readAll(), OK)
  assert.equal(createSocket(...all.split('')).readAll(), OK)
  for (let split = 1; split < all.length; split += 1) {
    assert.equal(createSocket(all.slice(0, split), all.slice(split)).readAll(), OK, `at ${split}`)
  }
})

test('a response that is no interim response passes unchanged', () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\n\r\n'
  for (const text of [
    OK,
    switching,
    'HTTP/1.1 1000 X\r\n\r\n',
    'HTTP/2 100\r\n\r\n',
    'SSH-2.0-x',
  ]) {
    assert.equal(createSocket(text).readAll(), text)
    assert.equal(createSocket(...text.split('')).readAll(), text)
  }
  assert.equal(createSocket(`${OK}${CONTINUE}`).readAll(), `${OK}${CONTINUE}`)
})

test('interim responses are removed again only when the next response is expected', () => {
  const { filter, readAll, receive } = createSocket(OK)
  assert.equal(readAll(), OK)
  receive(CONTINUE)
  assert.equal(readAll(), CONTINUE)
  filter.expectResponse()
  assert.equal(filter.hasReceivedBytes(), false)
  receive(CONTINUE.slice(0, 5))
  assert.equal(readAll(), '')
  assert.equal(filter.hasReceivedBytes(), true)
  receive(`${CONTINUE.slice(5)}${OK}`)
  assert.equal(readAll(), OK)
})

test('interim responses without end are passed on', () => {
  const endless = CONTINUE.repeat(1_000)
  assert.ok(createSocket(endless.slice(0, 10_000), endless).readAll().startsWith(CONTINUE))
  assert.match(createSocket(`HTTP/1.1 100 ${'x'.repeat(20_000)}`).readAll(), /^HTTP\/1\.1 100 x/)
})
