// Runs in a worker thread and reads one long file, so that the service stays responsive.
import { strict as assert } from 'node:assert'
import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableTranscript } from './formats/found-transcript.ts'
import type { ReadResult } from './read-thread.ts'
import { readTranscriptFile, type TranscriptFile } from './read-transcript-file.ts'

function read(file: TranscriptFile): ReadResult {
  try {
    return { transcript: readTranscriptFile(file) }
  } catch (error) {
    if (!(error instanceof UnreadableTranscript)) throw error
    return { problems: error.problems }
  }
}

assert.ok(parentPort, 'this file must run in a worker thread')
parentPort.postMessage(read(workerData as TranscriptFile))
