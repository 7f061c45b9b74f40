import { chromium, type Browser, type CDPSession } from 'playwright-core'
import { OperatorError } from '../../../errors.ts'
import { errorCode } from '../../../lib/error-code.ts'
import type { Log } from '../../../log.ts'
import { buildChromiumArguments } from './chromium-arguments.ts'
import { openDisplay } from './display.ts'
import {
  isHeadlessShell,
  refuseHeadlessShell,
  resolveExecutable,
  type BrowserSource as Found,
  type BrowserMode,
  type HostEnvironment,
} from './find-browser.ts'
import { createProfile } from './profile.ts'
import { toBrowserStartError } from './start-errors.ts'

export type LaunchOptions = {
  source: Found
  mode: BrowserMode
  /** Additional arguments for Chromium. */
  args: readonly string[]
  /** URL of the egress proxy; null when the arguments set a proxy themselves. */
  proxy: string | null
  host: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
}

/** A browser that runs: started by the service, or the operator's own Chrome. */
export interface RunningBrowser extends AsyncDisposable {
  readonly browser: Browser
  /** A DevTools session with the browser itself, not with a page. */
  readonly cdpSession: CDPSession
  /** True for the operator's own Chrome: bots open pages in its first window and change nothing else. */
  readonly isExternal: boolean
  /** The process id; null for a browser that may run on another machine. */
  readonly pid: number | null
}

const START_TIMEOUT_MS = 45_000
const CLOSE_TIMEOUT_MS = 10_000

/** Environment variables that a browser needs. The others stay hidden from it, because some are secrets. */
const ALLOWED_ENVIRONMENT =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH|SystemRoot|LOCALAPPDATA)$/

export async function launchBrowser(options: LaunchOptions): Promise<RunningBrowser> {
  const { source } = options
  return source.kind === 'remote' ? connectOverCdp(source.endpoint) : startProgram(source, options)
}

async function startProgram(
  found: Exclude<Found, { kind: 'remote' }>,
  { mode, args, proxy, host, cache, log }: LaunchOptions,
): Promise<RunningBrowser> {
  await using stack = new AsyncDisposableStack()
  const isRoot = process.getuid?.() === 0
  const isShell = isHeadlessShell(found)
  if (mode === 'headed') refuseHeadlessShell(found)
  const { path, env } = await resolveExecutable(found, cache)
  const profile = stack.use(await createProfile())
  const display = mode === 'headed' ? stack.use(await openDisplay(host)) : null
  const conditions = { mode, isRoot, isShell, proxy, profile: profile.folder }
  const browser = await chromium
    .launch({
      executablePath: path,
      ignoreDefaultArgs: true,
      args: [...buildChromiumArguments(conditions, args)],
      env: { ...allowedEnvironment(host.env), ...env, ...display?.env, TMPDIR: profile.temporary },
      artifactsDir: profile.temporary,
      // Playwright must not handle signals, because the service handles them itself and closes its parts in order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_TIMEOUT_MS,
    })
    .catch((error: unknown) => {
      throw toBrowserStartError(error)
    })
  const session = await browser.newBrowserCDPSession()
  const pid = await findProcessIdByType(session, 'browser')
  if (isRoot) log.warn('the browser runs without its sandbox, because the service runs as root')
  stack.defer(() => closeBrowser(browser, pid))
  const owned = stack.move()
  return {
    browser,
    cdpSession: session,
    isExternal: false,
    pid,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/**
 * Connects to the operator's own Chrome. Disposing only disconnects: the operator started this browser and also ends
 * it.
 */
async function connectOverCdp(endpoint: string): Promise<RunningBrowser> {
  try {
    const browser = await chromium.connectOverCDP(endpoint, { timeout: START_TIMEOUT_MS })
    const session = await browser.newBrowserCDPSession()
    return {
      browser,
      cdpSession: session,
      isExternal: true,
      pid: null,
      [Symbol.asyncDispose]: () => browser.close(),
    }
  } catch {
    // The cause is left out, because Playwright's message quotes the address, which may hold a password.
    throw new OperatorError(
      'no browser answers at HANSARD_BROWSER_CDP',
      'Start Chrome with --remote-debugging-port and set HANSARD_BROWSER_CDP to its address',
    )
  }
}

/** The id of the first process of a type, by Chromium's name for the type; null when there is none. */
export async function findProcessIdByType(
  session: CDPSession,
  kind: string,
): Promise<number | null> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.find(({ type }) => type === kind)?.id ?? null
}

/** Kills a browser that does not close in time, so that the service can shut down. */
async function closeBrowser(browser: Browser, pid: number | null): Promise<void> {
  const timer = setTimeout(() => killProcess(pid), CLOSE_TIMEOUT_MS)
  try {
    await browser.close()
  } finally {
    clearTimeout(timer)
  }
}

/** Kills a process with SIGKILL; does nothing when the process has ended already. */
export function killProcess(pid: number | null): void {
  if (pid === null) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

function allowedEnvironment(env: HostEnvironment['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => ALLOWED_ENVIRONMENT.test(name)))
}
