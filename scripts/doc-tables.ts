import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../src/config/settings.ts'
import { ERRORS } from '../src/errors.ts'
import { EVENTS } from '../src/meetings/event-types.ts'
import { END_REASON_FAILURE_FLAGS, END_REASONS } from '../src/meetings/status.ts'
import { MEETING_END_REASON_TEXTS } from '../web/meetings/meeting-labels.ts'

const ROOT = join(import.meta.dirname, '..')
const settings: Array<{ env: string; default?: string; about: string; isSecret?: true }> =
  Object.values(SETTINGS)

/** A document with more lines begins with a list of its contents. The changelog is read from the top. */
const LONG_DOCUMENT_LINES = 100
const LONG_DOCUMENTS = globSync(
  '{*.md,docs/**/*.md,examples/**/*.md,clients/*/*.md,deploy/*.md,stage/*.md}',
  {
    cwd: ROOT,
  },
)
  .filter((file) => file !== 'CHANGELOG.md')
  .filter((file) => readDocument(file).split('\n').length > LONG_DOCUMENT_LINES)
  .toSorted()

/** GitHub's anchor for a heading. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

type DocTable = { content: string; file: string; isRow: RegExp; rows: () => string[] }

/** Tables in documents that are generated from the code, each with a pattern for its rows and the expected rows. */
export const DOC_TABLES: readonly DocTable[] = [
  {
    content: 'settings',
    file: 'docs/configuration.md',
    isRow: /^\| `[A-Z_]+` \|/,
    rows: () =>
      settings.map((row) => {
        const shown = row.default === undefined ? '' : `\`${row.default}\``
        return `| \`${row.env}\` | ${shown} | ${row.about}${row.isSecret ? ' (secret)' : ''} |`
      }),
  },
  {
    content: 'settings',
    file: '.env.example',
    isRow: /^/,
    rows: () => [
      '# Copy this file to .env and remove the # from each setting you change. docs/configuration.md describes all settings.',
      ...settings.flatMap((row) => ['', `# ${row.about}`, `#${row.env}=${row.default ?? ''}`]),
      '',
    ],
  },
  {
    content: 'errors',
    file: 'docs/api.md',
    isRow: /^\| \d{3} \|/,
    rows: () =>
      Object.entries(ERRORS).map(
        ([code, { status, text }]) => `| ${status} | \`${code}\` | ${text} |`,
      ),
  },
  {
    content: 'events',
    file: 'docs/events.md',
    isRow: /^\| `[a-z_]+` \| .* \| (?:yes|no) \|/,
    rows: () =>
      Object.entries(EVENTS).map(([type, { about, isStored, payload }]) => {
        const fields = Object.keys(payload.shape).map((name) => `\`${name}\``)
        return `| \`${type}\` | ${about} | ${isStored ? 'yes' : 'no'} | ${fields.join(', ')} |`
      }),
  },
  {
    content: 'end reasons',
    file: 'docs/events.md',
    isRow: /^\| `[a-z_]+` \| `(?:ended|error)` \|/,
    rows: () =>
      END_REASONS.map((reason) => {
        const status = END_REASON_FAILURE_FLAGS[reason].isFailure ? 'error' : 'ended'
        const { what, nextStep = '–' } = MEETING_END_REASON_TEXTS[reason]
        return `| \`${reason}\` | \`${status}\` | ${what} | ${nextStep} |`
      }),
  },
  ...LONG_DOCUMENTS.map((file) => ({
    content: 'contents',
    file,
    isRow: /^- \[[^\]]*\]\(#[^)]*\)$/,
    rows: () =>
      [...readDocument(file).matchAll(/^## (.+)$/gm)].map(
        ([, heading = '']) => `- [${heading}](#${toAnchor(heading)})`,
      ),
  })),
]

export function readRows({ file, isRow }: DocTable): string[] {
  return readDocument(file)
    .split('\n')
    .filter((line) => isRow.test(line))
}

function readDocument(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/**
 * Replaces all rows of a table with the new rows, at the position of the first old row. A list of contents without rows
 * yet is inserted above the first section.
 */
function writeRows({ file, isRow, rows }: DocTable): void {
  let lines = readDocument(file).split('\n')
  if (!lines.some((line) => isRow.test(line))) {
    const section = lines.findIndex((line) => line.startsWith('## '))
    lines = [...lines.slice(0, section), '- [](#)', '', ...lines.slice(section)]
  }
  const first = lines.findIndex((line) => isRow.test(line))
  const before = lines.slice(0, first)
  const after = lines.slice(first).filter((line) => !isRow.test(line))
  writeFileSync(join(ROOT, file), [...before, ...rows(), ...after].join('\n'))
}

if (process.argv.includes('--write')) for (const table of DOC_TABLES) writeRows(table)
