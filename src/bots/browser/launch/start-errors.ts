import { OperatorError } from '../../../errors.ts'
import { messageOf } from '../../../lib/error-code.ts'
import { INSTALL_HINT } from './find-browser.ts'

/** Known error output of a browser that cannot start, with an explanation and a fix. */
const KNOWN_START_ERRORS: ReadonlyArray<{ says: RegExp; text: string; mend: string }> = [
  {
    says: /error while loading shared libraries: (\S+)/,
    text: 'the browser lacks a library of the system',
    mend: INSTALL_HINT,
  },
  {
    says: /No usable sandbox|sandbox_host_linux|Failed to move to new namespace/i,
    text: 'the system does not let the browser make its sandbox',
    mend: 'Allow user namespaces to this account, or set HANSARD_BROWSER_ARGS=["--no-sandbox"]',
  },
  {
    says: /Missing X server|cannot open display/i,
    text: 'the browser finds no screen',
    mend: 'Set DISPLAY, or HANSARD_BROWSER_MODE=headless',
  },
]

export function toStartError(error: unknown): OperatorError {
  const said = messageOf(error)
  const known = KNOWN_START_ERRORS.find(({ says }) => says.test(said))
  const [line] = said.split('\n')
  return known === undefined
    ? new OperatorError(`the browser does not start: ${line}`, 'hansard doctor', error)
    : new OperatorError(known.text, known.mend, error)
}
