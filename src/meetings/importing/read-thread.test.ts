import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createTranscriptFileReader } from './read-thread.ts'
import type { TranscriptFile } from './read-transcript-file.ts'

/** Long enough to be read in the thread. */
const LONG_FILE: TranscriptFile = {
  content: 'Ada: Good morning.\n'.repeat(5_000),
  fileName: 'meeting.txt',
  format: null,
  timeZone: 'UTC',
}

test('neither a file that is read nor one that waits is read when the service stops', async () => {
  const closing = new AbortController()
  const read = createTranscriptFileReader(closing.signal)
  const refuse = () => assert.rejects(read(LONG_FILE), /stopped/)
  const [running, waiting] = [refuse(), refuse()]
  closing.abort(new Error('stopped'))
  await Promise.all([running, waiting, refuse()])
})

test('a file of more than 5,000 characters is read in the thread, and a shorter one at once', async () => {
  const stopped = AbortSignal.abort(new Error('stopped'))
  const read = createTranscriptFileReader(stopped)
  const line = 'a\n'
  const file = (length: number) => ({ ...LONG_FILE, content: line.repeat(length / line.length) })
  assert.equal((await read(file(5_000))).format, 'text')
  // After the stop, short files are still read, but no thread is started.
  await assert.rejects(read(file(5_002)), /stopped/)
})
