import type { ColumnType } from 'kysely'

/** A value set once, at insert. */
export type Immutable<T> = ColumnType<T, T, never>
