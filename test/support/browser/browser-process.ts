import type { Browser } from 'playwright-core'
import { eventually } from '../time/eventually.ts'

export type BrowserProcess = { type: string; id: number }

/** The processes that the browser reports. `browser` is the type of its main process. */
export async function listBrowserProcesses(browser: Browser | null): Promise<BrowserProcess[]> {
  const session = await browser?.newBrowserCDPSession()
  const info = await session?.send('SystemInfo.getProcessInfo')
  return info?.processInfo.map(({ type, id }) => ({ type, id })) ?? []
}

/** Waits, because some processes start after the first page. */
export async function findBrowserProcess(
  browser: Browser | null,
  type = 'browser',
): Promise<number> {
  const found = await eventually(
    async () => (await listBrowserProcesses(browser)).find((one) => one.type === type) ?? null,
  )
  return found.id
}
