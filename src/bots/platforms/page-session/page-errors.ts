import { ZodError } from 'zod'
import { errorMessageOf } from '../../../lib/error-code.ts'
import type { Log } from '../../../log.ts'
import { BrowserSlotLostError } from '../../browser/pool/browser-slot.ts'
import { InjectedScriptMissingError } from '../bridge/bridge.ts'

/** How a page can fail the session. Callers get these reasons as values, because they are not bugs. */
export type PageFailureReason =
  /** In the given time, the page did not answer, or an element could not be clicked. */
  | 'timeout'
  /** The page, its context or its browser is closed or crashed. */
  | 'closed'
  /** The page went to another document while the session worked with it. */
  | 'navigated'
  /** The network refused the address. */
  | 'unreachable'
  /** The element is gone, or it is not a control of the expected kind. */
  | 'unsuitable element'
  /** The browser does not understand a selector of the operator's selectors file. */
  | 'invalid selector'
  /** A script in the page's own world threw an error. */
  | 'page script threw'

/**
 * Errors are recognised by their messages, because Playwright does not export most of its error classes. Loading
 * Playwright here would also delay the start of the service.
 */
const FAILURE_PATTERNS: ReadonlyArray<readonly [PageFailureReason, RegExp]> = [
  [
    'closed',
    /has been closed|has disconnected|target closed|(page|target) crashed|session closed|session already detached|connection closed/i,
  ],
  [
    'navigated',
    /context was destroyed|cannot find context|context with given id|frame (was|got|has been) detached|frame was removed|inspected target navigated|interrupted by another navigation|because of a navigation|while the page is navigating|download is starting/i,
  ],
  ['unreachable', /net::ERR_/],
  [
    'invalid selector',
    /is not a valid selector|while parsing (css )?selector|unknown engine|malformed (attribute )?selector/i,
  ],
  [
    'unsuitable element',
    /not (attached|connected)|was detached from the DOM|not a checkbox|element is not an? |element is not (visible|editable|enabled|stable)|outside of the viewport|node is detached|not an element/i,
  ],
  ['page script threw', /^(page|frame)\.evaluate: /],
]

const MAX_MESSAGE_CHARS = 300

/** Our scripts produce fewer distinct reports. The limit keeps a hostile page from filling the log. */
const MAX_SCRIPT_REPORTS = 20

/** Which page failure an error is; null for an error that no page causes, which is a bug and must become visible. */
export function classifyPageError(error: unknown): PageFailureReason | null {
  if (!(error instanceof Error) || isProgrammingError(error)) return null
  if (error.name === 'TimeoutError') return 'timeout'
  if (error instanceof BrowserSlotLostError) return 'closed'
  if (error instanceof InjectedScriptMissingError) return 'navigated'
  return FAILURE_PATTERNS.find(([, pattern]) => pattern.test(error.message))?.[0] ?? null
}

/** True if only a mistake in our code can cause the error. Playwright rejects with other classes. */
export function isProgrammingError(error: unknown): boolean {
  return BUG_CLASSES.some((kind) => error instanceof kind)
}

/** The code of a platform uses a part that its page model does not have. */
export class UnknownPartError extends Error {
  override readonly name = 'UnknownPartError'
}

const BUG_CLASSES = [TypeError, ReferenceError, RangeError, SyntaxError, UnknownPartError, ZodError]

/** An error that is not a page failure, with the step of the session that threw it. */
export class SessionStepError extends Error {
  override readonly name = 'SessionStepError'
  readonly step: string

  constructor(step: string, cause: unknown) {
    super(`${step} failed`, { cause })
    this.step = step
  }
}

export type PageAnswerOrFailure<T> = { kind: 'value'; value: T } | { kind: PageFailureReason }

/**
 * The page's answer within `ms`, or why there is none. Rejects with an error that is not a page failure. Errors after
 * the time limit go to `onLateError`.
 */
export async function awaitPageAnswer<T>(
  ms: number,
  asked: PromiseLike<T>,
  onLateError: (error: unknown) => void,
): Promise<PageAnswerOrFailure<T>> {
  const late = Promise.withResolvers<PageAnswerOrFailure<T>>()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    late.resolve({ kind: 'timeout' })
  }, ms)
  const answered = Promise.resolve(asked).then(
    (value): PageAnswerOrFailure<T> => ({ kind: 'value', value }),
    (error: unknown): PageAnswerOrFailure<T> => {
      const kind = classifyPageError(error)
      if (kind !== null) return { kind }
      if (isLate) onLateError(error)
      throw error
    },
  )
  try {
    return await Promise.race([answered, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** How a session ends after an error that is not a page failure. `logUnexpectedError` writes the stack to the log. */
export function createInternalErrorEnd(): { kind: 'over'; because: 'internal'; detail: string } {
  const detail = 'An error inside Hansard ended the visit. The log of the service has the details'
  return { kind: 'over', because: 'internal', detail }
}

/** Logs an error that is not a page failure, without page text and without addresses that hold a passcode. */
export function logUnexpectedError(
  log: Log,
  context: { platform: string; sessionId?: string; step: string; pageState?: string },
  error: unknown,
): void {
  const isStepError = error instanceof SessionStepError
  const step = isStepError ? error.step : context.step
  const err = redactError(isStepError ? error.cause : error)
  log.error({ ...context, step, err }, 'page session failed with an unexpected error')
}

/** The URL without query and fragment, which hold passcodes and tokens; empty if the text is not a web address. */
export function removeUrlQueryAndFragment(given: string): string {
  const url = URL.parse(given)
  return url === null || url.origin === 'null' ? '' : url.origin + url.pathname
}

/** Keeps the stack and the message's first line, without secrets. Playwright's other lines quote page text. */
export function redactError(error: unknown): Error {
  const { name, stack = '' } = error instanceof Error ? error : new Error()
  const safe = new Error(redactFirstMessageLine(errorMessageOf(error)))
  safe.name = name
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  safe.stack = [`${name}: ${safe.message}`, ...frames].join('\n')
  return safe
}

/** The first line of a message without queries and fragments of URLs. */
export function redactFirstMessageLine(message: string): string {
  const [line = ''] = message.split('\n')
  if (/\.evaluate: /.test(line)) return line.replace(/\.evaluate: .*$/, '.evaluate: [page text]')
  return line
    .replace(
      /[a-z][a-z0-9+.-]*:\/\/[^\s"'`)]+/gi,
      (url) => removeUrlQueryAndFragment(url) || '[address]',
    )
    .slice(0, MAX_MESSAGE_CHARS)
}

/**
 * Logs what a script in a bot's page reports. Each text is logged only once, because scripts repeat the same problem
 * with every poll. `context` names the session in the log.
 */
export function createScriptProblemReporter(
  log: Log,
  context: () => Record<string, unknown>,
): (text: string) => void {
  const reported = new Set<string>()
  return (text) => {
    const report = redactFirstMessageLine(text)
    if (reported.has(report) || reported.size >= MAX_SCRIPT_REPORTS) return
    reported.add(report)
    log.warn({ ...context(), report }, 'script in the meeting page reported a problem')
  }
}
