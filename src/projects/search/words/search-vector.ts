import { mapInSlices } from '../../../lib/async/map-in-slices.ts'
import { listLexemes, type TokenLexemes } from './lexemes.ts'
import { isInCompoundingLanguage, scoreCompoundingLanguage, tokenize } from './tokenize.ts'

/** A text to index, with the name of the person who said it. A document has no speaker. */
export type IndexedText = { text: string; speaker?: string | undefined }

/** The PostgreSQL tsvectors of texts that belong together, such as the passages of a document. */
export type SearchVectors = {
  /** One vector for each text, with the positions of its words. */
  texts: string[]
  /** All words of all texts without positions; null if one of the texts has them all. */
  whole: string | null
}

/**
 * The version of what is stored for a text. If that changes, increase it, so that the segments of all meetings are
 * indexed again. Also increase `INDEX_FORMAT_VERSION` in `files/walk-project.ts` for documents.
 */
export const MEETING_WORDS_INDEX_VERSION = 1

/** The highest word position that a PostgreSQL tsvector can store. */
const MAX_POSITION = 16_383
/** Distance between text and speaker positions, so that no phrase matches across them. */
const SPEAKER_GAP = 8
/** PostgreSQL refuses a tsvector of more than a megabyte. Words beyond this limit are not found across passages. */
const MAX_WHOLE_BYTES = 900_000
/** `B` is the weight of speakers. `C` is the weight of parts of words, which rank below the words of the text. */
const SPEAKER_WEIGHT = 'B'
const PART_WEIGHT = 'C'

/** The tsvector of a single text. */
export function toSearchVector(text: string, speaker = ''): string {
  const tokens = tokenize(text)
  return formatVector(listLexemes(text, tokens, isInCompoundingLanguage(tokens)), speaker)
}

/**
 * The tsvectors of texts in one language, which is recognized from all of them together. A long meeting has thousands
 * of texts, so other work runs in between.
 */
export async function createSearchVectors(texts: readonly IndexedText[]): Promise<SearchVectors> {
  let languageScore = 0
  const tokenized = await mapInSlices(texts, ({ text, speaker = '' }) => {
    const tokens = tokenize(text)
    languageScore += scoreCompoundingLanguage(tokens)
    return { text, speaker, tokens }
  })
  const all = new Set<string>()
  const vectors = await mapInSlices(tokenized, ({ text, speaker, tokens }) => {
    const lexemes = listLexemes(text, tokens, languageScore > 0)
    const words = new Set([...lexemes.flatMap(listAll), ...listSpeakerWords(speaker)])
    for (const word of words) all.add(word)
    return { vector: formatVector(lexemes, speaker), wordCount: words.size }
  })
  return {
    texts: vectors.map(({ vector }) => vector),
    whole: vectors.some(({ wordCount }) => wordCount === all.size) ? null : formatWords(all),
  }
}

function listAll({ word, joined, parts }: TokenLexemes): string[] {
  return joined === null ? [word, ...parts] : [word, joined, ...parts]
}

function listSpeakerWords(speaker: string): string[] {
  return listLexemes(speaker, tokenize(speaker), false).flatMap(listAll)
}

/** Words only contain letters, marks and digits, so nothing needs escaping. */
function formatVector(lexemes: readonly TokenLexemes[], speaker = ''): string {
  const positions = new Map<string, string[]>()
  const add = (word: string, position: number, weight: string) => {
    const entry = `${Math.min(position, MAX_POSITION)}${weight}`
    const existing = positions.get(word)
    if (existing === undefined) positions.set(word, [entry])
    else existing.push(entry)
  }
  lexemes.forEach(({ word, joined, parts }, i) => {
    add(word, i + 1, '')
    if (joined !== null) add(joined, i + 1, '')
    for (const part of parts) add(part, i + 1, PART_WEIGHT)
  })
  if (speaker !== '') {
    const ofSpeaker = listLexemes(speaker, tokenize(speaker), false)
    ofSpeaker.forEach((entry, i) => {
      for (const word of listAll(entry)) add(word, lexemes.length + SPEAKER_GAP + i, SPEAKER_WEIGHT)
    })
  }
  return Array.from(positions, ([word, entries]) => `'${word}':${entries.join(',')}`).join(' ')
}

function formatWords(words: ReadonlySet<string>): string {
  const parts: string[] = []
  let bytes = 0
  for (const word of words) {
    bytes += Buffer.byteLength(word) + 1
    if (bytes > MAX_WHOLE_BYTES) break
    parts.push(`'${word}'`)
  }
  return parts.join(' ')
}
