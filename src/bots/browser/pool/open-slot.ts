import type { BrowserContext, Page } from 'playwright-core'
import type { Log } from '../../../log.ts'
import { WINDOW_SIZE } from '../launch/chromium-arguments.ts'
import type { RunningBrowser } from '../launch/launch-browser.ts'
import { BrowserSlotLostError, type BrowserSlot, type BrowserSlotOptions } from './browser-slot.ts'

/** A browser slot with the functions that only the pool uses. */
export interface PoolInternalBrowserSlot extends BrowserSlot {
  markLost(what: BrowserSlotLostError['reason']): void
  /** True if the page has been active since the last call of this function. */
  takeActivity(): boolean
}

type Options = { running: RunningBrowser; slotOptions: BrowserSlotOptions; log: Log }

const DEVICES = ['camera', 'microphone']

export async function openBrowserSlot({
  running,
  slotOptions,
  log,
}: Options): Promise<PoolInternalBrowserSlot> {
  await using stack = new AsyncDisposableStack()
  const { context, isShared } = await contextFor(running, slotOptions)
  if (!isShared) {
    stack.defer(() => context.close())
    await grantMediaPermissions(context, slotOptions.mediaOrigins)
  }
  const page = await context.newPage()
  if (isShared) stack.defer(() => page.close())
  else installPopupCloser(context, page, log)
  installDialogHandler(page, log)
  const session = await context.newCDPSession(page)
  const lost = new AbortController()
  let isActive = true
  const markLost = (what: BrowserSlotLostError['reason']) =>
    lost.abort(new BrowserSlotLostError(what))
  page.on('crash', () => markLost('page crashed'))
  // Pages close before the browser is known to be dead. Asking the browser shows whether only the page ended.
  const onClose = () =>
    void running.cdpSession.send('Browser.getVersion').then(
      () => markLost('page crashed'),
      () => markLost('browser gone'),
    )
  page.on('close', onClose)
  // Disposing the slot closes its page on purpose, which must not mark the slot as lost.
  stack.defer(() => void page.off('close', onClose))

  const owned = stack.move()
  return {
    context,
    page,
    cdpSession: session,
    lostSignal: lost.signal,
    markLost,
    reportActivity() {
      isActive = true
    },
    takeActivity() {
      const answer = isActive
      isActive = false
      return answer
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The operator's own Chrome is used for its signed-in people, so the bot uses its first window. */
async function contextFor(
  { browser, isExternal }: RunningBrowser,
  { locale, storageState, proxyUrl }: BrowserSlotOptions,
): Promise<{ context: BrowserContext; isShared: boolean }> {
  const [first] = browser.contexts()
  const needsOwnContext = storageState !== undefined || proxyUrl !== undefined
  if (isExternal && first !== undefined && !needsOwnContext) {
    return { context: first, isShared: true }
  }
  const context = await browser.newContext({
    acceptDownloads: false,
    locale,
    viewport: WINDOW_SIZE,
    ...(storageState !== undefined && { storageState }),
    // Local addresses go through the proxy too.
    ...(proxyUrl !== undefined && { proxy: { server: proxyUrl, bypass: '<-loopback>' } }),
  })
  return { context, isShared: false }
}

/**
 * Grants camera and microphone to the given origins, and denies every other permission. Chromium itself blocks `file:`
 * and `chrome:` addresses for pages.
 */
async function grantMediaPermissions(
  context: BrowserContext,
  origins: BrowserSlotOptions['mediaOrigins'],
): Promise<void> {
  // An empty list without an origin denies requests at once. Otherwise a browser with a window would ask a person.
  await context.grantPermissions([])
  for (const origin of origins) await context.grantPermissions(DEVICES, { origin })
}

/** Closes windows that a page opens, because a bot has exactly one page. */
function installPopupCloser(context: BrowserContext, page: Page, log: Log): void {
  context.on('page', (other) => {
    if (other !== page) other.close().catch(logAlreadyClosed(log))
  })
}

/** Confirms that the page may be left, and dismisses every other dialog. */
function installDialogHandler(page: Page, log: Log): void {
  page.on('dialog', (dialog) => {
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    answer.catch(logAlreadyClosed(log))
  })
}

function logAlreadyClosed(log: Log) {
  return (error: unknown) =>
    log.debug({ err: error }, 'failed to close a popup or dialog that had already closed')
}
