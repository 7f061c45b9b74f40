import { createServer } from 'node:http'
import { eventually } from '../time/eventually.ts'
import { startLoopbackServer } from './loopback-receivers.ts'

export type ChatAnswer = { status: number; body?: string; headers?: Record<string, string> }
export type ChatMessage = { path: string; headers: Record<string, unknown>; text: string }

/** A chat server: stores what is posted to its webhooks and answers as it is told. Null hangs. */
export async function openChatServer() {
  const messages: ChatMessage[] = []
  let answer: (message: ChatMessage) => ChatAnswer | null = () => ({ status: 200, body: 'ok' })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message = { path: request.url ?? '', headers: request.headers, text }
      messages.push(message)
      const given = answer(message)
      if (given === null) return
      response.writeHead(given.status, given.headers ?? {}).end(given.body ?? '')
    })
  })
  const opened = await startLoopbackServer(server)
  return {
    url: (path: string) => new URL(path, opened.url).href,
    messages,
    messagesAt: (path: string) => messages.filter((message) => message.path === path),
    answerWith(next: typeof answer) {
      answer = next
    },
    waitFor: (path: string, count = 1) =>
      eventually(() => {
        const found = messages.filter((message) => message.path === path)
        return found.length >= count ? found : null
      }, 60_000),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}
