import { sql } from 'kysely'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { mapInSlices } from '../../lib/async/map-in-slices.ts'
import { compareByUtf8Bytes } from '../../lib/text/compare-text.ts'
import { editDistance } from '../../lib/text/edit-distance.ts'
import type { Log } from '../../log.ts'
import { isReadablePassage, isReadableSegment } from './search-sources.ts'
import { canMatchAsPrefix } from './words/lexemes.ts'
import { tokenize } from './words/tokenize.ts'

/**
 * Which words need no correction. `readable`: words in texts that the viewer may read. `stored`: words in any text,
 * which is cheaper; a search without results must then be corrected with `readable`.
 */
export type KnownWords = 'readable' | 'stored'

const INDEXABLE_WORD = /^\p{L}[\p{L}\p{M}]{2,39}$/u
/** Limits of the cache of stored words. It is cleared when it exceeds them. */
const MAX_CACHED_WORDS = 100_000
const CACHE_TTL_MS = 600_000
const INSERT_BATCH_SIZE = 2_000
const MAX_CANDIDATES = 40
/** More candidates, because the viewer may read only some of them. */
const MAX_CANDIDATES_OF_RESTRICTED_VIEWER = 200
/** How many texts with a word are checked before all texts with it. */
const MAX_FIRST_TEXTS = 50
const MAX_CORRECTIONS = 5

/** Learns the words of all indexed texts, and suggests similar ones for a misspelt word. */
export function createSpellingCorrector({ db, log }: { db: Db; log: Log }) {
  const storedWords = new Set<string>()
  let cachedSince = performance.now()
  let newWords = new Set<string>()
  let writing: Promise<void> | null = null

  const write = async () => {
    // Waits for the end of the event loop turn, so that words from several calls are stored together.
    await new Promise((resolve) => setImmediate(resolve))
    while (newWords.size > 0) {
      const words = [...newWords]
      newWords = new Set()
      if (storedWords.size > MAX_CACHED_WORDS || performance.now() - cachedSince > CACHE_TTL_MS) {
        storedWords.clear()
        cachedSince = performance.now()
      }
      try {
        for (let i = 0; i < words.length; i += INSERT_BATCH_SIZE)
          await insertWords(db, words.slice(i, i + INSERT_BATCH_SIZE))
        for (const word of words) storedWords.add(word)
      } catch (error) {
        log.warn({ err: error }, 'failed to store words for spelling corrections')
      }
    }
    writing = null
  }

  return {
    /** Stores new words in the background. A word is not suggested until it is stored. */
    async learnWords(texts: readonly string[]): Promise<void> {
      await mapInSlices(texts, (text) => {
        for (const { word, isUnspaced } of tokenize(text)) {
          if (!isUnspaced && !storedWords.has(word) && INDEXABLE_WORD.test(word)) newWords.add(word)
        }
      })
      if (newWords.size > 0) writing ??= write()
    },
    /**
     * Suggests similar words for each word that is in no text that the viewer may read. It suggests only words from such
     * texts. Each given word comes with the tsquery that finds it.
     */
    async findCorrections(
      viewer: Viewer,
      words: ReadonlyMap<string, string>,
      knownWords: KnownWords = 'readable',
    ) {
      const candidates = [...words].filter(([word]) => INDEXABLE_WORD.test(word))
      const reader = isUnrestricted(viewer) ? null : viewer
      const found = await Promise.all(
        candidates.map(async ([word, tsQuery]) => {
          // Whatever the viewer may read is stored, so that check would be redundant.
          const isKnown =
            reader === null || knownWords === 'stored'
              ? (await isVocabularyPrefix(db, word)) || (await isInAnyText(db, tsQuery))
              : await isReadable(db, reader, tsQuery)
          return [word, isKnown ? [] : await findSimilarWords(db, word, reader)] as const
        }),
      )
      return new Map(found)
    },
    /** Resolves when all words passed to `learnWords` so far are stored. */
    async whenIdle(): Promise<void> {
      for (let pending = writing; pending !== null; pending = writing) await pending
    },
  }
}

export type SpellingCorrector = ReturnType<typeof createSpellingCorrector>

/** The trigrams of a word, with padding at both ends. Words with similar spelling share many of them. */
export function toTrigrams(word: string): string[] {
  const letters = [' ', ' ', ...Array.from(word), ' ']
  return [...new Set(letters.slice(2).map((_, i) => letters.slice(i, i + 3).join('')))]
}

