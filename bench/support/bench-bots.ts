import type { CDPSession, Page } from 'playwright-core'
import type { BrowserPool } from '../../src/bots/browser/pool/browser-slot.ts'
import { createLog } from '../../src/log.ts'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'

/** Called for every caption change, with the time at which it was read. */
const CAPTION_OBSERVER_SCRIPT = `new MutationObserver((changes) => {
  const said = changes.some(({ target }) => (target.parentElement ?? target).closest?.('.vNKgIf'))
  if (said) seen(String(performance.timeOrigin + performance.now()))
}).observe(document.body, { subtree: true, childList: true, characterData: true })`

export type CaptionStats = { count: number; delaysMs: number[] }

/** The minimal bot: joins a room, turns captions on and reads them through a one-way binding. */
export async function joinWithMinimalBot(
  page: Page,
  session: CDPSession,
  address: string,
): Promise<CaptionStats> {
  const heard: CaptionStats = { count: 0, delaysMs: [] }
  await page.goto(address)
  await page.locator('input[jsname][type="text"]').fill('Notes')
  await page.locator('button[jsname="Qx7uuf"]').click()
  await page.locator('button[jsname="r8qRAd"]').waitFor()
  await page.keyboard.press('c')
  await page.locator('.vNKgIf').waitFor()
  session.on('Runtime.bindingCalled', ({ payload }) => {
    heard.count += 1
    heard.delaysMs.push(performance.timeOrigin + performance.now() - Number(payload))
  })
  await session.send('Runtime.enable')
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'reader',
  })
  await session.send('Runtime.addBinding', { name: 'seen', executionContextName: 'reader' })
  await session.send('Runtime.evaluate', { expression: CAPTION_OBSERVER_SCRIPT, contextId })
  return heard
}

/** The start of a message from the injected scripts: its time and its kind. */
const BRIDGE_MESSAGE = /^\[([\d.]+),\["(\w+)"/

/**
 * The service's bot in a room, from the request to join to reading the wire and the page. A change is counted when its
 * row is reported. It is read when the bot has turned the last report into a caption.
 */
export function attendWithServiceBot(
  pool: BrowserPool,
  url: string,
  signal: AbortSignal,
): { heard: CaptionStats; isHearing: Promise<void>; over: Promise<void> } {
  const heard: CaptionStats = { count: 0, delaysMs: [] }
  const hearing = Promise.withResolvers<void>()
  let toldAt = 0
  const watched: BrowserPool = {
    async acquire(...given) {
      const slot = await pool.acquire(...given)
      slot.cdpSession.on('Runtime.bindingCalled', ({ payload }) => {
        const [, at, kind] = BRIDGE_MESSAGE.exec(payload) ?? []
        if (kind === 'rows') heard.count += 1
        if (kind === 'rows' || kind === 'channel') toldAt = Number(at)
      })
      return slot
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const attend = async () => {
    const link = { url, room: url, label: 'Bench' }
    const joinRequest = {
      link,
      displayName: 'Notes',
      language: null,
      account: null,
      elapsedMs: 0,
      wasAdmittedBefore: false,
    }
    for await (const event of createGoogleMeet({ pool: watched, log: createLog('silent') }).attend(
      joinRequest,
      signal,
    )) {
      if (event.kind === 'over') throw new Error(`${event.because}: ${event.detail}`)
      if (event.kind !== 'caption') continue
      hearing.resolve()
      heard.delaysMs.push(performance.timeOrigin + performance.now() - toldAt)
    }
  }
  return { heard, isHearing: hearing.promise, over: attend() }
}
