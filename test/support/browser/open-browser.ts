import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findBrowser, resolveExecutable } from '../../../src/bots/browser/launch/find-browser.ts'
import { unpackPackagedBrowser } from '../../../src/bots/browser/launch/packaged-browser.ts'
import { MACHINE, ROOT } from '../../../src/config/load-config.ts'

/** A proxy that no machine has. */
const UNREACHABLE_PROXY = 'http://127.0.0.1:9'
/** Addresses that lead to no host. */
const LOCAL_SCHEMES = ['data:', 'blob:']

/** A machine with much else to do may take its time; what never happens fails all the same. */
export const BROWSER_TIMEOUT_MS = 120_000

const CACHE = join(ROOT, 'node_modules/.cache')

/** A real Chromium: the packaged one where it exists, so that every machine tests with the same. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const { path, env } = await findBrowserProgram()
  return chromium.launch({
    executablePath: path,
    timeout: BROWSER_TIMEOUT_MS,
    env: { ...MACHINE.env, ...env },
    // The pages are our own, and a container often has no room for the sandbox.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      ...more,
    ],
  })
}

export type IsolatedWindow = AsyncDisposable & {
  page: Page
  context: BrowserContext
  /** Requests that were meant for another host; none of them was let out. */
  blockedRequests: string[]
  /** What the page complained about: errors, and breaches of its content security policy. */
  pageErrors: string[]
}

/** A window of its own that can reach one origin only. */
export async function openIsolatedWindow(
  browser: Browser,
  origin: string,
  options: { width?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<IsolatedWindow> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    // Without one, a machine in the POSIX locale gives the page a language that no browser of a person has.
    locale: 'en-GB',
    // Whatever goes to another host goes nowhere. Routes would do that too, but without a cache.
    proxy: { server: UNREACHABLE_PROXY, bypass: new URL(origin).host },
  })
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
  const page = await context.newPage()
  const outside: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!LOCAL_SCHEMES.some((start) => url.startsWith(start)) && !url.startsWith(`${origin}/`))
      outside.push(url)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy|Refused to/i.test(message.text())) {
      complaints.push(message.text())
    }
  })
  return {
    page,
    context,
    blockedRequests: outside,
    pageErrors: complaints,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

async function findBrowserProgram(): Promise<{ path: string; env: Record<string, string> }> {
  if (process.platform === 'linux' && process.arch === 'x64') return unpackPackagedBrowser(CACHE)
  const found = await findBrowser({ browserPath: undefined, browserCdp: undefined }, MACHINE)
  if (found === null || found.kind === 'remote')
    throw new Error('the tests need Chrome or Chromium')
  return resolveExecutable(found, CACHE)
}
