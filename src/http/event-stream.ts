import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './type-provider.ts'

/** One message of a stream; null is a sign of life. Without data it only says from where to go on. */
export type Message = { id?: string | null; event?: string; data?: string } | null

/** Sends server-sent events until the source ends, the client goes or the service stops. */
export interface EventStreams {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<Message>,
  ): Promise<FastifyReply>
  /** Ends when the client goes or the service stops. */
  signalOf(reply: FastifyReply): AbortSignal
}

/** A stream lasts longer than a sign-in may: so often it is asked again. Of a key at every message, from memory. */
const CHECK_SESSION_MS = 1_000

/** `isStillAllowed`: whether the request would be let in now. */
export function createEventStreams(
  app: App,
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
    signalOf,
    async send(request, reply, source) {
      const checkMs = request.token === null ? CHECK_SESSION_MS : 0
      const messages = encode(source(signalOf(reply)), checkMs, () => isStillAllowed(request))
      const stream = Readable.from(messages, { objectMode: false })
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream)
    },
  }
}

async function* encode(
  source: AsyncIterable<Message>,
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
    yield message === null ? ': beat\n\n' : toText(message)
  }
}

function toText({ id, event, data }: Exclude<Message, null>): string {
  const lines = [
    ...(id === undefined || id === null ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data?.split('\n').map((line) => `data: ${line}`) ?? []),
  ]
  return `${lines.join('\n')}\n\n`
}
