import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findBrowser, runnable } from '../../src/browser/find.ts'
import { unpackPackagedBrowser } from '../../src/browser/packaged.ts'
import { MACHINE, ROOT } from '../../src/load-config.ts'

/** A proxy that no machine has. */
const NOWHERE = 'http://127.0.0.1:9'
/** Addresses that lead to no host. */
const INSIDE = ['data:', 'blob:']

/** A machine with much else to do may take its time; what never happens fails all the same. */
export const PATIENCE_MS = 120_000

const CACHE = join(ROOT, 'node_modules/.cache')

/** A real Chromium: the packaged one where it exists, so that every machine tests with the same. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const { path, env } = await program()
  return chromium.launch({
    executablePath: path,
    timeout: PATIENCE_MS,
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

export type Visit = AsyncDisposable & {
  page: Page
  context: BrowserContext
  /** Requests that were meant for another host; none of them was let out. */
  outside: string[]
  /** What the page complained about: errors, and breaches of its content security policy. */
  complaints: string[]
}

/** A window of its own that can reach one origin only. */
export async function visit(
  browser: Browser,
  origin: string,
  options: { width?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    // Without one, a machine in the POSIX locale gives the page a language that no browser of a person has.
    locale: 'en-GB',
    // Whatever goes to another host goes nowhere. Routes would do that too, but without a cache.
    proxy: { server: NOWHERE, bypass: new URL(origin).host },
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const outside: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!INSIDE.some((start) => url.startsWith(start)) && !url.startsWith(`${origin}/`))
      outside.push(url)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy|Refused to/i.test(message.text())) {
      complaints.push(message.text())
    }
  })
  return { page, context, outside, complaints, [Symbol.asyncDispose]: () => context.close() }
}

async function program(): Promise<{ path: string; env: Record<string, string> }> {
  if (process.platform === 'linux' && process.arch === 'x64') return unpackPackagedBrowser(CACHE)
  const found = await findBrowser({ browserPath: undefined, browserCdp: undefined }, MACHINE)
  if (found === null || found.kind === 'remote')
    throw new Error('the tests need Chrome or Chromium')
  return runnable(found, CACHE)
}
