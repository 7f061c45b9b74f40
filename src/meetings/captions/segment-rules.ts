import { findCutBetweenCharacters } from '../../language/clean-text.ts'

/** Limits that decide when pending caption text becomes final. Times are in milliseconds, lengths in characters. */
export type SegmentRules = typeof SEGMENT_RULES

export const SEGMENT_RULES = {
  /**
   * Text of a page caption becomes final when it has not changed for this long. Measured: changes stop 2 to 3 s after
   * the last word.
   */
  quietMs: 3_000,
  /**
   * As above, for text that does not end like a sentence. The source may have stopped in the middle of a rewrite that
   * adds the full stop.
   */
  unfinishedQuietMs: 6_000,
  /**
   * Text of a versioned caption becomes final when it has not changed for this long. Such captions normally end with a
   * final version; this covers a lost one.
   */
  versionedQuietMs: 6_000,
  /**
   * How long text of a page caption must be unchanged after another speaker has started or the row has vanished.
   * Measured: the last corrections arrive within 1 s.
   */
  turnEndQuietMs: 1_000,
  /**
   * As above, for text that does not end like a sentence. Its correction is still missing, and can arrive later on a
   * busy machine.
   */
  unfinishedTurnEndQuietMs: 3_000,
  /**
   * How long text of a versioned caption must be unchanged after another speaker has started. Its final version can
   * still arrive after that.
   */
  versionedTurnEndQuietMs: 3_000,
  /** A complete sentence with text after it becomes final when it has not changed for this long. */
  sentenceQuietMs: 2_500,
  /**
   * How many characters at the end of a turn the source may still rewrite. Measured: rewrites reach back at most 104.
   */
  rewritableChars: 110,
  /** A stalled page delays unchanged text at most this long, even if the page stalls repeatedly. */
  maxHoldMs: 15_000,
  /** The beginning of a long turn becomes final after at most this time, so that readers see it. */
  maxWaitMs: 30_000,
  /** Pending text longer than this is cut at the end of a sentence and becomes final. */
  sentenceCapChars: 400,
  /**
   * Pending text without a sentence end is cut between words at this length. That keeps a segment far below 16 KiB in
   * any script.
   */
  wordCapChars: 800,
  /** If a row shrinks by more than this, the source dropped the old text and shows only new text. */
  restartChars: 250,
  /** Two rows that show the same text within this time are duplicates of one turn. */
  duplicateRowMs: 1_000,
  /**
   * A caption version that arrives on a second data channel within this time is a duplicate. On a busy machine one
   * channel can be seconds behind the other.
   */
  duplicateChannelMs: 10_000,
  /** A versioned caption that changed within this time does not become final just because a later one does. */
  versionedOrderMs: 700,
  /** A short row that reappears under another id within this time is the same turn. After that it is new speech. */
  reappearMs: 1_000,
  /** A row that reappears with at least this many equal words is the same turn, no matter how much later. */
  reappearWords: 4,
  /** How many turns are remembered to recognize rows that reappear. Covers several minutes of a fast exchange. */
  rememberedTurns: 150,
}

/** A sentence terminator with closing quotes, followed by white space except in scripts without spaces. */
const SENTENCE_END = /(?:(?<![.!?…؟])[.!?…؟]+["'”’»)\]]*(?=\s|$))|(?:[。！？｡]+["”’»）」』]*)/gu

/** Abbreviations and single initials. Their full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|approx|\p{Lu})\.$/iu

type SegmentLengthCaps = { sentenceCapChars: number; wordCapChars: number }

/** Positions in `text` directly after the end of a sentence. */
export function findSentenceEnds(text: string): number[] {
  const ends: number[] = []
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (!ABBREVIATION.test(text.slice(Math.max(0, end - 10), end))) ends.push(end)
  }
  return ends
}

/**
 * Returns where to cut text that is too long for one segment: after a sentence if possible, else after a word, else at
 * the limit.
 */
export function findSegmentCut(text: string, maxLength: number, caps: SegmentLengthCaps): number {
  const ends = findSentenceEnds(text.slice(0, Math.min(maxLength, caps.wordCapChars) + 1)).filter(
    (end) => end <= maxLength && end <= caps.wordCapChars,
  )
  const early = ends.findLast((end) => end <= caps.sentenceCapChars) ?? ends[0]
  if (early !== undefined) return early
  const limit = Math.min(maxLength, caps.wordCapChars)
  const space = text.slice(0, limit + 1).search(/\s\S*$/u)
  return space > 0 ? space : findCutBetweenCharacters(text, limit)
}

/** Splits `text` into pieces no longer than `wordCapChars`. No character is lost. */
export function splitLongText(text: string, caps: SegmentLengthCaps): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > caps.wordCapChars) {
    const end = findSegmentCut(rest, rest.length, caps)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}
