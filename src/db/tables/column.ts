import type { ColumnType } from 'kysely'

/** A column that is set at insert and never updated. */
export type Immutable<T> = ColumnType<T, T, never>
