import { z } from 'zod'
import { isKnownMigration } from '../../db/migrate.ts'
import { OperatorError } from '../../errors.ts'

/** Rises when a backup can no longer be read the way the version before does. */
const FORMAT_VERSION = 1

const Table = z.object({ name: z.string(), columns: z.array(z.string()) })

/** The first entry of a backup: what it is, and what a restore must be able to make of it. */
export const BackupManifest = z.object({
  format: z.literal('hansard-backup'),
  formatVersion: z.literal(FORMAT_VERSION),
  /** Of the program that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  /** In an order in which they can be filled: no row refers to one that comes later. */
  tables: z.array(Table),
  /** Whether the key that opens what is sealed lies inside. */
  hasMasterKey: z.boolean(),
})
export type BackupManifest = z.output<typeof BackupManifest>

/** The last entry: what must have come before it. */
export const BackupSummary = z.object({
  rows: z.record(z.string(), z.int()),
  files: z.int(),
  /** Over all entries before, their names and sizes included. */
  sha256: z.string(),
})
export type BackupSummary = z.output<typeof BackupSummary>

export const FORMAT_FIELDS = { format: 'hansard-backup', formatVersion: FORMAT_VERSION } as const

const FormatMarker = z.object({ format: z.literal('hansard-backup'), formatVersion: z.number() })

/** The manifest of a backup that this version can restore, or a refusal. */
export function parseManifest(text: string, file: string): BackupManifest {
  const json = parseJson(text)
  const version = FormatMarker.safeParse(json)
  if (!version.success) throw new OperatorError(`${file} is not a backup of Hansard`)
  const parsed = BackupManifest.safeParse(json)
  const unknown = parsed.data?.migrations.filter((name) => !isKnownMigration(name)) ?? []
  if (version.data.formatVersion > FORMAT_VERSION || unknown.length > 0) {
    throw new OperatorError(
      `${file} was made by a newer version of Hansard`,
      'Restore it with that version, or a later one',
    )
  }
  if (!parsed.success) throw new OperatorError(`${file} is damaged: its manifest cannot be read`)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
