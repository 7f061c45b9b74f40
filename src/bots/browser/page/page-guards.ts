import type { BrowserContext, Page } from 'playwright-core'
import type { Log } from '../../../log.ts'
import type { BrowserSlotOptions } from '../pool/browser-slot.ts'

const DEVICES = ['camera', 'microphone']

/**
 * Grants camera and microphone to the given origins and denies every other permission. Chromium itself blocks `file:`
 * and `chrome:` addresses for pages.
 */
export async function grantMediaPermissions(
  context: BrowserContext,
  origins: BrowserSlotOptions['mediaOrigins'],
): Promise<void> {
  // An empty list without an origin denies requests immediately; otherwise a browser with a window would ask a
  // person.
  await context.grantPermissions([])
  for (const origin of origins) await context.grantPermissions(DEVICES, { origin })
}

/** Closes windows that a page opens: a bot has exactly one page. */
export function installPopupCloser(context: BrowserContext, page: Page, log: Log): void {
  context.on('page', (other) => {
    if (other !== page) other.close().catch(logAlreadyClosed(log))
  })
}

/** Accepts the question whether to leave the page and dismisses every other dialog. */
export function installDialogHandler(page: Page, log: Log): void {
  page.on('dialog', (dialog) => {
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    answer.catch(logAlreadyClosed(log))
  })
}

function logAlreadyClosed(log: Log) {
  return (error: unknown) =>
    log.debug({ err: error }, 'failed to close a popup or dialog that had already closed')
}
