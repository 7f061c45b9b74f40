import type { Browser } from 'playwright-core'
import { sharedResources } from '../shared-resources.ts'
import { openBrowser } from './open-browser.ts'

let opened: Promise<Browser> | null = null

/** The browser that all test files of this process share. Each test opens its own context. Closed at the end. */
export function openSharedBrowser(): Promise<Browser> {
  opened ??= openBrowser().then((browser) => {
    sharedResources.defer(() => browser.close())
    return browser
  })
  return opened
}
