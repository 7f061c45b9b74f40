import { chromium, type Browser, type CDPSession } from 'playwright-core'
import { OperatorError } from '../errors.ts'
import type { Log } from '../log.ts'
import { argumentsFor } from './arguments.ts'
import { openDisplay } from './display.ts'
import {
  INSTALL_HINT,
  runnable,
  type Browser as Found,
  type BrowserMode,
  type Machine,
} from './find.ts'
import { isAlive, makeProfile } from './profile.ts'
import { explain } from './trouble.ts'

export type LaunchOptions = {
  found: Found
  mode: BrowserMode
  /** Further arguments for Chromium. */
  args: readonly string[]
  /** The way to the network, or null: as the arguments say. */
  proxy: string | null
  machine: Machine
  /** Where the packaged browser is unpacked. */
  cache: string
  log: Log
}

/** A browser that runs, ours or the operator's. */
export interface RunningBrowser extends AsyncDisposable {
  readonly browser: Browser
  /** To the browser itself. */
  readonly session: CDPSession
  /** The operator's own keeps its people: pages are opened in its first window and nothing else is touched. */
  readonly isOperators: boolean
  /** Its own process; null for a browser that may be on another machine. */
  readonly pid: number | null
}

const START_MS = 45_000
const CLOSE_MS = 10_000

/** What a browser needs from the environment of the service; everything else there is none of its business. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH|SystemRoot|LOCALAPPDATA)$/

export async function launchBrowser(options: LaunchOptions): Promise<RunningBrowser> {
  const { found } = options
  return found.kind === 'remote' ? connectTo(found.endpoint) : startProgram(found, options)
}

async function startProgram(
  found: Exclude<Found, { kind: 'remote' }>,
  { mode, args, proxy, machine, cache, log }: LaunchOptions,
): Promise<RunningBrowser> {
  await using stack = new AsyncDisposableStack()
  const isRoot = process.getuid?.() === 0
  const isShell = found.kind === 'packaged' || /headless.?shell/i.test(found.path)
  if (isShell && mode === 'headed') throw new OperatorError(HEADLESS_ONLY, INSTALL_HINT)
  const { path, env } = await runnable(found, cache)
  const profile = stack.use(await makeProfile())
  const display = mode === 'headed' ? stack.use(await openDisplay(machine)) : null
  const circumstances = { mode, isRoot, isShell, proxy, profile: profile.folder }
  const browser = await chromium
    .launch({
      executablePath: path,
      ignoreDefaultArgs: true,
      args: [...argumentsFor(circumstances, args)],
      env: { ...pick(machine.env), ...env, ...display?.env, TMPDIR: profile.temporary },
      artifactsDir: profile.temporary,
      // The service closes its parts in order when it is told to stop.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS,
    })
    .catch((error: unknown) => {
      throw explain(error)
    })
  const session = await browser.newBrowserCDPSession()
  const pid = await processOf(session, 'browser')
  if (isRoot) log.warn('the browser runs without its sandbox, because the service runs as root')
  stack.defer(() => closeBrowser(browser, pid))
  const owned = stack.move()
  return {
    browser,
    session,
    isOperators: false,
    pid,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Only disconnects in the end: whoever started that browser ends it. */
async function connectTo(endpoint: string): Promise<RunningBrowser> {
  try {
    const browser = await chromium.connectOverCDP(endpoint, { timeout: START_MS })
    const session = await browser.newBrowserCDPSession()
    return {
      browser,
      session,
      isOperators: true,
      pid: null,
      [Symbol.asyncDispose]: () => browser.close(),
    }
  } catch {
    // Without its cause: the address may carry a password, and the driver's message quotes it.
    throw new OperatorError(
      'no browser answers at HANSARD_BROWSER_CDP',
      'Start Chrome with --remote-debugging-port and give its address',
    )
  }
}

/** The number of the first process of a kind, in Chromium's words for them; null when there is none. */
export async function processOf(session: CDPSession, kind: string): Promise<number | null> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.find(({ type }) => type === kind)?.id ?? null
}

/** A browser that does not close when asked would keep us from closing. */
async function closeBrowser(browser: Browser, pid: number | null): Promise<void> {
  const timer = setTimeout(() => kill(pid), CLOSE_MS)
  try {
    await browser.close()
  } finally {
    clearTimeout(timer)
  }
}

export function kill(pid: number | null): void {
  if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGKILL')
}

function pick(env: Machine['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)))
}

const HEADLESS_ONLY = 'the packaged browser has no window; HANSARD_BROWSER_MODE=headed needs Chrome'
