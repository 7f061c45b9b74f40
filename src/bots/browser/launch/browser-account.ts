import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../../errors.ts'
import { isExecutable } from '../../../lib/files/is-executable.ts'
import { isRunByRoot } from '../../../lib/files/file-owner.ts'

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
