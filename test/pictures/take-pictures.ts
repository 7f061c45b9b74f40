import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { openPageAndSettle } from '../support/browser/console-pages.ts'

/** One page, perhaps with a dialog that `prepare` opens. */
export type Picture = { path: string; prepare?: (page: Page) => Promise<void> }
export type Pictures = Readonly<Record<string, string | Picture>>

/** Not committed. */
const FOLDER = join(INSTALLATION_FOLDER, 'dist/pictures')
const SCREENS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
/** A longer page is cut off here. */
const MAX_HEIGHT = 2_400

/** Writes a picture of each page in every width and theme, named after the page. */
export async function takePictures(page: Page, url: string, pictures: Pictures): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, picture] of Object.entries(pictures)) {
    const { path, prepare } = typeof picture === 'string' ? { path: picture } : picture
    await page.setViewportSize(SCREENS[0] ?? { width: 1440, height: 900 })
    await openPageAndSettle(page, new URL(path, url).href)
    await prepare?.(page)
    for (const screen of SCREENS) {
      await fitWholePage(page, screen)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const file = `${name}-${screen.width}-${colorScheme}.png`
        await page.screenshot({ path: join(FOLDER, file) })
      }
    }
  }
}

/** Makes the window as high as the page, because bars at the lower edge would cover the middle of a longer picture. */
async function fitWholePage(page: Page, screen: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(screen)
  await waitForRedraw(page)
  // A dialog covers the page.
  if ((await page.getByRole('dialog').filter({ visible: true }).count()) > 0) return
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  if (height <= screen.height) return
  await page.setViewportSize({ ...screen, height: Math.min(height, MAX_HEIGHT) })
  await waitForRedraw(page)
}

async function waitForRedraw(page: Page): Promise<void> {
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  )
}
