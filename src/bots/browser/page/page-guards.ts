import type { BrowserContext, Page } from 'playwright-core'
import type { Log } from '../../../log.ts'
import type { BrowserSlotOptions } from '../pool/browser-slot.ts'

const DEVICES = ['camera', 'microphone']

/**
 * Camera and microphone for the origins that are meant, everything else for nobody. The browser by itself keeps
 * pages from `file:` and `chrome:` addresses.
 */
export async function grantMediaPermissions(
  context: BrowserContext,
  origins: BrowserSlotOptions['mediaOrigins'],
): Promise<void> {
  // Without an origin: everybody else hears no at once, where a browser with a window would wait for a person.
  await context.grantPermissions([])
  for (const origin of origins) await context.grantPermissions(DEVICES, { origin })
}

/** Windows that a page opens beside itself are closed: a bot has one page. */
export function closePopups(context: BrowserContext, page: Page, log: Log): void {
  context.on('page', (other) => {
    if (other !== page) other.close().catch(logAlreadyClosed(log))
  })
}

/** A page that asks whether to leave it may be left; a page that asks anything else hears no. */
export function answerDialogs(page: Page, log: Log): void {
  page.on('dialog', (dialog) => {
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    answer.catch(logAlreadyClosed(log))
  })
}

function logAlreadyClosed(log: Log) {
  return (error: unknown) => log.debug({ err: error }, 'a window or question was gone already')
}
