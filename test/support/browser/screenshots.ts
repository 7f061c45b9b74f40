import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'

/** Not committed. Written only with `TEST_PICTURES=1 npm test -- …`. */
const FOLDER = join(INSTALLATION_FOLDER, 'dist/pictures')

/** Saves a screenshot of the page in each theme. */
export async function saveScreenshots(page: Page, name: string): Promise<void> {
  if (process.env['TEST_PICTURES'] === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  const file = name.replace(/meeting_\w+/, 'meeting').replaceAll(/[^\w-]+/g, '-')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(FOLDER, `${file}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
