import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './type-provider.ts'

/** One message of a stream; null is a sign of life. */
export type Message = { id?: string | null; event?: string; data: string } | null

/** Sends server-sent events until the source ends, the client goes or the service stops. */
export interface EventStreams {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    source: (signal: AbortSignal) => AsyncIterable<Message>,
  ): Promise<FastifyReply>
  /** Ends when the client goes or the service stops. */
  signalOf(request: FastifyRequest): AbortSignal
}

export function createEventStreams(app: App): EventStreams {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  const signalOf = (request: FastifyRequest): AbortSignal => {
    const gone = new AbortController()
    request.raw.socket.once('close', () => gone.abort())
    return AbortSignal.any([gone.signal, closing.signal])
  }
  return {
    signalOf,
    async send(request, reply, source) {
      const signal = signalOf(request)
      const stream = Readable.from(encode(source(signal)), { objectMode: false })
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream)
    },
  }
}

async function* encode(source: AsyncIterable<Message>): AsyncGenerator<string> {
  // Says at once that the stream is there, before anything happens.
  yield ': open\n\n'
  for await (const message of source) {
    yield message === null ? ': beat\n\n' : toText(message)
  }
}

function toText({ id, event, data }: Exclude<Message, null>): string {
  const lines = [
    ...(id === undefined || id === null ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
  ]
  return `${lines.join('\n')}\n\n`
}
