import type { Browser, Page } from 'playwright-core'
import { visit, type Visit } from './browser.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'

type Options = { width?: number; colorScheme?: 'light' | 'dark' }

/** A window of the console in which somebody is signed in. */
export async function visitAs(
  browser: Browser,
  person: Person,
  options: Options = {},
): Promise<Visit> {
  const seen = await visit(browser, person.url, options)
  const [name = '', value = ''] = person.cookie?.split('=') ?? []
  await seen.context.addCookies([{ name, value, url: person.url }])
  return seen
}

/** Opens a page and waits until it has what it shows. The live stream stays open, so the network is never idle. */
export async function settle(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(async () => ((await page.locator('[data-waiting]').count()) === 0 ? true : null))
}

/** What the transcript on the page says, line by line. */
export function linesOf(page: Page): Promise<Array<{ number: number; text: string }>> {
  return page.evaluate(`[...document.querySelectorAll('.transcript .line[id]')].map((line) => ({
    number: Number(line.id.replace('line-', '')),
    text: line.querySelector('.line-text').textContent,
  }))`)
}
