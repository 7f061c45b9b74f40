import type { IncomingMessage, ServerResponse } from 'node:http'
import { openFeed, sendText } from './responses.ts'
import { readRequestBody } from './backend.ts'

/**
 * Brings pages that want to see somebody together with a page that plays all cameras, in a browser of its own:
 * what a bot costs is measured without what it costs to film. Without such a page everybody films at home.
 */
export function createCameraRelay() {
  let film: ((event: unknown) => void) | null = null
  const waiting = new Map<string, ServerResponse>()
  let count = 0

  return {
    async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (path === '/stage/cameras') {
        film = openFeed(response)
        response.flushHeaders()
        response.on('close', () => (film = null))
      } else if (path === '/stage/cameras/look') {
        if (film === null) return sendText(response, 200, '')
        const id = String(++count)
        waiting.set(id, response)
        film({ id, sdp: String(await readRequestBody(request)) })
      } else {
        const id = path.slice('/stage/cameras/'.length)
        const waits = waiting.get(id)
        waiting.delete(id)
        if (waits) sendText(waits, 200, String(await readRequestBody(request)))
        sendText(response, 200, '')
      }
    },
  }
}
