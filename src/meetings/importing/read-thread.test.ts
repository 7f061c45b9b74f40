import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createTranscriptFileReader } from './read-thread.ts'
import type { TranscriptFile } from './read-transcript-file.ts'

/** Long enough for the thread. */
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
