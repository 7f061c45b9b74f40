import { percentDecodeAscii } from './clean-text.ts'
import type { ParsedLink } from './parse-link.ts'

/** Version 2 writes `-` for `%` and `_` for `/`, so that the whole link is one query field. */
export function decodeProofpointV2(field: string | null): string | null {
  return field === null ? null : percentDecodeAscii(field.replaceAll('-', '%').replaceAll('_', '/'))
}

const V3 = /^\/v3\/__(.+)__;([\w-]*)={0,2}!/
/** How many characters a run stands for: the index of its letter, plus two. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Version 3 has the link between two `__`, with `*` for each character that it replaced, and `**` with a letter for a run
 * of them. The replaced characters follow, in base64.
 */
export function decodeProofpointV3({ path, query }: ParsedLink): string | null {
  const parts = V3.exec(query === '' ? path : `${path}?${query}`)
  if (parts === null) return null
  const [, text = '', encoded = ''] = parts
  const replaced = Array.from(Buffer.from(encoded, 'base64url').toString())
  let used = 0
  const decoded = text.replaceAll(/\*(?:\*(.))?/g, (_, letter: string | undefined) => {
    const length = letter === undefined ? 1 : RUN_LENGTHS.indexOf(letter) + 2
    used += length
    return replaced.slice(used - length, used).join('')
  })
  return restoreSlashes(decoded)
}

/** Some mail programs shorten the two slashes of a link inside a path to one. */
export function restoreSlashes<Text extends string | null>(link: Text): Text | string {
  return link?.replace(/^(https?:)\/(?!\/)/i, '$1//') ?? link
}
