import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDecoder } from '../../src/recordings/decoding/decoder.ts'
import { UnreadableRecording } from '../../src/recordings/decoding/unreadable-recording.ts'
import { createWav } from './support/tones.ts'

const BROKEN = join(import.meta.dirname, 'support/broken-decoder.ts')

/** Opens a decoder that gets this byte first, and returns why it ended. */
async function reasonOf(kind: number, limits = { stepMs: 60_000, memoryBytes: 2 ** 40 }) {
  const read = async () => new Uint8Array([kind])
  try {
    using _ = await openDecoder({ size: 10, read, maxMs: 1_000, limits, entry: BROKEN })
  } catch (error) {
    assert.ok(error instanceof UnreadableRecording, String(error))
    return error.message
  }
  return 'opened'
}

test('a file that crashes, blocks or fills the decoder ends only its process, with the reason', async () => {
  assert.match(await reasonOf(1), /^Decoding this file failed/)
  const short = { stepMs: 1_500, memoryBytes: 2 ** 40 }
  assert.match(await reasonOf(2, short), /takes too long/)
  assert.match(await reasonOf(4, short), /takes too long/)
})

test(
  'a decoder that needs too much memory is ended',
  { skip: process.platform !== 'linux' && 'only Linux tells the memory of a process' },
  async () => {
    assert.match(
      await reasonOf(3, { stepMs: 60_000, memoryBytes: 400 * 1024 ** 2 }),
      /too much memory/,
    )
  },
)

test('a decoder is ended by its signal and when it is disposed, while it waits', async () => {
  const bytes = createWav(5, [])
  const parts = {
    size: bytes.length,
    read: async (start: number, end: number) => new Uint8Array(bytes.subarray(start, end)),
    maxMs: 60_000,
  }
  const abort = new AbortController()
  using decoder = await openDecoder({ ...parts, signal: abort.signal })
  const sounds = decoder.decode(0)
  assert.equal((await sounds.next()).done, false)
  abort.abort(new Error('the service stops'))
  await assert.rejects(sounds.next(), /the service stops/)
  await assert.rejects(openDecoder({ ...parts, signal: abort.signal }), /the service stops/)
})
