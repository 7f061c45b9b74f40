import { chromium, type Browser, type CDPSession } from 'playwright-core'
import { OperatorError } from '../../../lib/operator-error.ts'
import { isDoneWithin } from '../../../lib/async/abort.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { readPlaywrightInternal } from '../playwright-internals.ts'
import type { BrowserSource, LocalBrowser } from './find-browser.ts'
import type { BrowserIsolation } from './isolation.ts'
import { startProgram, type ProgramOptions } from './start-program.ts'

export type LaunchOptions = ProgramOptions & {
  source: BrowserSource
  /** The limit for the first answers of a browser that has started. */
  answerTimeoutMs?: number
}

/** A running browser: one that the service started, or the operator's own Chrome. */
export interface RunningBrowser extends AsyncDisposable {
  readonly browser: Browser
  /** A DevTools session with the browser itself, not with a page. */
  readonly cdpSession: CDPSession
  /** True for the operator's own Chrome. Bots open pages in its first window and change nothing else. */
  readonly isExternal: boolean
  /** Null for a browser that may run on another machine. */
  readonly pid: number | null
  /** Null for the operator's own Chrome, because the operator started it. */
  readonly isolation: BrowserIsolation | null
}

const CONNECT_TIMEOUT_MS = 45_000
const CLOSE_TIMEOUT_MS = 10_000
/** A busy machine needs much less for two answers. */
const ANSWER_TIMEOUT_MS = 20_000

export async function launchBrowser(options: LaunchOptions): Promise<RunningBrowser> {
  const { source, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
  return source.kind === 'remote'
    ? connectOverCdp(source.endpoint, answerTimeoutMs)
    : startBrowser(source, options, answerTimeoutMs)
}

async function startBrowser(
  source: LocalBrowser,
  options: ProgramOptions,
  answerTimeoutMs: number,
): Promise<RunningBrowser> {
  await using stack = new AsyncDisposableStack()
  const { browser, isolation } = stack.use(await startProgram(source, options))
  const processGroup = findProcessGroup(browser)
  stack.defer(() => closeBrowser(browser, processGroup))
  const opening = openBrowserSession(browser)
  if (!(await isDoneWithin(opening, answerTimeoutMs))) {
    killProcess(processGroup)
    throw new OperatorError('the browser starts, but does not answer', 'Run hansard doctor')
  }
  const { cdpSession, pid } = await opening
  const owned = stack.move()
  return {
    browser,
    cdpSession,
    isExternal: false,
    pid,
    isolation,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Connects to the operator's own Chrome. Disposing only disconnects, because the operator closes that browser. */
async function connectOverCdp(endpoint: string, answerTimeoutMs: number): Promise<RunningBrowser> {
  try {
    await using stack = new AsyncDisposableStack()
    const browser = await chromium.connectOverCDP(endpoint, { timeout: CONNECT_TIMEOUT_MS })
    stack.defer(() => browser.close())
    const opening = openBrowserSession(browser)
    if (!(await isDoneWithin(opening, answerTimeoutMs))) throw new Error('no answer in time')
    const { cdpSession } = await opening
    const connected = stack.move()
    return {
      browser,
      cdpSession,
      isExternal: true,
      pid: null,
      isolation: null,
      [Symbol.asyncDispose]: () => connected.disposeAsync(),
    }
  } catch {
    // Playwright's message quotes the address, which may hold a password, so the cause is left out.
    throw new OperatorError(
      'no browser answers at HANSARD_BROWSER_CDP',
      'Start Chrome with --remote-debugging-port and set HANSARD_BROWSER_CDP to its address',
    )
  }
}

async function openBrowserSession(
  browser: Browser,
): Promise<{ cdpSession: CDPSession; pid: number | null }> {
  const cdpSession = await browser.newBrowserCDPSession()
  return { cdpSession, pid: await findProcessIdByType(cdpSession, 'browser') }
}

/**
 * The process group of a browser that Playwright started, as a negative number for `killProcess`. Null if Playwright
 * does not report it; Playwright then kills a browser that has not closed after 30 seconds.
 */
function findProcessGroup(browser: Browser): number | null {
  try {
    const pid = readPlaywrightInternal(browser, ['options', 'browserProcess', 'process', 'pid'])
    return typeof pid === 'number' ? -pid : null
  } catch (error) {
    // The browser has just ended.
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The id of the first process of a type, by Chromium's name for the type; null if there is none. */
export async function findProcessIdByType(
  session: CDPSession,
  kind: string,
): Promise<number | null> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.find(({ type }) => type === kind)?.id ?? null
}

/** Kills a browser that does not close in time, so that the service can shut down. */
async function closeBrowser(browser: Browser, processGroup: number | null): Promise<void> {
  const timer = setTimeout(() => killProcess(processGroup), CLOSE_TIMEOUT_MS)
  try {
    await browser.close()
  } finally {
    clearTimeout(timer)
  }
}

/** Sends SIGKILL to a process, or to a process group by its negative id. Does nothing if it has already ended. */
export function killProcess(pid: number | null): void {
  if (pid === null) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
