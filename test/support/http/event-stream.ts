import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { eventually } from '../time/eventually.ts'

export type StreamMessage = {
  /** Null for an event that is not stored. */
  id: string | null
  event: string
  data: { meetingId: string; sequence: number; type: string; payload: Record<string, unknown> }
}

export type OpenStream = Disposable & {
  status: number
  messages: StreamMessage[]
  /** The stream can be resumed after this id. */
  lastId(): string
  waitUntil(isEnough: (messages: StreamMessage[]) => boolean): Promise<void>
  /** Resolves when either side has closed the stream. */
  ended: Promise<void>
}

/** Opens a stream of server-sent events and collects its messages. */
export async function openStream(
  url: string,
  headers: Record<string, string>,
): Promise<OpenStream> {
  const request = get(url, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const messages: StreamMessage[] = []
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = `${text}${chunk}`.split('\n\n')
    text = blocks.pop() ?? ''
    messages.push(...blocks.flatMap(parse))
  })
  const ended = new Promise<void>((resolve) => {
    response.on('close', resolve).on('error', () => resolve())
  })
  return {
    status: response.statusCode ?? 0,
    messages,
    ended,
    lastId: () => messages.findLast(({ id }) => id !== null)?.id ?? '',
    async waitUntil(isEnough) {
      await eventually(() => (isEnough(messages) ? true : null))
    },
    [Symbol.dispose]: () => void request.destroy(),
  }
}

/** Lines that start with a colon are keep-alive comments. They give no message. */
function parse(block: string): StreamMessage[] {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
  const [event] = field('event')
  if (event === undefined) return []
  const data = JSON.parse(field('data').join('\n')) as StreamMessage['data']
  return [{ id: field('id')[0] ?? null, event, data }]
}
