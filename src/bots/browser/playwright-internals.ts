import type { Page } from 'playwright-core'

type PlaywrightConnection = { toImpl?(object: object): unknown }

type DevToolsSession = { send(method: 'Network.disable'): Promise<unknown> }
/** Where Playwright's object of a page has its own DevTools sessions: with the page, its workers and foreign frames. */
const SESSIONS_PATH = ['delegate', '_networkManager', '_sessions']

/**
 * A value of Playwright's internal object behind a public one, for what Playwright has no public function for; undefined
 * when its internals have changed. Throws for an object that has just closed.
 */
export function readPlaywrightInternal(object: object, path: readonly string[]): unknown {
  const connection = getNested(object, ['_connection']) as PlaywrightConnection | undefined
  return getNested(connection?.toImpl?.(object), path)
}

function getNested(from: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? (Reflect.get(value, name) as unknown)
        : undefined,
    from,
  )
}

/**
 * Stops the reports about each HTTP request and each socket message that Chromium sends to Playwright. In a call they
 * are more than all other messages of a page, and the service uses none of them. Playwright needs them to open and
 * reload a page, so call this only for a page that stays as it is. Playwright has no public function for it; when its
 * internals change, nothing happens and zero is returned, otherwise the number of sessions. It does not wait for their
 * answers, because a worker that waits for another one never answers. `onError` gets errors, also of pages, workers and
 * frames that have just ended.
 */
export function stopNetworkEvents(page: Page, onError: (error: unknown) => void): number {
  const sessions = findPlaywrightSessions(page, onError)
  for (const session of sessions) session.send('Network.disable').catch(onError)
  return sessions.length
}

function findPlaywrightSessions(page: Page, onError: (error: unknown) => void): DevToolsSession[] {
  if (page.isClosed()) return []
  try {
    const sessions = readPlaywrightInternal(page, SESSIONS_PATH)
    return sessions instanceof Map ? [...(sessions as Map<DevToolsSession, unknown>).keys()] : []
  } catch (error) {
    onError(error)
    return []
  }
}
