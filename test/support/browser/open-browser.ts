import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import {
  findBrowser,
  prepareBrowserExecutable,
} from '../../../src/bots/browser/launch/find-browser.ts'
import { unpackPackagedBrowser } from '../../../src/bots/browser/launch/packaged-browser.ts'
import { PROCESS_ENV_AND_HOME, INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'

/** No proxy listens on this address. */
const UNREACHABLE_PROXY = 'http://127.0.0.1:9'
/** Schemes of URLs without a host. */
const LOCAL_SCHEMES = ['data:', 'blob:']

/** An upper limit against hanging. */
export const BROWSER_TIMEOUT_MS = 120_000

/**
 * Arguments for pages that do not live long enough to profit from code that is optimized in the background. Drawing in
 * a separate process would take a tenth more processor time.
 */
export const SHORT_LIVED_PAGES = ['--js-flags=--no-opt --no-maglev', '--in-process-gpu']

const CACHE = join(INSTALLATION_FOLDER, 'node_modules/.cache')

/** Starts a real Chromium. If possible it is the packaged one, so that every machine tests with the same version. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const { path, env } = await findBrowserProgram()
  return chromium.launch({
    executablePath: path,
    timeout: BROWSER_TIMEOUT_MS,
    env: { ...PROCESS_ENV_AND_HOME.env, ...env },
    // The tests load only trusted pages, and many containers do not allow the sandbox.
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
  /** Requests to other hosts. All of them were blocked. */
  blockedRequests: string[]
  /** Page errors and violations of the content security policy. */
  pageErrors: string[]
}

/** Opens a window that can reach only one origin, and a provider if `alsoReaches` names it. */
export async function openIsolatedWindow(
  browser: Browser,
  origin: string,
  options: { width?: number; alsoReaches?: string } = {},
): Promise<IsolatedWindow> {
  const { alsoReaches } = options
  const reached = [origin, ...(alsoReaches === undefined ? [] : [alsoReaches])]
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    // On a machine with the POSIX locale, the page would otherwise get a language that real browsers never have.
    locale: 'en-GB',
    // Blocks other hosts. Playwright routes would block them too, but they disable the cache.
    proxy: { server: UNREACHABLE_PROXY, bypass: reached.map((one) => new URL(one).host).join(',') },
  })
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
  await omitBlur(context)
  const page = await context.newPage()
  const blockedRequests: string[] = []
  const pageErrors: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    const isExpected = reached.some((one) => url.startsWith(`${one}/`))
    if (!LOCAL_SCHEMES.some((start) => url.startsWith(start)) && !isExpected)
      blockedRequests.push(url)
  })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy|Refused to/i.test(message.text())) {
      pageErrors.push(message.text())
    }
  })
  return {
    page,
    context,
    blockedRequests,
    pageErrors,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** In tests, the blur behind a dialog takes half of the processor time of opening it. Screenshots still show it. */
async function omitBlur(context: BrowserContext): Promise<void> {
  const { NODE_TEST_CONTEXT, TEST_PICTURES } = process.env
  if (NODE_TEST_CONTEXT === undefined || TEST_PICTURES !== undefined) return
  await context.addInitScript(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { backdrop-filter: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })()`)
}

async function findBrowserProgram(): Promise<{ path: string; env: Record<string, string> }> {
  if (process.platform === 'linux' && process.arch === 'x64') return unpackPackagedBrowser(CACHE)
  const found = await findBrowser(
    { browserPath: undefined, browserCdp: undefined },
    PROCESS_ENV_AND_HOME,
  )
  if (found === null || found.kind === 'remote')
    throw new Error('the tests need Chrome or Chromium')
  return prepareBrowserExecutable(found, CACHE)
}
