import type { Browser } from 'playwright-core'
import { eventually } from '../time/eventually.ts'

export type BrowserProcess = { type: string; id: number }

/** The processes of a browser, as it tells them itself: `browser` is the first of them. */
export async function listBrowserProcesses(browser: Browser | null): Promise<BrowserProcess[]> {
  const session = await browser?.newBrowserCDPSession()
  const told = await session?.send('SystemInfo.getProcessInfo')
  return told?.processInfo.map(({ type, id }) => ({ type, id })) ?? []
}

/** Some of them are started a moment after the first page. */
export async function findBrowserProcess(
  browser: Browser | null,
  type = 'browser',
): Promise<number> {
  const found = await eventually(
    async () => (await listBrowserProcesses(browser)).find((one) => one.type === type) ?? null,
  )
  return found.id
}
