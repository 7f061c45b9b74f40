import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { workerModuleUrl } from '../../lib/async/run-in-thread.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { OccurrenceWindow } from './events.ts'
import { FeedError, type FeedErrorCode } from './problems.ts'
import type { ReadFeed } from './read-feed.ts'

export type FeedReaderOptions = {
  /** A feed that takes longer ends the thread. */
  maxReadMs: number
  /** A feed that needs more memory ends the thread, but not the service. */
  maxMemoryMb: number
}

/** The largest feed takes about three seconds and 300 MB on a slow machine. */
export const FEED_READER_LIMITS: FeedReaderOptions = { maxReadMs: 30_000, maxMemoryMb: 512 }

export type MessageToFeedWorker = { content: Uint8Array; window: OccurrenceWindow }

export type MessageFromFeedWorker =
  | { type: 'read'; feed: ReadFeed }
  /** An error loses its class between threads. */
  | { type: 'unreadable'; code: FeedErrorCode; message: string }
  | { type: 'failed'; error: unknown }

/** Reads feeds in a worker thread, one at a time, so that a large feed does not block the service. */
export function createFeedReader(options: FeedReaderOptions = FEED_READER_LIMITS) {
  const limit = createConcurrencyLimit(1)
  let worker: Worker | null = null
  let isDisposed = false
  const end = async () => {
    const ended = worker
    worker = null
    await ended?.terminate()
  }
  return {
    /** Throws a `FeedError` if the feed cannot be read within the limits. */
    read: (content: Uint8Array, window: OccurrenceWindow) =>
      limit(async () => {
        // A feed that was waiting arrives here after the thread was stopped.
        if (isDisposed) throw new Error('the thread that reads calendars was stopped')
        worker ??= startWorker(options, (ended) => {
          if (worker === ended) worker = null
        })
        try {
          return await readInWorker(worker, { content, window }, options)
        } catch (error) {
          // The thread's state is unknown, or it is still busy with this feed.
          if (!(error instanceof FeedError) || error.code === 'too_complex') await end()
          throw error
        }
      }),
    async [Symbol.asyncDispose]() {
      isDisposed = true
      await end()
    },
  }
}

export type FeedReader = ReturnType<typeof createFeedReader>

function startWorker({ maxMemoryMb }: FeedReaderOptions, onEnd: (worker: Worker) => void): Worker {
  const worker = new Worker(workerModuleUrl('worker/feed-worker', import.meta.url), {
    // The thread needs no settings, so it gets no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
  // Also for a thread that fails while nothing waits for it. The next feed then starts another one.
  worker.on('error', () => onEnd(worker)).on('exit', () => onEnd(worker))
  // An idle thread must not keep the process running.
  worker.unref()
  return worker
}

function readInWorker(
  worker: Worker,
  message: MessageToFeedWorker,
  { maxReadMs }: FeedReaderOptions,
): Promise<ReadFeed> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadFeed>()
  const timer = setTimeout(() => reject(tooComplex('time')), maxReadMs)
  const onMessage = (answer: MessageFromFeedWorker) => {
    if (answer.type === 'read') resolve(answer.feed)
    else if (answer.type === 'unreadable') reject(new FeedError(answer.code, answer.message))
    else reject(answer.error)
  }
  const onError = (error: unknown) =>
    reject(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex('memory') : error)
  const onExit = () => reject(new Error('the thread that reads calendars ended'))
  worker.once('message', onMessage).once('error', onError).once('exit', onExit)
  worker.ref()
  worker.postMessage(message)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    worker.unref()
  })
}

function tooComplex(resource: 'time' | 'memory'): FeedError {
  return new FeedError('too_complex', `The calendar needs too much ${resource} to read.`)
}
