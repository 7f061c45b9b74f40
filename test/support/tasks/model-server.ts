import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server's answer to one request, in terms of the OpenAI protocol. */
export type ModelServerReply = {
  /** The words of the answer. Each is sent as one chunk. */
  words?: string[]
  toolCall?: { name: string; arguments: object }
  /** Why the answer ends, if not with `stop` or `tool_calls`. */
  finishReason?: string
  usage?: unknown
  /** Usage that is sent with every word, as some servers do. */
  usageWithWords?: unknown
  /** Sends this complete response instead. */
  status?: number
  headers?: Record<string, string>
  error?: string
  /** After the given words, the connection breaks, the response ends, or nothing more is sent. */
  breaksBy?: 'cut' | 'end' | 'hang'
  /** The server waits for this before each word. */
  beforeEachWord?: () => Promise<void>
  /** Sent unchanged instead of a response. */
  raw?: string
}

export type ModelServerRequest = {
  path: string
  authorization: string | undefined
  body: {
    model: string
    messages: Array<{ role: string; content: unknown }>
    tools?: Array<{ function: { name: string } }>
    stream?: boolean
    stream_options?: { include_usage?: boolean }
    [field: string]: unknown
  }
}

export interface ModelServer extends AsyncDisposable {
  /** Ends with /v1. */
  url: string
  requests: ModelServerRequest[]
  /** How many connections the client closed during a response. */
  countAbortedResponses(): number
}

export const SAMPLE_USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 20 },
}

/** A small real language model server on loopback. `behave` is called for every request. */
export async function openModelServer(
  behave: (request: ModelServerRequest, number: number) => ModelServerReply,
): Promise<ModelServer> {
  const requests: ModelServerRequest[] = []
  let closed = 0
  const server = createServer((incoming, outgoing) => {
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) closed += 1
    })
    void readRequest(incoming).then((request) => {
      requests.push(request)
      return writeReply(outgoing, behave(request, requests.length))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    countAbortedResponses: () => closed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ModelServerRequest> {
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return {
    path: incoming.url ?? '',
    authorization: incoming.headers.authorization,
    body: JSON.parse(text) as ModelServerRequest['body'],
  }
}

async function writeReply(outgoing: ServerResponse, behaviour: ModelServerReply): Promise<void> {
  const {
    status = 200,
    headers = {},
    error,
    words = [],
    toolCall,
    usage = SAMPLE_USAGE,
  } = behaviour
  if (behaviour.raw !== undefined || status !== 200) {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
    outgoing.end(behaviour.raw ?? JSON.stringify({ error: { message: error ?? 'no' } }))
    return
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  const send = (delta: object, finish: string | null = null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
    outgoing.write(`data: ${JSON.stringify({ ...chunk, ...more })}\n\n`)
  }
  send({ role: 'assistant', content: '' })
  for (const word of words) {
    await behaviour.beforeEachWord?.()
    if (outgoing.destroyed) return
    const { usageWithWords } = behaviour
    send({ content: word }, null, usageWithWords === undefined ? {} : { usage: usageWithWords })
  }
  if (behaviour.breaksBy === 'hang') return
  if (behaviour.breaksBy === 'cut') {
    // The words so far have been flushed.
    await new Promise((resolve) => outgoing.write(': cut\n\n', resolve))
    return void outgoing.destroy()
  }
  if (behaviour.breaksBy === 'end') return void outgoing.end()
  if (toolCall !== undefined) {
    const { name, arguments: given } = toolCall
    const call = { name, arguments: JSON.stringify(given) }
    send({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] })
  }
  send({}, behaviour.finishReason ?? (toolCall === undefined ? 'stop' : 'tool_calls'))
  if (usage !== null) send({}, null, { choices: [], usage })
  outgoing.end('data: [DONE]\n\n')
}
