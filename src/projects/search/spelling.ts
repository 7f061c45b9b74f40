import { distance } from 'fastest-levenshtein'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { compareBytes } from '../../lib/text/byte-order.ts'
import type { Log } from '../../log.ts'
import { canMatchAsPrefix, type SpellingCorrections } from './query.ts'
import { tokenize } from './tokenize.ts'

/** Knows the words that were ever said or written, and which of them a misspelt one may have meant. */
export interface Spelling {
  /** Soon, and without being waited for: a word that is not known yet is only not guessed. */
  learnWords(texts: readonly string[]): void
  /** For words that nothing begins with. */
  findCorrections(words: readonly string[]): Promise<SpellingCorrections>
  /** Until everything that was told so far is known. */
  whenIdle(): Promise<void>
}

const INDEXABLE_WORD = /^\p{L}[\p{L}\p{M}]{2,39}$/u
/** Words that this node knows to be known: beyond so many, or after so long, it begins anew. */
const MAX_REMEMBERED = 100_000
const REMEMBERED_MS = 600_000
const INSERT_BATCH_SIZE = 2_000
const MAX_CANDIDATES = 40
const MAX_CORRECTIONS = 5

export function createSpelling({ db, log }: { db: Db; log: Log }): Spelling {
  const known = new Set<string>()
  let knownSince = performance.now()
  let fresh = new Set<string>()
  let writing: Promise<void> | null = null

  const write = async () => {
    // Whatever this turn of the loop still brings goes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (fresh.size > 0) {
      const words = [...fresh]
      fresh = new Set()
      if (known.size > MAX_REMEMBERED || performance.now() - knownSince > REMEMBERED_MS) {
        known.clear()
        knownSince = performance.now()
      }
      try {
        for (let i = 0; i < words.length; i += INSERT_BATCH_SIZE)
          await insertWords(db, words.slice(i, i + INSERT_BATCH_SIZE))
        for (const word of words) known.add(word)
      } catch (error) {
        log.warn({ err: error }, 'words not learnt')
      }
    }
    writing = null
  }

  return {
    learnWords(texts) {
      for (const text of texts) {
        for (const { word } of tokenize(text)) {
          if (!known.has(word) && INDEXABLE_WORD.test(word)) fresh.add(word)
        }
      }
      if (fresh.size > 0) writing ??= write()
    },
    async findCorrections(words) {
      const doubtful = [...new Set(words)].filter((word) => INDEXABLE_WORD.test(word))
      const found = await Promise.all(
        doubtful.map(async (word) => [word, await findSimilarWords(db, word)] as const),
      )
      return new Map(found)
    },
    async whenIdle() {
      for (let busy = writing; busy !== null; busy = writing) await busy
    },
  }
}

/** The pieces of three letters of a word, its ends included: words that share many are spelt alike. */
export function toTrigrams(word: string): string[] {
  const letters = [' ', ' ', ...Array.from(word), ' ']
  return [...new Set(letters.slice(2).map((_, i) => letters.slice(i, i + 3).join('')))]
}

/** Sorted, so that two nodes never wait for each other in a circle. */
async function insertWords(db: Db, words: string[]): Promise<void> {
  const values = words.toSorted(compareBytes).map((word) => ({ word, grams: toTrigrams(word) }))
  await db
    .insertInto('word')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function findSimilarWords(db: Db, word: string): Promise<string[]> {
  const beginning = await db
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
  if (beginning.length > 0) return []
  const grams = toTrigrams(word)
  const length = Array.from(word).length
  const { rows } = await sql<{ word: string }>`
    select word from word
    where grams && ${grams}::text[] and char_length(word) between ${length - 2} and ${length + 2}
    order by cardinality(array(select unnest(grams) intersect select unnest(${grams}::text[]))) desc, word
    limit ${MAX_CANDIDATES}`.execute(db)
  const allowed = length <= 4 ? 1 : 2
  return rows
    .map((row) => ({ word: row.word, far: distance(word, row.word) }))
    .filter(({ far }) => far <= allowed)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, MAX_CORRECTIONS)
    .map((row) => row.word)
}

/**
 * Forgets words that are in no text any more, a portion at a time: what was removed must not live on in the
 * guesses. Those that were looked at longest ago come first.
 */
export async function deleteUnusedWords(db: Db, now: Date, portion = 2_000): Promise<void> {
  await sql`update word set checked_at = ${now} where word in (
    select word from word where checked_at < ${now} order by checked_at limit ${portion}
  )`.execute(db)
  await sql`delete from word w where checked_at = ${now}
    and not exists (select from segment s where s.words @@ quote_literal(w.word)::tsquery)
    and not exists (select from passage p where p.words @@ quote_literal(w.word)::tsquery)`.execute(
    db,
  )
}
