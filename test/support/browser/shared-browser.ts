import type { Browser } from 'playwright-core'
import { sharedResources } from '../shared-resources.ts'
import { openBrowser, SHORT_LIVED_PAGES } from './open-browser.ts'

let opened: Promise<Browser> | null = null

/** The browser that all test files of this process share. Each test opens its own context. Closed at the end. */
export function openSharedBrowser(): Promise<Browser> {
  opened ??= openBrowser(SHORT_LIVED_PAGES).then((browser) => {
    sharedResources.defer(() => browser.close())
    return browser
  })
  return opened
}
