import type { ImportFormat } from '../../format-names.ts'

/** The JSON formats that differ only in the names and units of their fields. */
export type JsonFormat = Exclude<Extract<ImportFormat, `${string}json`>, 'hansard-json'>
