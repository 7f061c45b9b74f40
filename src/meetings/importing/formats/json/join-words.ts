import { findSentenceEnds } from '../../../captions/text/sentence-cuts.ts'
import { SEGMENT_RULES } from '../../../captions/segment-rules.ts'
import type { FoundSegment } from '../found-transcript.ts'

/** A list is one of words if so many of its texts are single words. */
const MIN_WORD_SHARE = 0.8
/** A longer pause ends a sentence that has no full stop. */
const MAX_PAUSE_MS = 1_000
/** What follows a word without a space. */
const CLOSING_PUNCTUATION = /^[.,;:?!…%)\]}»”’、。，！？：；]/u
/** Letters of scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Joins a list of words to sentences: a change of the speaker, a full stop and a pause end one. Other lists stay. */
export function joinWords(texts: FoundSegment[]): FoundSegment[] {
  const words = texts.filter(({ text }) => !/\S\s+\S/u.test(text)).length
  if (texts.length < 2 || words < texts.length * MIN_WORD_SHARE) return texts
  // Some products give the space as a part of the word.
  const hasSpaces = texts.some(({ text }) => /^\s/u.test(text))
  const sentences: FoundSegment[] = []
  for (const word of texts) {
    const last = sentences.at(-1)
    if (last === undefined || isNewSentence(last, word)) {
      sentences.push({ ...word })
      continue
    }
    const space = hasSpaces || isWithoutSpace(last.text, word.text) ? '' : ' '
    last.text = `${last.text}${space}${word.text}`
    last.endMs = word.endMs ?? word.startMs ?? last.endMs
  }
  return sentences
}

function isNewSentence(sentence: FoundSegment, word: FoundSegment): boolean {
  // Punctuation and spaces can have neither a time nor a speaker.
  if (!/[\p{L}\p{N}]/u.test(word.text)) return false
  if (word.speaker !== sentence.speaker) return true
  if (sentence.text.length > SEGMENT_RULES.sentenceCapChars) return true
  if (findSentenceEnds(sentence.text.trimEnd().slice(-50)).at(-1) === endOf(sentence)) return true
  const saidMs = sentence.endMs ?? sentence.startMs
  if (saidMs === null || word.startMs === null) return false
  // A word long before the last one is of another channel.
  return Math.abs(word.startMs - saidMs) > MAX_PAUSE_MS
}

function endOf({ text }: FoundSegment): number {
  return Math.min(text.trimEnd().length, 50)
}

function isWithoutSpace(before: string, text: string): boolean {
  if (CLOSING_PUNCTUATION.test(text)) return true
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(text.slice(0, 1))
}
