import type { Browser } from 'playwright-core'
import { sharedResources } from '../shared-resources.ts'
import { openBrowser } from './open-browser.ts'

/** A test's pages do not live long enough to profit from code that is optimized in the background. */
const NO_OPTIMIZATION = '--js-flags=--no-opt --no-maglev'

let opened: Promise<Browser> | null = null

/** The browser that all test files of this process share. Each test opens its own context. Closed at the end. */
export function openSharedBrowser(): Promise<Browser> {
  opened ??= openBrowser([NO_OPTIMIZATION]).then((browser) => {
    sharedResources.defer(() => browser.close())
    return browser
  })
  return opened
}
