/** When evolving text becomes final. Times in milliseconds, lengths in characters. */
export type SegmentRules = typeof SEGMENT_RULES

export const SEGMENT_RULES = {
  /** The page's text has been seen to stand still two to three seconds after the last word. */
  quietMs: 3_000,
  /** On the wire a mark for the last version normally follows; this is for the ones that get lost. */
  versionedQuietMs: 6_000,
  /** Once somebody else speaks, or the row has vanished: the last corrections arrive within a second. */
  turnEndQuietMs: 1_000,
  /** The same on the wire, where the mark for the last version may lag behind the next speaker. */
  versionedTurnEndQuietMs: 3_000,
  /** A whole sentence with more text behind it counts as settled after this long without a change. */
  sentenceQuietMs: 2_500,
  /** Rewrites reach back 104 characters from the live end at most; nearer text waits for the end of the turn. */
  rewritableChars: 110,
  /** A reader should not wait longer for the first words of a monologue … */
  maxWaitMs: 30_000,
  /** … nor for more text than this: cut at a sentence end. */
  sentenceCapChars: 400,
  /** Without any sentence end: cut at a word. Keeps a segment far below 16 KiB in any script. */
  wordCapChars: 800,
  /** A turn that shrinks by more was not corrected: its old text was dropped and the new text goes on. */
  restartChars: 250,
  /** Rows that show the same line within this time are twins. */
  duplicateRowMs: 1_000,
  /** The same version of a caption on two channels arrives within this time. */
  duplicateChannelMs: 700,
  /** A short row that comes back under another id is the same one for so long; later it is said anew. */
  reappearMs: 1_000,
  /** From so many equal words on, a row that came back is the same row however long it was away. */
  reappearWords: 4,
  /** Turns remembered, so that rows that come back into view are known: minutes of the fastest exchange. */
  rememberedTurns: 150,
}
