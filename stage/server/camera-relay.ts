import type { IncomingMessage, ServerResponse } from 'node:http'
import { openFeed, sendText } from './responses.ts'
import { readRequestBody } from './read-body.ts'

/**
 * Connects the pages of a call with one page in another browser that produces all camera videos, so that a bench
 * measures a bot without the cost of producing them. Without that page, each page produces its own videos.
 */
export function createCameraRelay() {
  let sendToCameras: ((event: unknown) => void) | null = null
  const waiting = new Map<string, ServerResponse>()
  let count = 0

  return {
    async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (path === '/stage/cameras') {
        sendToCameras = openFeed(response)
        response.flushHeaders()
        response.on('close', () => (sendToCameras = null))
      } else if (path === '/stage/cameras/offer') {
        if (sendToCameras === null) return sendText(response, 200, '')
        const id = String(++count)
        waiting.set(id, response)
        sendToCameras({ id, sdp: String(await readRequestBody(request)) })
      } else {
        const id = path.slice('/stage/cameras/'.length)
        const viewer = waiting.get(id)
        waiting.delete(id)
        if (viewer) sendText(viewer, 200, String(await readRequestBody(request)))
        sendText(response, 200, '')
      }
    },
  }
}
