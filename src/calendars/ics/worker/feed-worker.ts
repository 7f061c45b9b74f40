// Runs in a worker thread, one feed at a time, so that a large feed does not block the service.
import { strict as assert } from 'node:assert'
import { parentPort } from 'node:worker_threads'
import type { MessageFromFeedWorker, MessageToFeedWorker } from '../feed-reader.ts'
import { FeedError } from '../problems.ts'
import { readFeed } from '../read-feed.ts'

assert.ok(parentPort, 'this file must run in a worker thread')
const port = parentPort

port.on('message', (message: MessageToFeedWorker) => port.postMessage(read(message)))

function read({ content, window }: MessageToFeedWorker): MessageFromFeedWorker {
  try {
    return { type: 'read', feed: readFeed(content, window) }
  } catch (error) {
    if (error instanceof FeedError) {
      return { type: 'unreadable', code: error.code, message: error.message }
    }
    return { type: 'failed', error }
  }
}
