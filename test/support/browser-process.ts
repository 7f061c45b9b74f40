import type { Browser } from 'playwright-core'

export type BrowserProcess = { type: string; id: number }

/** The processes of a browser, as it tells them itself: `browser` is the first of them. */
export async function processesOf(browser: Browser | null): Promise<BrowserProcess[]> {
  const session = await browser?.newBrowserCDPSession()
  const told = await session?.send('SystemInfo.getProcessInfo')
  return told?.processInfo.map(({ type, id }) => ({ type, id })) ?? []
}

export async function processOf(browser: Browser | null, type = 'browser'): Promise<number> {
  const found = (await processesOf(browser)).find((one) => one.type === type)
  if (found === undefined) throw new Error(`the browser tells no process ${type}`)
  return found.id
}
