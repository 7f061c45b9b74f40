import { sql } from 'kysely'
import type { AreaContext } from '../db/context.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { MAX_TERM_CHARS, MAX_TERMS } from './vocabulary-limits.ts'
import { removeDirectionMarks, toPlainLine } from '../lib/text/plain-text.ts'

/** The names and terms of a project. Recognized speech of its meetings is corrected with them. */
export type Vocabularies = ReturnType<typeof createVocabularies>

/** What to change. A term that is in both lists is removed and added, so it stays. */
export type VocabularyChange = {
  add?: readonly string[] | undefined
  remove?: readonly string[] | undefined
}

export function createVocabularies({ db, clock }: Pick<AreaContext, 'db' | 'clock'>) {
  return {
    list: (project: string) => listTerms(db, project),
    /** Changes only these terms, so people who edit the list at the same time lose nothing. */
    change(
      project: string,
      { add = [], remove = [] }: VocabularyChange,
      beforeCommit: (tx: Tx, at: Date) => Promise<void>,
    ) {
      const now = clock.now()
      const added = [...new Set(add.map(cleanTerm))]
      const removed = remove.map(cleanTerm).filter((term) => !added.includes(term))
      return db.transaction().execute(async (tx) => {
        // One at a time for each project, so that the limit holds.
        await sql`select pg_advisory_xact_lock(hashtext('vocabulary'), hashtext(${project}))`.execute(
          tx,
        )
        if (removed.length > 0)
          await tx
            .deleteFrom('vocabulary_term')
            .where('project', '=', project)
            .where('term', 'in', removed)
            .execute()
        if (added.length > 0)
          await tx
            .insertInto('vocabulary_term')
            .values(added.map((term) => ({ project, term, added_at: now })))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        const terms = await listTerms(tx, project)
        if (terms.length > MAX_TERMS) throw new ServiceError('too_many_terms')
        await beforeCommit(tx, now)
        return terms
      })
    },
  }
}

/** In alphabetical order. */
export async function listTerms(db: Db, project: string): Promise<string[]> {
  const rows = await db
    .selectFrom('vocabulary_term')
    .select('term')
    .where('project', '=', project)
    .orderBy(sql`lower(term)`)
    .orderBy('term')
    .execute()
  return rows.map(({ term }) => term)
}

/** One line without control characters, so that two spellings that look the same are one term. */
export function cleanTerm(term: string): string {
  return toPlainLine(removeDirectionMarks(term).normalize('NFC'), MAX_TERM_CHARS)
}
