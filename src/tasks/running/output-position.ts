import { createHash } from 'node:crypto'

/**
 * A reader's position in the output of an execution: a number of characters and a digest of them. The digest shows
 * whether the output before the position was replaced in the meantime, for example by another attempt.
 */
export type OutputPosition = {
  chars: number
  /** Null when the reader gave only a number; the text before the position is then not checked. */
  digest: string | null
}

export const OUTPUT_START_POSITION: OutputPosition = { chars: 0, digest: null }
export const OUTPUT_POSITION_PATTERN = /^(\d{1,9})(?:-([0-9a-f]{12}))?$/

/** Parses a position, or returns null when the text is not one. */
export function parseOutputPosition(text: string): OutputPosition | null {
  const [, chars, digest = null] = OUTPUT_POSITION_PATTERN.exec(text) ?? []
  return chars === undefined ? null : { chars: Number(chars), digest }
}

export function formatOutputPosition({ chars, digest }: OutputPosition): string {
  return digest === null ? String(chars) : `${chars}-${digest}`
}

/** Whether the text before the position is still the one that the reader received. */
export function isOutputPositionValid({ chars, digest }: OutputPosition, text: string): boolean {
  if (chars > text.length) return false
  return (
    digest === null ||
    createOutputPositionCounter(text.slice(0, chars)).position().digest === digest
  )
}

/** Tracks the position at the end of a growing text without hashing all of it each time. */
export function createOutputPositionCounter(text = '') {
  const hash = createHash('sha256')
  let chars = 0
  const add = (piece: string) => {
    // UTF-16 gives the same digest when a surrogate pair is split between two pieces.
    hash.update(piece, 'utf16le')
    chars += piece.length
  }
  add(text)
  return {
    add,
    position: (): OutputPosition => ({ chars, digest: hash.copy().digest('hex').slice(0, 12) }),
  }
}