/** Sorts the words, so that two nodes lock rows in the same order and never deadlock. */
async function insertWords(db: Db, words: string[]): Promise<void> {
  const values = words
    .toSorted(compareByUtf8Bytes)
    .map((word) => ({ word, grams: toTrigrams(word) }))
  await db
    .insertInto('word')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function isVocabularyPrefix(db: Db, word: string): Promise<boolean> {
  const wordsWithPrefix = await db
    .selectFrom('word')
    .select('word')
    .where('word', '>=', word)
    .where(
      'word',
      canMatchAsPrefix(word) ? '<' : '<=',
      canMatchAsPrefix(word) ? `${word}\u{10ffff}` : word,
    )
    .limit(1)
    .execute()
  return wordsWithPrefix.length > 0
}

/** True if a text contains the word in a form that the vocabulary does not list, such as a part of a compound. */
async function isInAnyText(db: Db, tsQuery: string): Promise<boolean> {
  // Materialized, because PostgreSQL would otherwise expect an early match and read the whole table for a missing word.
  const { rows } = await sql<{ isFound: boolean }>`
    with passages as materialized (select 1 from passage where words @@ ${tsQuery}::tsquery),
      segments as materialized (select 1 from segment where words @@ ${tsQuery}::tsquery)
    select exists (select from passages) or exists (select from segments) as "isFound"`.execute(db)
  return rows[0]?.isFound ?? false
}

/** True if the viewer may read a text with the word. First checks some texts, which is enough for most words. */
async function isReadable(db: Db, viewer: Viewer, tsQuery: string): Promise<boolean> {
  const find = async (limit: number | null) => {
    const { rows } = await sql<{ isFound: boolean }>`
      with passages as materialized (
          select project from passage where words @@ ${tsQuery}::tsquery limit ${limit}),
        segments as materialized (
          select meeting_id from segment where words @@ ${tsQuery}::tsquery limit ${limit})
      select exists (select from passages where ${isReadablePassage({ viewer }, 'passages')})
        or exists (select from segments where ${isReadableSegment({ viewer }, 'segments')}) as "isFound"`.execute(
      db,
    )
    return rows[0]?.isFound ?? false
  }
  return (await find(MAX_FIRST_TEXTS)) || find(null)
}

/** Returns the words that occur in a text that the viewer may read, in the same order. */
async function keepReadableWords(
  db: Db,
  viewer: Viewer,
  words: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select c.word from unnest(${words}::text[]) with ordinality as c(word, place)
    where exists (select from passage where words @@ quote_literal(c.word)::tsquery
        and ${isReadablePassage({ viewer }, 'passage')})
      or exists (select from segment where words @@ quote_literal(c.word)::tsquery
        and ${isReadableSegment({ viewer }, 'segment')})
    order by c.place`.execute(db)
  return rows.map(({ word }) => word)
}

/** `reader`: only words in texts that this viewer may read; null for all words. */
async function findSimilarWords(db: Db, word: string, reader: Viewer | null): Promise<string[]> {
  const grams = toTrigrams(word)
  const length = Array.from(word).length
  const { rows } = await sql<{ word: string }>`
    select word from word
    where grams && ${grams}::text[] and char_length(word) between ${length - 2} and ${length + 2}
    order by cardinality(array(select unnest(grams) intersect select unnest(${grams}::text[]))) desc, word
    limit ${reader === null ? MAX_CANDIDATES : MAX_CANDIDATES_OF_RESTRICTED_VIEWER}`.execute(db)
  const maxDistance = length <= 4 ? 1 : 2
  const similar = rows
    .map((row) => ({ word: row.word, editDistance: editDistance(word, row.word) }))
    .filter(({ editDistance }) => editDistance <= maxDistance)
    .toSorted((a, b) => a.editDistance - b.editDistance)
    .map((row) => row.word)
  const readable = reader === null ? similar : await keepReadableWords(db, reader, similar)
  return readable.slice(0, MAX_CORRECTIONS)
}

/**
 * Deletes words that no text contains any longer, so that removed text does not survive in suggestions. Each call
 * checks one batch, starting with the words that were checked longest ago.
 */
export async function deleteUnusedVocabularyWords(
  db: Db,
  now: Date,
  batchSize = 2_000,
): Promise<void> {
  await sql`update word set checked_at = ${now} where word in (
    select word from word where checked_at < ${now} order by checked_at limit ${batchSize}
  )`.execute(db)
  await sql`delete from word w where checked_at = ${now}
    and not exists (select from segment s where s.words @@ quote_literal(w.word)::tsquery)
    and not exists (select from passage p where p.words @@ quote_literal(w.word)::tsquery)`.execute(
    db,
  )
}
