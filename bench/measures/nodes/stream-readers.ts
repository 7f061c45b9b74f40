import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readServerSentEvents } from '../../../src/lib/net/server-sent-events.ts'

/** The meetings speak all the time, so a stream that is silent for this long is broken, as behind a paused node. */
const SILENCE_MS = 4_000
const RECONNECT_MS = 100

export type StreamCounts = {
  streams: number
  reconnects: number
  /** Stored events that a stream did not receive, summed over all streams. */
  missing: number
  /** Events that a stream received more than once. */
  doubled: number
}

export type StreamReaders = AsyncDisposable & {
  /** Waits until every stream has received the wanted events, or the limit is reached. Then counts the errors. */
  compare(wantedKeys: ReadonlySet<string>, limitMs: number): Promise<StreamCounts>
  /** Resolves when all streams are open. */
  opened: Promise<void>
}

type Target = { url: string; apiKey: string }

/** Reads the stream of all meetings several times, and resumes it with Last-Event-ID if it breaks. */
export function openStreamReaders(target: Target, count: number): StreamReaders {
  const closing = new AbortController()
  const readers = Array.from({ length: count }, () => startReader(target, closing.signal))
  return {
    opened: Promise.all(readers.map((reader) => reader.opened)).then(() => undefined),
    async compare(wantedKeys, limitMs) {
      const missingOf = ({ received }: Reader) =>
        [...wantedKeys].filter((key) => !received.has(key)).length
      const until = performance.now() + limitMs
      while (performance.now() < until && readers.some((reader) => missingOf(reader) > 0))
        await sleep(100)
      const sum = (of: (reader: Reader) => number) =>
        readers.reduce((total, reader) => total + of(reader), 0)
      return {
        streams: count,
        reconnects: sum(({ connections }) => Math.max(0, connections - 1)),
        missing: sum(missingOf),
        doubled: sum(({ received }) => [...received.values()].filter((times) => times > 1).length),
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all(readers.map((reader) => reader.done))
    },
  }
}

type Reader = {
  /** How often each stored event was received, by meeting and sequence. */
  received: Map<string, number>
  connections: number
  opened: Promise<void>
  done: Promise<void>
}

function startReader(target: Target, signal: AbortSignal): Reader {
  const opened = Promise.withResolvers<void>()
  const reader: Reader = {
    received: new Map(),
    connections: 0,
    opened: opened.promise,
    done: Promise.resolve(),
  }
  const run = async () => {
    let lastId = ''
    while (!signal.aborted) {
      const response = await open(target, lastId, signal)
      if (response?.statusCode === 200) {
        reader.connections += 1
        opened.resolve()
        const text = textOf(response, (firstId) => (lastId ||= firstId))
        for await (const { id, event, data } of readServerSentEvents(text)) {
          if (id !== '') lastId = id
          if (event === 'caption_partial' || data === '') continue
          const { meetingId, sequence } = JSON.parse(data) as {
            meetingId?: string
            sequence: number
          }
          if (meetingId === undefined) continue
          const key = `${meetingId} ${sequence}`
          reader.received.set(key, (reader.received.get(key) ?? 0) + 1)
        }
      }
      response?.destroy()
      if (!signal.aborted) await sleep(RECONNECT_MS)
    }
  }
  reader.done = run()
  return reader
}

/** Null if no node answers. */
function open(
  { url, apiKey }: Target,
  lastId: string,
  signal: AbortSignal,
): Promise<IncomingMessage | null> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | null>()
  const headers = { 'x-api-key': apiKey, ...(lastId !== '' && { 'last-event-id': lastId }) }
  const sent = request(`${url}/api/v1/events/stream`, { headers, agent: false, signal })
  sent.setTimeout(SILENCE_MS, () => sent.destroy())
  sent.on('response', resolve)
  sent.on('error', () => resolve(null))
  sent.end()
  return promise
}

/**
 * The text of a response until it ends or breaks. The first message has only an id, which the parser does not report,
 * but a stream that breaks before its first event must resume from that id.
 */
async function* textOf(
  response: IncomingMessage,
  onFirstId: (id: string) => void,
): AsyncGenerator<string> {
  response.setEncoding('utf8')
  let head: string | null = ''
  try {
    for await (const chunk of response) {
      head = head === null ? null : `${head}${String(chunk)}`
      const [, firstId] = /^id: (.+)\n/m.exec(head ?? '') ?? []
      if (firstId !== undefined) {
        onFirstId(firstId)
        head = null
      }
      yield String(chunk)
    }
  } catch (error) {
    // The reader opens the stream again, whatever broke this one.
    if (!(error instanceof Error)) throw error
  }
}
