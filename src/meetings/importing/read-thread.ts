import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { runInThread, ThreadLimitExceeded, workerModuleUrl } from '../../lib/async/run-in-thread.ts'
import { UnreadableTranscript, type TranscriptProblem } from './formats/found-transcript.ts'
import {
  readTranscriptFile,
  type ImportedTranscript,
  type TranscriptFile,
} from './read-transcript-file.ts'

export type TranscriptFileReader = (file: TranscriptFile) => Promise<ImportedTranscript>

/** The answer of the thread. An error would lose its class on the way. */
export type ReadResult =
  | { transcript: ImportedTranscript }
  | { problems: readonly TranscriptProblem[] }

/** A longer file could block the service for more than 100 ms, because each line can become a segment. */
const MAX_CHARS_ON_MAIN_THREAD = 5_000
/** Far longer than the largest file takes. */
const TIME_LIMIT_MS = 60_000
const MEMORY_LIMIT_MB = 1_024
const TOO_MUCH = {
  time: 'Reading this file takes too long',
  memory: 'Reading this file needs too much memory',
}

/** Reads transcript files. Long files are read in a worker thread, one at a time, which ends when `closing` aborts. */
export function createTranscriptFileReader(closing: AbortSignal): TranscriptFileReader {
  const limit = createConcurrencyLimit(1)
  return async (file) => {
    if (file.content.length <= MAX_CHARS_ON_MAIN_THREAD) return readTranscriptFile(file)
    const result = await limit(() => readInThread(file, closing))
    if ('problems' in result) throw new UnreadableTranscript(result.problems)
    return result.transcript
  }
}

async function readInThread(file: TranscriptFile, signal: AbortSignal): Promise<ReadResult> {
  const limits = { signal, maxMs: TIME_LIMIT_MS, maxMemoryMb: MEMORY_LIMIT_MB }
  try {
    return await runInThread(workerModuleUrl('read-worker', import.meta.url), file, limits)
  } catch (error) {
    if (!(error instanceof ThreadLimitExceeded)) throw error
    return { problems: [{ line: 1, reason: TOO_MUCH[error.resource] }] }
  }
}
