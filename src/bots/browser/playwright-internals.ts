import type { Page } from 'playwright-core'

type PlaywrightConnection = { toImpl?(object: object): unknown }

type DevToolsSession = { send(method: 'Network.disable'): Promise<unknown> }
/** Where Playwright's object of a page keeps its DevTools sessions: with the page, its workers and foreign frames. */
const SESSIONS_PATH = ['delegate', '_networkManager', '_sessions']

/**
 * Reads a value of Playwright's internal object behind a public one, where Playwright has no public function. Returns
 * undefined if Playwright's internals have changed; throws for an object that has just closed.
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
 * Stops Chromium's reports to Playwright about each HTTP request and socket message. In a call they are more than all
 * other messages of a page, and the service uses none of them. Playwright needs them to open and reload a page, so call
 * this only for a page that stays as it is. Returns the number of sessions, or zero if Playwright's internals
 * have changed. It does not wait for the sessions' answers, because a worker that waits for another one never answers.
 * `onError` also gets the errors of pages, workers and frames that have just ended.
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
