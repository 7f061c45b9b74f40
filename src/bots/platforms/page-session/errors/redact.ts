import { errorMessageOf } from '../../../../lib/error-code.ts'

/**
 * The URL without query and fragment, which hold passcodes and tokens; empty for a text that is not a web address.
 */
export function removeUrlQueryAndFragment(given: string): string {
  const url = URL.parse(given)
  return url === null || url.origin === 'null' ? '' : url.origin + url.pathname
}

const MAX_MESSAGE_CHARS = 300

/**
 * A copy with the stack frames and only the first line of the message, without secrets. Playwright quotes page text
 * from the second line on.
 */
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
