import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../../errors.ts'
import { isRunByRoot } from '../../../lib/files/file-owner.ts'
import { isExecutable } from '../../../lib/files/installed-files.ts'
import type { Log } from '../../../log.ts'
import type { BrowserSource, HostEnvironment } from './find-browser.ts'

/** How a browser is kept apart from the machine. */
export type BrowserIsolation = {
  /** The account it runs as; null for the account of the service. */
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

/** The argument with which an operator turns the sandbox off. */
const NO_SANDBOX = '--no-sandbox'

type Options = {
  source: BrowserSource
  settings: { browserArgs: readonly string[] }
  host: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
}

/** Environment variables that a browser needs. The others stay hidden from it, because some are secrets. */
const ALLOWED =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH|SystemRoot|LOCALAPPDATA)$/

/** Variables with the name and the folders of the service's account, which another account cannot use. */
const OF_SERVICE_ACCOUNT = /^(HOME|USER|LOGNAME|XAUTHORITY|XDG_\w+)$/

const run = promisify(execFile)

/** The operating-system account that browsers run as under root. */
export type BrowserAccount = {
  uid: number
  gid: number
  /** The program and the arguments that start another program as this account. */
  command: readonly [string, ...string[]]
}

/**
 * No account of any Linux has this number, so a browser owns no file of the machine. It is not `nobody`: under root the
 * embedded database may run as `nobody`, and a browser must not reach its processes.
 */
const BROWSER_ID = 65_533

/** Much longer than a shell needs on a busy machine. */
const SHELL_TIMEOUT_MS = 15_000
const STANDARD_FOLDERS = ['/usr/bin', '/bin']

/**
 * The ways to start a browser, best first. The next one is used only when the system refuses the sandbox of the one
 * before. Without root there is one way: whether to give up the sandbox is then the operator's decision.
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

/** Starts the browser once and tells how it is isolated; null for the operator's own Chrome. */
export async function probeBrowserIsolation(options: Options): Promise<IsolationLevel | null> {
  const { source, settings, host, cache, log } = options
  if (source.kind === 'remote') return null
  // Playwright is large, and most commands do not need it.
  const { launchBrowser } = await import('./launch-browser.ts')
  await using running = await launchBrowser({
    source,
    // The isolation does not depend on a window.
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
 * The account for browsers; null when Hansard does not run as root. Also null when the system does not let root switch
 * accounts, for example in a container without that capability.
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

/** Throws when the account may not start the program, which is then in a folder that is closed to other accounts. */
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

/** True if the script, given with its parameters, succeeds when the account runs it. */
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
    // A number is the exit status; everything else means that the program could not be started at all.
    if (typeof code === 'number') return false
    throw error
  }
}

function findSetpriv(path: string): string | null {
  const folders = [...path.split(delimiter).filter(Boolean), ...STANDARD_FOLDERS]
  return folders.map((folder) => join(folder, 'setpriv')).find(isExecutable) ?? null
}

/** The variables of the service that a browser inherits when it runs as the account; null for the service's account. */
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
