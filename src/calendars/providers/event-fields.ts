import { z } from 'zod'
import { toPlainLine } from '../../lib/text/plain-text.ts'
import { collectLinks } from '../ics/links.ts'

/** Readers of the fields that both providers have. Whatever a provider sends, the results can be stored. */

const MAX_ID_CHARS = 1_024
const MAX_TITLE_CHARS = 500
const MAX_ADDRESS_CHARS = 320
const MAX_URL_CHARS = 2_000
const MAX_LINKS = 30
export const MAX_ATTENDEES = 500
const PRINTABLE = /^[!-~]+$/

export const printable = z.string().max(MAX_ID_CHARS).regex(PRINTABLE)
/** A link or a state that is sent back to the provider. */
export const cursorText = z.string().min(1).max(8_000).regex(PRINTABLE)

export const readTitle = (text: string | null | undefined): string =>
  toPlainLine(text ?? '', MAX_TITLE_CHARS)

/** In lower case; null if it is no address. */
export function readAddress(text: string | null | undefined): string | null {
  const address = toPlainLine(text ?? '', MAX_ADDRESS_CHARS).toLowerCase()
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : null
}

export function readUrl(text: string | null | undefined): string | null {
  const isUsable = text && text.length <= MAX_URL_CHARS && PRINTABLE.test(text)
  return isUsable ? text : null
}

export function readLinks(texts: ReadonlyArray<string | null | undefined>): string[] {
  const given = texts.filter((text) => typeof text === 'string')
  return collectLinks(given)
    .filter((link) => link.length <= MAX_URL_CHARS)
    .slice(0, MAX_LINKS)
}

/** An instant in ISO 8601 with milliseconds; null for a text that is not a time. */
export function readInstant(text: string): string | null {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
