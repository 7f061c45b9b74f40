import type { Db, Tx } from '../../../db/database.ts'

/** Who created a prompt in the console, and the hashes of the texts that the service wrote last. */
export type PromptAuthor = { id: string; name: string; sha256s: string[] }

/** The authors by the name of their prompt. A row counts only while the file has one of its hashes. */
export async function listPromptAuthors(db: Db): Promise<Map<string, PromptAuthor>> {
  const rows = await selectAuthors(db).execute()
  return new Map(rows.map(({ promptName, ...author }) => [promptName, author]))
}

export async function findPromptAuthor(db: Db, promptName: string): Promise<PromptAuthor | null> {
  const row = await selectAuthors(db)
    .where('prompt_author.name', '=', promptName)
    .executeTakeFirst()
  return row ?? null
}

/** The author of a text, or null when nobody wrote it in the console, such as after a change by hand. */
export function authorOfText(
  author: PromptAuthor | null,
  sha256: string | null,
): PromptAuthor | null {
  return author !== null && sha256 !== null && author.sha256s.includes(sha256) ? author : null
}

/**
 * Records the next text of a prompt before its file is written. The text before stays valid, so that the author keeps
 * the prompt if the write fails.
 */
export async function recordPromptText(
  tx: Tx,
  promptName: string,
  { authorId, sha256s }: { authorId: string | null; sha256s: string[] },
): Promise<void> {
  if (authorId === null) return deletePromptAuthor(tx, promptName)
  await tx
    .insertInto('prompt_author')
    .values({ name: promptName, author_id: authorId, sha256s })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ author_id: authorId, sha256s }))
    .execute()
}

export async function deletePromptAuthor(tx: Tx, promptName: string): Promise<void> {
  await tx.deleteFrom('prompt_author').where('name', '=', promptName).execute()
}

/** The names of the admins, whom people ask for what only admins do. */
export async function listAdminNames(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_user')
    .select('name')
    .where('role', '=', 'admin')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

function selectAuthors(db: Db) {
  return db
    .selectFrom('prompt_author')
    .innerJoin('app_user', 'app_user.id', 'prompt_author.author_id')
    .select([
      'prompt_author.name as promptName',
      'app_user.id',
      'app_user.name',
      'prompt_author.sha256s',
    ])
}
