import { ServiceError } from '../../errors.ts'
import { cleanText } from '../sanitize/text.ts'

export const MAX_COMMENT_LENGTH = 2_000

const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/u

/**
 * The text of a comment as it is stored: without invisible characters, which could hide text or change its direction, and
 * with its line breaks. Throws if nothing is left.
 */
export function cleanCommentText(raw: string): string {
  const lines = raw.split(LINE_END).map(cleanText)
  const text = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (text === '') {
    const message = 'Must contain visible text'
    throw new ServiceError('invalid_request', { details: [{ path: 'text', message }] })
  }
  return text
}
