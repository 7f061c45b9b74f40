import { once } from 'node:events'
import { chromium, type Browser as Chromium } from 'playwright-core'
import {
  findBrowser,
  INSTALL_HINT,
  prepareBrowserExecutable,
  type BrowserSettings,
  type HostEnvironment,
} from '../browser/launch/find-browser.ts'
import { OperatorError } from '../../errors.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { SIGN_IN_SITE_BY_PLATFORM, type AccountPlatformName } from './sites.ts'
import { validateAndFilterStorageState, type StorageStateParseResult } from './storage-state.ts'

const IMPORT_HINT =
  'Sign in on another machine and import the state with --state FILE, see docs/operate.md'

type Parts = {
  settings: BrowserSettings & { browserArgs: readonly string[] }
  machine: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  say(line: string): void
}

/** Opens a browser window in which a person signs in, and returns the state of that browser. */
export async function readBrowserStateAfterManualSignIn(
  platform: AccountPlatformName,
  { settings, machine, cache, say }: Parts,
): Promise<StorageStateParseResult> {
  if (!hasDisplay(machine)) {
    throw new OperatorError('There is no display here to open a browser on', IMPORT_HINT)
  }
  if (!process.stdin.isTTY) {
    throw new OperatorError('Signing in needs a terminal, to confirm when it is done', IMPORT_HINT)
  }
  const browser = await openWindow(settings, machine, cache)
  try {
    return await readStateAfterConfirmedSignIn(
      browser,
      platform,
      () => once(process.stdin, 'data'),
      say,
    )
  } finally {
    process.stdin.pause()
    await browser.close()
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

async function openWindow(
  settings: Parts['settings'],
  machine: HostEnvironment,
  cache: string,
): Promise<Chromium> {
  const found = await findBrowser(settings, machine)
  if (found === null) throw new OperatorError('no browser found', INSTALL_HINT)
  if (found.kind !== 'program') {
    throw new OperatorError(
      'This browser has no windows. Install Chrome or Chromium to sign in',
      INSTALL_HINT,
    )
  }
  const { path, env } = await prepareBrowserExecutable(found, cache)
  try {
    return await chromium.launch({
      executablePath: path,
      headless: false,
      args: [...settings.browserArgs],
      env: withoutServiceSettings({ ...machine.env, ...env }),
    })
  } catch (error) {
    throw new OperatorError(`The browser did not open: ${firstLine(error)}`, IMPORT_HINT, error)
  }
}

/** On Linux an environment variable names the display; other systems always have one. */
function hasDisplay({ env }: HostEnvironment): boolean {
  if (process.platform !== 'linux') return true
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
}

/** Hides the service's settings from the browser, because some are secrets. */
function withoutServiceSettings(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith('HANSARD_') && entry[0] !== 'DATABASE_URL',
  )
  return Object.fromEntries(entries)
}

function firstLine(error: unknown): string {
  return errorMessageOf(error).split('\n')[0] ?? ''
}
