import type { CDPSession, Page } from 'playwright-core'

/** Tells of every change of a caption, and when it was seen. */
const READER = `new MutationObserver((changes) => {
  const said = changes.some(({ target }) => (target.parentElement ?? target).closest?.('.vNKgIf'))
  if (said) seen(String(performance.timeOrigin + performance.now()))
}).observe(document.body, { subtree: true, childList: true, characterData: true })`

export type Heard = { count: number; delaysMs: number[] }

/** Joins a room of the stage, turns captions on and reads them through a one-way binding. */
export async function joinRoom(page: Page, session: CDPSession, address: string): Promise<Heard> {
  const heard: Heard = { count: 0, delaysMs: [] }
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
  await session.send('Runtime.evaluate', { expression: READER, contextId })
  return heard
}
