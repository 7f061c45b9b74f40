import { Worker } from 'node:worker_threads'
import { onAbort } from '../../lib/async/on-abort.ts'
import { createConcurrencyLimit } from '../../lib/async/queues/concurrency-limit.ts'
import { workerModuleUrl } from '../../lib/files/module-url.ts'
import { UnreadableTranscript, type TranscriptProblem } from './formats/found-transcript.ts'
import {
  readTranscriptFile,
  type ImportedTranscript,
  type TranscriptFile,
} from './read-transcript-file.ts'

export type TranscriptFileReader = (file: TranscriptFile) => Promise<ImportedTranscript>

/** What the thread answers. An error would lose its class on the way. */
export type ReadResult =
  | { transcript: ImportedTranscript }
  | { problems: readonly TranscriptProblem[] }

/** A longer file could block the service for more than 100 ms, because each of its lines can become a segment. */
const MAX_CHARS_ON_MAIN_THREAD = 5_000
/** Far more than the largest file needs. */
const TIME_LIMIT_MS = 60_000
const MEMORY_LIMIT_MB = 1_024

/** Reads transcript files, the long ones in a worker thread, one at a time. The thread ends when `closing` aborts. */
export function createTranscriptFileReader(closing: AbortSignal): TranscriptFileReader {
  const limit = createConcurrencyLimit(1)
  return async (file) => {
    if (file.content.length <= MAX_CHARS_ON_MAIN_THREAD) return readTranscriptFile(file)
    const result = await limit(() => readInThread(file, closing))
    if ('problems' in result) throw new UnreadableTranscript(result.problems)
    return result.transcript
  }
}

async function readInThread(file: TranscriptFile, closing: AbortSignal): Promise<ReadResult> {
  // A file that waited comes here after the service was stopped.
  closing.throwIfAborted()
  const worker = new Worker(workerModuleUrl('read-worker', import.meta.url), {
    workerData: file,
    // The thread needs no settings, and so gets no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ReadResult>()
  const refuse = (reason: string) => resolve({ problems: [{ line: 1, reason }] })
  const timer = setTimeout(() => refuse('Reading this file takes too long'), TIME_LIMIT_MS)
  const unsubscribe = onAbort(closing, () => reject(closing.reason))
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse('Reading this file needs too much memory')
    else reject(error)
  })
  // Without effect when the thread has answered or failed.
  worker.once('exit', () => reject(new Error('the worker that reads transcripts ended')))
  return promise.finally(() => {
    clearTimeout(timer)
    unsubscribe()
    void worker.terminate()
  })
}
