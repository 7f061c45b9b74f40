import type { Browser, Page } from 'playwright-core'

/** Joins a group with the server's own page, as a person does. */
export async function joinInBrowser(
  browser: Browser,
  url: string,
  { name, password = '', speaks = false }: { name: string; password?: string; speaks?: boolean },
): Promise<Page> {
  const context = await browser.newContext({ permissions: ['microphone'] })
  const page = await context.newPage()
  await page.goto(url)
  await page.fill('#username', name)
  await page.fill('#password', password)
  if (speaks) await page.check('#presentmike', { force: true })
  await page.click('#connectbutton')
  await page.waitForSelector('#left-sidebar .user-p')
  return page
}
