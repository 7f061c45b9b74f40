import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server does with one request, in the words of the OpenAI protocol. */
export type ModelServerReply = {
  /** Words of the answer, each a chunk of its own. */
  words?: string[]
  toolCall?: { name: string; arguments: object }
  usage?: unknown
  /** Answers so instead, as a whole. */
  status?: number
  headers?: Record<string, string>
  error?: string
  /** After so many words: the connection is cut, the answer just ends, or nothing more ever comes. */
  breaksBy?: 'cut' | 'end' | 'hang'
  /** Before each word it waits for this. */
  beforeEachWord?: () => Promise<void>
  /** Sent as it is, in the place of an answer. */
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
  /** With /v1. */
  url: string
  requests: ModelServerRequest[]
  /** How many connections the other side has closed while an answer was under way. */
  countAbortedResponses(): number
}

export const SAMPLE_USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 20 },
}

/** A small real server for language models, on loopback. `behave` is asked at every request. */
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
    send({ content: word })
  }
  if (behaviour.breaksBy === 'hang') return
  if (behaviour.breaksBy === 'cut') {
    // What was said has left the process.
    await new Promise((resolve) => outgoing.write(': cut\n\n', resolve))
    return void outgoing.destroy()
  }
  if (behaviour.breaksBy === 'end') return void outgoing.end()
  if (toolCall !== undefined) {
    const { name, arguments: given } = toolCall
    const call = { name, arguments: JSON.stringify(given) }
    send({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] })
  }
  send({}, toolCall === undefined ? 'stop' : 'tool_calls')
  if (usage !== null) send({}, null, { choices: [], usage })
  outgoing.end('data: [DONE]\n\n')
}
