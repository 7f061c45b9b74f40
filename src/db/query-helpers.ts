import type { SelectQueryBuilder } from 'kysely'

/** Rows per statement, so that a delete does not hold locks on many rows for long. */
export const DELETE_BATCH_SIZE = 5_000

/** Repeats a delete that is limited to one batch until it deletes less than a batch. */
export async function repeatDeleteBatchUntilDone(
  deleteBatch: () => Promise<{ numAffectedRows?: bigint }>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await deleteBatch()
    if (numAffectedRows < BigInt(DELETE_BATCH_SIZE)) return
  }
}

/** Counts the rows of a query. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll<string>().as('count'))
  const { count } = (await counted.executeTakeFirstOrThrow()) as { count: string }
  return Number(count)
}

/** Makes a `like` pattern that finds the text anywhere. Special characters in the text are escaped. */
export function toContainsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** Shortens a text and makes it storable in PostgreSQL: removes NUL characters and replaces lone surrogates. */
export function shortenToStorableText(text: string, maxChars: number): string {
  return text.slice(0, maxChars).toWellFormed().replaceAll('\0', '')
}
