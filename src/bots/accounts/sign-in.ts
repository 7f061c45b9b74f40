import { once } from 'node:events'
import type { Browser as Chromium } from 'playwright-core'
import { hasDisplay } from '../browser/launch/display.ts'
import {
  findBrowser,
  INSTALL_HINT,
  type BrowserSettings,
  type HostEnvironment,
} from '../browser/launch/find-browser.ts'
import { launchBrowser, type RunningBrowser } from '../browser/launch/launch-browser.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Log } from '../../log.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { SIGN_IN_SITE_BY_PLATFORM, type AccountPlatformName } from './sites.ts'
import { validateAndFilterStorageState, type StorageStateParseResult } from './storage-state.ts'

const IMPORT_HINT =
  'Sign in on another machine and import the state with --state FILE, see docs/bots.md#bot-accounts'

type Parts = {
  settings: BrowserSettings & { browserArgs: readonly string[] }
  machine: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
  say(line: string): void
}

/** Opens a browser window, waits until a person has signed in, and returns the state of that browser. */
export async function readBrowserStateAfterManualSignIn(
  platform: AccountPlatformName,
  { say, ...parts }: Parts,
): Promise<StorageStateParseResult> {
  if (!hasDisplay(parts.machine)) {
    throw new OperatorError('There is no display here to open a browser on', IMPORT_HINT)
  }
  if (!process.stdin.isTTY) {
    throw new OperatorError('Signing in needs a terminal, to confirm when it is done', IMPORT_HINT)
  }
  await using window = await openSignInBrowser(parts)
  try {
    return await readStateAfterConfirmedSignIn(
      window.browser,
      platform,
      () => once(process.stdin, 'data'),
      say,
    )
  } finally {
    process.stdin.pause()
  }
}

/** Opens the sign-in page, waits for `done` and returns the state of the browser. */
export async function readStateAfterConfirmedSignIn(
  browser: Chromium,
  platform: AccountPlatformName,
  done: () => Promise<unknown>,
  say: Parts['say'],
): Promise<StorageStateParseResult> {
  const { title, signInUrl } = SIGN_IN_SITE_BY_PLATFORM[platform]
  const closed = preventUnhandledRejection(
    new Promise<never>((_, reject) => {
      browser.once('disconnected', () =>
        reject(new OperatorError('The window was closed, so nothing was stored')),
      )
    }),
  )
  const context = await browser.newContext({ viewport: null })
  const page = await context.newPage()
  await page.goto(signInUrl, { waitUntil: 'commit' })
  say(`Sign in to ${title} in the window that has opened.`)
  say('When you see that you are signed in, press Enter here and leave the window open.')
  await Promise.race([done(), closed])
  return validateAndFilterStorageState(platform, await context.storageState())
}

/** Starts the browser as for bots: not as root, in its sandbox if possible, and without the service's secrets. */
export async function openSignInBrowser({
  settings,
  machine,
  cache,
  log,
}: Omit<Parts, 'say'>): Promise<RunningBrowser> {
  const found = await findBrowser(settings, machine)
  if (found === null) throw new OperatorError('no browser found', INSTALL_HINT)
  if (found.kind !== 'program') {
    throw new OperatorError(
      'This browser has no windows. Install Chrome or Chromium to sign in',
      INSTALL_HINT,
    )
  }
  try {
    return await launchBrowser({
      source: found,
      mode: 'headed',
      args: settings.browserArgs,
      // A person decides which pages this browser opens, so it uses no egress proxy.
      proxy: null,
      host: machine,
      cache,
      log,
      knownIsolations: new Map(),
    })
  } catch (error) {
    throw new OperatorError(`The browser did not open: ${firstLine(error)}`, IMPORT_HINT, error)
  }
}

function firstLine(error: unknown): string {
  return errorMessageOf(error).split('\n')[0] ?? ''
}
