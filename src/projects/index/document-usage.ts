import type { Db } from '../../db/database.ts'

/** How many documents the index knows, and their size on disk. */
export async function readDocumentCountAndSize(db: Db): Promise<{ count: number; bytes: number }> {
  const row = await db
    .selectFrom('document')
    .select((eb) => [eb.fn.countAll<string>().as('count'), eb.fn.sum<string>('size').as('bytes')])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
}
