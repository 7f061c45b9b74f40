import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { LOCALHOST_CERTIFICATE } from './assistant-site.ts'

/** A web server that publishes client metadata documents. */
export async function openDocumentServer() {
  const documents = new Map<string, { status?: number; location?: string; body: string }>()
  const asked: string[] = []
  const server = createServer(LOCALHOST_CERTIFICATE, ({ url = '' }, response) => {
    asked.push(url)
    const found = documents.get(url)
    if (found === undefined) return
    response.writeHead(found.status ?? 200, {
      'content-type': 'application/json',
      ...(found.location !== undefined && { location: found.location }),
    })
    response.end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    publish(path: string, changes: object = {}) {
      const metadata = { client_id: `${origin}${path}`, client_name: 'Published' }
      const redirects = { redirect_uris: [`${origin}/callback`] }
      documents.set(path, { body: JSON.stringify({ ...metadata, ...redirects, ...changes }) })
      return `${origin}${path}`
    },
    serve: (path: string, answer: { status?: number; location?: string; body: string }) => {
      documents.set(path, answer)
      return `${origin}${path}`
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
