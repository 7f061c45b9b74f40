import type { Page } from 'playwright-core'

type DevToolsSession = { send(method: 'Network.disable'): Promise<unknown> }
/** Where Playwright holds its own DevTools sessions with a page: the page, its workers and its foreign frames. */
type PlaywrightPage = {
  _connection?: {
    toImpl?(page: unknown): {
      delegate?: { _networkManager?: { _sessions?: ReadonlyMap<DevToolsSession, unknown> } }
    }
  }
}

/**
 * Stops the reports about each HTTP request and each socket message that Chromium sends to Playwright. In a call they
 * are more than all other messages of a page, and the service uses none of them. Playwright needs them to open and
 * reload a page, so call this only for a page that stays as it is. Playwright has no public function for it; when its
 * internals change, nothing happens and zero is returned, otherwise the number of sessions.
 */
export async function stopNetworkEvents(page: Page): Promise<number> {
  const answers = await Promise.allSettled(
    findPlaywrightSessions(page).map((session) => session.send('Network.disable')),
  )
  // A session fails when its worker or frame has just ended, and then reports nothing either.
  return answers.filter(({ status }) => status === 'fulfilled').length
}

function findPlaywrightSessions(page: Page): DevToolsSession[] {
  if (page.isClosed()) return []
  try {
    const { _connection: connection } = page as unknown as PlaywrightPage
    const sessions = connection?.toImpl?.(page).delegate?._networkManager?._sessions
    return [...(sessions?.keys() ?? [])]
  } catch {
    // Playwright has removed the page already, but has not reported it as closed yet.
    return []
  }
}
