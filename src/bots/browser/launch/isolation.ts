import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../../lib/operator-error.ts'
import { isRunByRoot } from '../../../lib/files/file-owner.ts'
import { isExecutable } from '../../../lib/files/installed-files.ts'
import type { Log } from '../../../log.ts'
import type { BrowserSource, HostEnvironment } from './find-browser.ts'

/** How a browser is isolated from the machine. */
export type BrowserIsolation = {
  /** The account that it runs under; null for the service's account. */
  account: BrowserAccount | null
  hasSandbox: boolean
}

/** `sandbox`: Chromium's sandbox is on; `account`: it is off, but the browser does not run as root; `none`: neither. */
const ISOLATION_LEVELS = ['sandbox', 'account', 'none'] as const
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

export const ISOLATION_TEXTS: Readonly<Record<IsolationLevel, string>> = {
  sandbox: 'in its sandbox',
  account: 'without its sandbox, under an account other than root',
  none: 'without its sandbox, as root',
}

/** Operators turn the sandbox off with this argument. */
const NO_SANDBOX = '--no-sandbox'

type Options = {
  source: BrowserSource
  settings: { browserArgs: readonly string[] }
  host: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
}

/** Environment variables that a browser needs. It gets no others, because some are secrets. */
const ALLOWED =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH|SystemRoot|LOCALAPPDATA)$/

/** Variables with the name and the folders of the service's account. Another account cannot use them. */
const OF_SERVICE_ACCOUNT = /^(HOME|USER|LOGNAME|XAUTHORITY|XDG_\w+)$/

const run = promisify(execFile)

/** The operating-system account of browsers when the service runs as root. */
export type BrowserAccount = {
  uid: number
  gid: number
  /** The program and the arguments that start another program as this account. */
  command: readonly [string, ...string[]]
}

/**
 * No Linux account has this number, so a browser owns no file of the machine. `nobody` would be wrong: under root, the
 * embedded database may run as `nobody`, and a browser must not reach its processes.
 */
const BROWSER_ID = 65_533

/** Much longer than a shell needs on a busy machine. */
const SHELL_TIMEOUT_MS = 15_000
const STANDARD_FOLDERS = ['/usr/bin', '/bin']

/**
 * The ways to start a browser, best first. The next way is used only if the system refuses the sandbox of the previous
 * one. Without root there is only one way, because only the operator may decide to turn the sandbox off.
 */
export function listIsolations(
  account: BrowserAccount | null,
  operatorArguments: readonly string[],
): readonly [BrowserIsolation, ...BrowserIsolation[]] {
  const without = { account, hasSandbox: false }
  if (operatorArguments.includes(NO_SANDBOX)) return [without]
  // Chromium refuses to start its sandbox as root.
  if (account === null && isRunByRoot()) return [without]
  const best = { account, hasSandbox: true }
  return account === null ? [best] : [best, without]
}

export function isolationLevel({ account, hasSandbox }: BrowserIsolation): IsolationLevel {
  if (hasSandbox) return 'sandbox'
  return account === null && isRunByRoot() ? 'none' : 'account'
}

/** Starts the browser once and returns how it is isolated; null for the operator's own Chrome. */
export async function probeBrowserIsolation(options: Options): Promise<IsolationLevel | null> {
  const { source, settings, host, cache, log } = options
  if (source.kind === 'remote') return null
  // Playwright is large, and most commands do not need it.
  const { launchBrowser } = await import('./launch-browser.ts')
  await using running = await launchBrowser({
    source,
    // A window makes no difference to the isolation.
    mode: 'headless',
    args: settings.browserArgs,
    proxy: null,
    host,
    cache,
    log,
    knownIsolations: new Map(),
  })
  return running.isolation === null ? null : isolationLevel(running.isolation)
}

/**
 * Returns the account for browsers; null if Hansard does not run as root, or if the system does not let root switch
 * accounts, as in a container without that capability.
 */
export async function findBrowserAccount(
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs = SHELL_TIMEOUT_MS,
): Promise<BrowserAccount | null> {
  if (!isRunByRoot()) return null
  const setpriv = findSetpriv(env['PATH'] ?? '')
  if (setpriv === null) return null
  const account: BrowserAccount = {
    uid: BROWSER_ID,
    gid: BROWSER_ID,
    command: [setpriv, `--reuid=${BROWSER_ID}`, `--regid=${BROWSER_ID}`, '--clear-groups', '--'],
  }
  return (await runShellAs(account, [':'], timeoutMs)) ? account : null
}

/** Throws if the account may not start the program. The program is then in a folder that other accounts cannot open. */
export async function refuseUnreachableProgram(
  path: string,
  account: BrowserAccount | null,
): Promise<void> {
  if (account === null) return
  if (await runShellAs(account, ['test -r "$0" && test -x "$0"', path])) return
  throw new OperatorError(
    `under root the browser runs as another account (${account.uid}), which cannot start ${path}`,
    'Install Chromium for all accounts (Debian: apt-get install chromium), or run Hansard under its own account',
  )
}

/** Runs the script, given with its parameters, as the account; true if it succeeds. */
async function runShellAs(
  { command: [program, ...args] }: BrowserAccount,
  script: readonly string[],
  timeout = SHELL_TIMEOUT_MS,
): Promise<boolean> {
  try {
    await run(program, [...args, '/bin/sh', '-c', ...script], { timeout, killSignal: 'SIGKILL' })
    return true
  } catch (error) {
    const { code } = error as { code?: unknown }
    // A number is the exit status. Everything else means that the program could not be started.
    if (typeof code === 'number') return false
    throw error
  }
}

function findSetpriv(path: string): string | null {
  const folders = [...path.split(delimiter).filter(Boolean), ...STANDARD_FOLDERS]
  return folders.map((folder) => join(folder, 'setpriv')).find(isExecutable) ?? null
}

/** The service's variables that a browser under this account inherits; null is the service's own account. */
export function inheritedEnvironment(
  env: HostEnvironment['env'],
  account: BrowserAccount | null,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => ALLOWED.test(name) && (account === null || !OF_SERVICE_ACCOUNT.test(name)),
    ),
  )
}
