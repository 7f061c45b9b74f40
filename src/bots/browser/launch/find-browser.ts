import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../../lib/operator-error.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { copyUnlessOpenToAllAccounts, isExecutable } from '../../../lib/files/installed-files.ts'
import {
  findBrowserAccount,
  refuseUnreachableProgram,
  type BrowserAccount,
  inheritedEnvironment,
} from './isolation.ts'

const run = promisify(execFile)

/** Which browser bots use, and where it was found. */
export type BrowserSource =
  | { kind: 'program'; path: string; from: 'configured' | 'system' | 'playwright' }
  | { kind: 'packaged'; from: 'package' }
  | { kind: 'remote'; endpoint: string; from: 'configured' }

export const BROWSER_MODES = ['headless', 'shell', 'headed'] as const
export type BrowserMode = (typeof BROWSER_MODES)[number]

export type BrowserSettings = {
  browserPath: string | undefined
  browserCdp: string | undefined
  browserMode?: BrowserMode
}

/** The environment variables for programs that the service starts, and the home folder of the service's user. */
export type HostEnvironment = { env: Readonly<Record<string, string | undefined>>; home: string }

const EXECUTABLE_NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'chrome',
]
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const INSTALL_HINT =
  'Install Chromium (Debian: apt-get install chromium), or set HANSARD_BROWSER_PATH'

const HEADLESS_ONLY = 'the packaged browser has no window; HANSARD_BROWSER_MODE=headed needs Chrome'

/** Finds the first browser in the search order of docs/configuration.md; null if the machine has none. */
export async function findBrowser(
  settings: BrowserSettings,
  machine: HostEnvironment,
): Promise<BrowserSource | null> {
  const { browserPath, browserCdp, browserMode } = settings
  if (browserPath !== undefined) {
    if (!isExecutable(browserPath)) {
      throw new OperatorError(`HANSARD_BROWSER_PATH: ${browserPath} is not a program`, INSTALL_HINT)
    }
    return { kind: 'program', path: browserPath, from: 'configured' }
  }
  if (browserCdp !== undefined) return { kind: 'remote', endpoint: browserCdp, from: 'configured' }
  // Only the packaged browser is a headless shell. Without it, the machine's own browser is used.
  const shell = browserMode === 'shell' ? packagedBrowser() : null
  if (shell !== null) return shell
  const system = systemBrowser(machine.env['PATH'] ?? '')
  if (system !== null) return { kind: 'program', path: system, from: 'system' }
  const cached = playwrightBrowser(machine.home)
  if (cached !== null) return { kind: 'program', path: cached, from: 'playwright' }
  return packagedBrowser()
}

/** A browser that the service itself starts. */
export type LocalBrowser = Exclude<BrowserSource, { kind: 'remote' }>

export function isHeadlessShell(browser: LocalBrowser): boolean {
  return browser.kind === 'packaged' || /headless.?shell/i.test(browser.path)
}

/** A headless shell cannot open windows. */
export function refuseHeadlessShell(browser: LocalBrowser): void {
  if (isHeadlessShell(browser)) throw new OperatorError(HEADLESS_ONLY, INSTALL_HINT)
}

export function describeBrowser(browser: BrowserSource | null): string {
  if (browser === null) return `none found. ${INSTALL_HINT}`
  if (browser.kind === 'remote') return 'remote, by its DevTools endpoint'
  return browser.kind === 'packaged' ? 'packaged headless Chromium' : browser.path
}

/** Starts the program to read its version, so that a missing library is found before the first meeting. */
export async function readBrowserVersion(
  browser: BrowserSource,
  cache: string,
  machine: HostEnvironment,
): Promise<string> {
  if (browser.kind === 'remote') {
    const answer = await fetch(new URL('/json/version', browser.endpoint.replace(/^ws/, 'http')), {
      signal: AbortSignal.timeout(5_000),
    })
    return ((await answer.json()) as { Browser: string }).Browser
  }
  const account = await findBrowserAccount(machine.env)
  const { path, env } = await prepareBrowserExecutable(browser, cache, account)
  const [program, ...args] = [...(account?.command ?? []), path, '--version'] as const
  const { stdout } = await run(program, [...args, '--no-sandbox'], {
    timeout: 20_000,
    env: { ...inheritedEnvironment(machine.env, account), ...env },
  })
  return stdout.trim()
}

/**
 * Returns the program to start. The packaged browser is unpacked on first use and includes the libraries that
 * it needs. Under root, the browser's account must be able to read the program, so a browser in root's home
 * folder is copied once.
 */
export async function prepareBrowserExecutable(
  browser: LocalBrowser,
  cache: string,
  account: BrowserAccount | null = null,
): Promise<{ path: string; env: Record<string, string> }> {
  if (browser.kind === 'packaged') {
    const { unpackPackagedBrowser } = await import('./packaged-browser.ts')
    return unpackPackagedBrowser(cache, account)
  }
  if (account === null) return { path: browser.path, env: {} }
  const path = browser.from === 'playwright' ? reachableProgram(browser.path) : browser.path
  await refuseUnreachableProgram(path, account)
  return { path, env: {} }
}

function reachableProgram(path: string): string {
  const [folder, program] = [dirname(path), basename(path)]
  return join(copyUnlessOpenToAllAccounts({ folder, program, name: 'hansard-chromium' }), program)
}

function systemBrowser(path: string): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  const candidates = EXECUTABLE_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, ...MAC_APPS].find(isExecutable) ?? null
}

function playwrightBrowser(home: string): string | null {
  const cache = join(home, '.cache/ms-playwright')
  if (!existsSync(cache)) return null
  const newest = readdirSync(cache)
    .filter((name) => name.startsWith('chromium-'))
    .toSorted()
    .at(-1)
  const path = newest === undefined ? '' : join(cache, newest, 'chrome-linux/chrome')
  return isExecutable(path) ? path : null
}

function packagedBrowser(): BrowserSource | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    import.meta.resolve('@sparticuz/chromium')
    return { kind: 'packaged', from: 'package' }
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}
