import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { isAskingWord } from './weak-words.ts'

/** A word of a question in lower case, as it was written, and without accents, as the index has it. */
export type WrittenWord = { written: string; folded: string }
export type RecognisedWord = { isStopWord: boolean; stem: string | null }
export type RecognisedLanguage = {
  /** The name of the language in PostgreSQL, or null when the question has no stop word of any language. */
  language: string | null
  /** One for each word of the question. */
  words: RecognisedWord[]
}

/** The languages for which PostgreSQL has stop words and a stemmer, the more common one first among similar ones. */
const LANGUAGES = [
  'english',
  'german',
  'french',
  'spanish',
  'portuguese',
  'italian',
  'dutch',
  'russian',
  'swedish',
  'norwegian',
  'danish',
  'finnish',
  'hungarian',
  'turkish',
  'nepali',
]

/**
 * Recognises the language of a question as the one with the most stop words among its words, and finds the stop words and
 * the stems in that language. The text that is searched may still be in another language.
 */
export async function recogniseLanguage(
  db: Db,
  words: readonly WrittenWord[],
): Promise<RecognisedLanguage> {
  const { rows } = await sql<{ language: string; words: RecognisedWord[] }>`
    select l.language, json_agg(json_build_object(
      'isStopWord', '{}' in (ts_lexize(d.oid::regdictionary, w.written), ts_lexize(d.oid::regdictionary, w.folded)),
      'stem', (ts_lexize(d.oid::regdictionary, w.folded))[1]) order by w.position) as words
    from unnest(${LANGUAGES}::text[]) as l(language)
      join pg_catalog.pg_ts_dict d on d.dictname = l.language || '_stem'
        and d.dictnamespace = 'pg_catalog'::regnamespace,
      unnest(${words.map(({ written }) => written)}::text[], ${words.map(({ folded }) => folded)}::text[])
        with ordinality as w(written, folded, position)
    group by l.language`.execute(db)
  const [best] = rows
    .map((row) => ({
      ...row,
      words: row.words.map((word, i) => addAskingWord(word, words[i], row)),
    }))
    .map((row) => ({ ...row, count: row.words.filter(({ isStopWord }) => isStopWord).length }))
    .filter(({ count }) => count > 0)
    .toSorted(
      (a, b) => b.count - a.count || LANGUAGES.indexOf(a.language) - LANGUAGES.indexOf(b.language),
    )
  if (best !== undefined) return best
  return { language: null, words: words.map(() => ({ isStopWord: false, stem: null })) }
}

function addAskingWord(
  recognised: RecognisedWord,
  word: WrittenWord | undefined,
  { language }: { language: string },
): RecognisedWord {
  const isAsking = word !== undefined && isAskingWord(word.folded, language)
  return isAsking ? { ...recognised, isStopWord: true } : recognised
}
