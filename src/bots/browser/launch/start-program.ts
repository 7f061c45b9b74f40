import { chromium, type Browser } from 'playwright-core'
import { OperatorError } from '../../../lib/operator-error.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import type { Log } from '../../../log.ts'
import { buildChromiumArguments } from './chromium-arguments.ts'
import { openDisplay } from './display.ts'
import {
  isHeadlessShell,
  refuseHeadlessShell,
  prepareBrowserExecutable,
  type BrowserMode,
  type HostEnvironment,
  type LocalBrowser,
  INSTALL_HINT,
} from './find-browser.ts'
import {
  findBrowserAccount,
  inheritedEnvironment,
  ISOLATION_TEXTS,
  isolationLevel,
  listIsolations,
  type BrowserIsolation,
} from './isolation.ts'
import { createProfile } from './profile.ts'

export type ProgramOptions = {
  mode: BrowserMode
  /** Additional arguments for Chromium. */
  args: readonly string[]
  /** URL of the egress proxy; null if the arguments set a proxy themselves. */
  proxy: string | null
  host: HostEnvironment
  /** The folder into which the packaged browser is unpacked. */
  cache: string
  log: Log
  /** The isolation that worked, by the program's path. Only the first start tries which isolation the system allows. */
  knownIsolations: Map<string, BrowserIsolation>
}

/** A browser that the service has started. Disposing removes its folders, so close the browser first. */
export type StartedBrowser = AsyncDisposable & {
  browser: Browser
  isolation: BrowserIsolation
}

type Program = { source: LocalBrowser; path: string; env: Record<string, string> }

const START_TIMEOUT_MS = 45_000

/** What Chromium prints when the system does not allow the sandbox, and the text with which Playwright replaces it. */
const SANDBOX_REFUSED =
  /No usable sandbox|sandboxing failed|sandbox_host_linux|Failed to move to new namespace|services\/credentials\.cc|sys_chroot/i

/** Known error messages of a browser that cannot start, each with an explanation and a fix. */
const KNOWN_START_ERRORS: ReadonlyArray<{ pattern: RegExp; text: string; fix: string }> = [
  {
    pattern: /error while loading shared libraries: (\S+)/,
    text: 'a system library that the browser needs is missing',
    fix: INSTALL_HINT,
  },
  {
    pattern: SANDBOX_REFUSED,
    text: 'the system does not allow the browser to create its sandbox',
    fix: 'Allow user namespaces for this user, or set HANSARD_BROWSER_ARGS=["--no-sandbox"]',
  },
  {
    pattern: /Missing X server|cannot open display/i,
    text: 'the browser finds no display',
    fix: 'Set DISPLAY, or HANSARD_BROWSER_MODE=headless',
  },
]

/** Starts a browser with the best isolation that the system allows. */
export async function startProgram(
  source: LocalBrowser,
  options: ProgramOptions,
): Promise<StartedBrowser> {
  const { mode, cache, host, args, knownIsolations, log } = options
  if (mode === 'headed') refuseHeadlessShell(source)
  const account = await findBrowserAccount(host.env)
  const program = { source, ...(await prepareBrowserExecutable(source, cache, account)) }
  const known = knownIsolations.get(program.path)
  if (known !== undefined) return startIsolated(program, known, options)
  const started = await startFirstAllowed(program, listIsolations(account, args), options)
  knownIsolations.set(program.path, started.isolation)
  const level = isolationLevel(started.isolation)
  if (level !== 'sandbox')
    log.warn({ program: program.path }, `a browser runs ${ISOLATION_TEXTS[level]}`)
  return started
}

/** Tries the next isolation if the system refuses the sandbox. */
async function startFirstAllowed(
  program: Program,
  [isolation, ...others]: readonly [BrowserIsolation, ...BrowserIsolation[]],
  options: ProgramOptions,
): Promise<StartedBrowser> {
  try {
    return await startIsolated(program, isolation, options)
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !isSandboxRefusal(error)) throw error
    return startFirstAllowed(program, [next, ...rest], options)
  }
}

async function startIsolated(
  { source, path, env }: Program,
  isolation: BrowserIsolation,
  { mode, args, proxy, host }: ProgramOptions,
): Promise<StartedBrowser> {
  await using stack = new AsyncDisposableStack()
  const { account, hasSandbox } = isolation
  const profile = stack.use(await createProfile(account))
  const displayUser = account === null ? undefined : { account, keyFolder: profile.root }
  const display = mode === 'headed' ? stack.use(await openDisplay(host, displayUser)) : null
  const conditions = {
    mode,
    hasSandbox,
    isShell: isHeadlessShell(source),
    proxy,
    profile: profile.folder,
  }
  const command = [...(account?.command ?? []), path, ...buildChromiumArguments(conditions, args)]
  const browser = await chromium
    .launch({
      executablePath: command[0] ?? path,
      ignoreDefaultArgs: true,
      args: command.slice(1),
      env: {
        ...inheritedEnvironment(host.env, account),
        ...(account !== null && { HOME: profile.folder }),
        ...env,
        ...display?.env,
        TMPDIR: profile.temporary,
      },
      artifactsDir: profile.artifacts,
      // Playwright must not handle signals, because the service handles them and closes its parts in order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_TIMEOUT_MS,
    })
    .catch((error: unknown) => {
      throw toBrowserStartError(error)
    })
  const folders = stack.move()
  return { browser, isolation, [Symbol.asyncDispose]: () => folders.disposeAsync() }
}

function toBrowserStartError(error: unknown): OperatorError {
  const message = errorMessageOf(error)
  const known = KNOWN_START_ERRORS.find(({ pattern }) => pattern.test(message))
  const [line] = message.split('\n')
  return known === undefined
    ? new OperatorError(`the browser does not start: ${line}`, 'Run hansard doctor', error)
    : new OperatorError(known.text, known.fix, error)
}

/** True if a start error of `toBrowserStartError` means that the system does not allow the sandbox. */
function isSandboxRefusal(error: unknown): boolean {
  return error instanceof OperatorError && SANDBOX_REFUSED.test(errorMessageOf(error.cause))
}
