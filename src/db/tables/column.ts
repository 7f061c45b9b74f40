import type { ColumnType } from 'kysely'

/** A value set once, at insert. */
export type Fixed<T> = ColumnType<T, T, never>
