import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'

/** One message of a stream; null is a sign of life. Without data it only says from where to go on. */
export type SseMessage = { id?: string | null; event?: string; data?: string } | null

/** Sends server-sent events until the source ends, the client goes or the service stops. */
export interface EventStreams {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<SseMessage>,
  ): Promise<FastifyReply>
  /** Ends when the client goes or the service stops. */
  abortSignalFor(reply: FastifyReply): AbortSignal
}

/** A stream lasts longer than a sign-in may: so often it is asked again. Of a key at every message, from memory. */
const SESSION_RECHECK_MS = 1_000

/** `isStillAllowed`: whether the request would be let in now. */
export function createEventStreams(
  app: FastifyApp,
  isStillAllowed: (request: FastifyRequest) => Promise<boolean>,
): EventStreams {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  const signalOf = (reply: FastifyReply): AbortSignal => {
    const gone = new AbortController()
    // Of this answer alone: the connection may carry many.
    reply.raw.once('close', () => gone.abort())
    return AbortSignal.any([gone.signal, closing.signal])
  }
  return {
    abortSignalFor: signalOf,
    async send(request, reply, source) {
      const checkMs = request.token === null ? SESSION_RECHECK_MS : 0
      const messages = encodeMessages(source(signalOf(reply)), checkMs, () =>
        isStillAllowed(request),
      )
      const stream = Readable.from(messages, { objectMode: false })
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream)
    },
  }
}

async function* encodeMessages(
  source: AsyncIterable<SseMessage>,
  checkMs: number,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<string> {
  // Says at once that the stream is there, before anything happens.
  yield ': open\n\n'
  let checkedAt = performance.now()
  for await (const message of source) {
    if (performance.now() - checkedAt >= checkMs) {
      if (!(await isAllowed())) return
      checkedAt = performance.now()
    }
    yield message === null ? ': beat\n\n' : formatMessage(message)
  }
}

function formatMessage({ id, event, data }: Exclude<SseMessage, null>): string {
  const lines = [
    ...(id === undefined || id === null ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data?.split('\n').map((line) => `data: ${line}`) ?? []),
  ]
  return `${lines.join('\n')}\n\n`
}
