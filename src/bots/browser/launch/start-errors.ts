import { OperatorError } from '../../../errors.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import { INSTALL_HINT } from './find-browser.ts'

/** Output of Chromium, and what Playwright replaces it with, when the system does not allow the sandbox. */
const SANDBOX_REFUSED =
  /No usable sandbox|sandboxing failed|sandbox_host_linux|Failed to move to new namespace|services\/credentials\.cc|sys_chroot/i

/** Known error output of a browser that cannot start, with an explanation and a fix. */
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

export function toBrowserStartError(error: unknown): OperatorError {
  const message = errorMessageOf(error)
  const known = KNOWN_START_ERRORS.find(({ pattern }) => pattern.test(message))
  const [line] = message.split('\n')
  return known === undefined
    ? new OperatorError(`the browser does not start: ${line}`, 'Run hansard doctor', error)
    : new OperatorError(known.text, known.fix, error)
}

/** Whether a start error, made by `toBrowserStartError`, means that the system does not allow the sandbox. */
export function isSandboxRefusal(error: unknown): boolean {
  return error instanceof OperatorError && SANDBOX_REFUSED.test(errorMessageOf(error.cause))
}
