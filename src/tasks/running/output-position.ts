import { createHash } from 'node:crypto'

/**
 * Where somebody is in what an execution says: so many characters, and a digest of them. By the time somebody
 * comes back they may be void: another attempt was made, or the end came without the remarks on the way.
 */
export type OutputPosition = {
  chars: number
  /** Null: whoever names it knows what is before it. */
  digest: string | null
}

export const OUTPUT_START: OutputPosition = { chars: 0, digest: null }
export const OUTPUT_POSITION_PATTERN = /^(\d{1,9})(?:-([0-9a-f]{12}))?$/

/** Null: no position at all. */
export function parseOutputPosition(text: string): OutputPosition | null {
  const [, chars, digest = null] = OUTPUT_POSITION_PATTERN.exec(text) ?? []
  return chars === undefined ? null : { chars: Number(chars), digest }
}

export function formatOutputPosition({ chars, digest }: OutputPosition): string {
  return digest === null ? String(chars) : `${chars}-${digest}`
}

/** Whether what a text begins with is what was known at the position. */
export function isPositionInText({ chars, digest }: OutputPosition, text: string): boolean {
  if (chars > text.length) return false
  return digest === null || createPositionCounter(text.slice(0, chars)).position().digest === digest
}

/** The position behind a text that grows, without looking at all of it each time. */
export function createPositionCounter(text = '') {
  const hash = createHash('sha256')
  let chars = 0
  const add = (more: string) => {
    // Half a character at the end of a piece counts like the same half in the middle of a text.
    hash.update(more, 'utf16le')
    chars += more.length
  }
  add(text)
  return {
    add,
    position: (): OutputPosition => ({ chars, digest: hash.copy().digest('hex').slice(0, 12) }),
  }
}
