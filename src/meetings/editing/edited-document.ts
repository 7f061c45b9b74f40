import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { parsePathInDataFolder, type DocumentRef } from '../../projects/document-ref.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { findFrontMatter, formatFrontMatter } from '../../projects/front-matter.ts'
import { readStoredChat } from '../chat/stored-chat.ts'
import type { Meeting } from '../meeting.ts'
import { formatChoice, type LinesChoice } from '../official/choose-lines.ts'
import {
  applyLinesChoice,
  findOfficial,
  NO_OFFICIAL_LINES,
  type StoredOfficial,
} from '../official/official-lines.ts'
import {
  replaceDocumentText,
  findEndOfTitle,
  findRecapSection,
} from '../record/document-section.ts'
import { updateMeeting } from '../record/meeting-store.ts'
import {
  repairDocuments,
  type DocumentParts,
  type RepairParts,
  formatTranscriptDocument,
} from '../record/transcript-document.ts'
import {
  formatMarkdownChat,
  formatMarkdownEntry,
  formatMarkdownTitle,
} from '../transcript/markdown-format.ts'
import { unescapeInlineMarkdown } from '../transcript/markdown-text.ts'
import { readTranscript } from '../transcript/read-transcript.ts'
import {
  insertGapsBetweenSegments,
  type TranscriptChatMessage,
  type TranscriptContent,
  type TranscriptEntry,
} from '../transcript/source.ts'
import { readNamesAfterEdit, type NamesInMeeting } from './edit-history.ts'
import { findShownName, listShownNames, toSpeakerNames } from './speaker-names.ts'

/** A transcript with the names from one point in time. */
type NamedTranscript = {
  meeting: Meeting
  content: TranscriptContent
  chat: readonly TranscriptChatMessage[]
}

/** The start of a turn or of a chat message, such as `**Ada** 00:01:23`. */
const NAMED_START = /^(?:- )?\*\*(?:[^*\\]|\\.|(?<= )\*(?= ))+\*\* \d{2,}:\d{2}:\d{2}(?= |\r?$)/gmu

/**
 * Updates the document of an ended meeting after its edits, and keeps what people wrote into it. The document of an
 * active meeting follows when its next lines are written. Returns the path of the file if it changed.
 */
export function updateEditedDocument(
  { db, files }: DocumentParts,
  meetingId: string,
): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('meeting')
      .select(['document_path', 'document_size', 'document_edit', 'edit_count'])
      .where('id', '=', meetingId)
      .where('ended_at', 'is not', null)
      .whereRef('document_edit', '<', 'edit_count')
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return null
    const { document_path: path, document_size: size } = row
    // A document that is not written yet is written from the rows, which already have the new names.
    if (path !== null && size === 0) return null
    const place = parsePathInDataFolder(path ?? '')
    const grownBy = place && (await rewriteNames(tx, files, place, meetingId, row.document_edit))
    const changed = { document_edit: row.edit_count, document_size: size + (grownBy ?? 0) }
    await updateMeeting(tx, meetingId, changed)
    return grownBy === null ? null : path
  })
}

/** Returns by how many bytes the file grew; null if it was not changed. */
async function rewriteNames(
  tx: Tx,
  files: DocumentFiles,
  place: DocumentRef,
  meetingId: string,
  documentEdit: number,
): Promise<number | null> {
  const { before, now } = await readNamedTranscripts(tx, meetingId, documentEdit)
  const { sizes } = await replaceDocumentText(files.inTransaction(tx), place, (text) =>
    replaceNames(text, before, now),
  )
  return sizes === null ? null : sizes.after - sizes.before
}

/** The transcript with the names, start and lines that the document has, and with the current ones. */
async function readNamedTranscripts(
  tx: Tx,
  meetingId: string,
  documentEdit: number,
): Promise<{ before: NamedTranscript; now: NamedTranscript }> {
  const stored = await readStoredTranscript(tx, meetingId)
  const official = await findOfficial(tx, meetingId)
  const linesChoice = official?.choice ?? NO_OFFICIAL_LINES
  const { title, startedAt } = stored.meeting
  const current = { title, speakers: stored.names, startedAt, linesChoice }
  const previous = await readNamesAfterEdit(tx, meetingId, documentEdit, current)
  const now = withNames(stored, current)
  if (official === null || formatChoice(previous.linesChoice) === formatChoice(linesChoice))
    return { before: withNames(stored, previous), now }
  const earlier = await readWithLines(tx, meetingId, official, previous.linesChoice)
  return { before: withNames(earlier, { ...previous, startedAt: earlier.meeting.startedAt }), now }
}

type StoredTranscript = Awaited<ReturnType<typeof readStoredTranscript>>

async function readStoredTranscript(tx: Tx, meetingId: string) {
  const { meeting, source } = await readTranscript(tx, meetingId)
  const chat = await readStoredChat(tx, meetingId)
  return { meeting, source, chat, ...(await readPlatformNames(tx, meetingId)) }
}

/** The transcript as another choice of lines makes it. */
async function readWithLines(
  tx: Tx,
  meetingId: string,
  official: StoredOfficial,
  choice: LinesChoice,
): Promise<StoredTranscript> {
  await sql`savepoint other_lines`.execute(tx)
  await applyLinesChoice(tx, meetingId, official, choice)
  const stored = await readStoredTranscript(tx, meetingId)
  await sql`rollback to savepoint other_lines`.execute(tx)
  return stored
}

function withNames(
  { meeting, source, chat, speakerOf, participants }: StoredTranscript,
  { title, speakers, startedAt }: Omit<NamesInMeeting, 'linesChoice'>,
): NamedTranscript {
  const lastedMs = meeting.endedAt && meeting.endedAt.getTime() - meeting.startedAt.getTime()
  return {
    meeting: {
      ...meeting,
      title,
      startedAt,
      endedAt: lastedMs === null ? null : new Date(startedAt.getTime() + lastedMs),
    },
    content: {
      ...source,
      title: title ?? meeting.label,
      participants: listShownNames(speakers, participants),
      segments: source.segments.map((segment) => ({
        ...segment,
        speaker: findShownName(speakers, speakerOf.get(segment.number) ?? segment.speaker),
      })),
    },
    chat: chat.map(({ platformAuthor, ...message }) => ({
      ...message,
      author: findShownName(speakers, platformAuthor),
    })),
  }
}

async function readPlatformNames(tx: Tx, meetingId: string) {
  const { speaker_names: stored } = await tx
    .selectFrom('meeting')
    .select('speaker_names')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const segments = await tx
    .selectFrom('segment')
    .select((eb) => ['number', eb.fn.coalesce('platform_speaker', 'speaker').as('platformSpeaker')])
    .where('meeting_id', '=', meetingId)
    .execute()
  const participants = await tx
    .selectFrom('participant')
    .select('name')
    .where('meeting_id', '=', meetingId)
    .orderBy('joined_at')
    .orderBy('id')
    .execute()
  return {
    names: toSpeakerNames(stored),
    speakerOf: new Map(segments.map(({ number, platformSpeaker }) => [number, platformSpeaker])),
    participants: participants.map(({ name }) => name),
  }
}

/** Updates documents that lack a stored edit: after a crash, or because the edit came as the meeting ended. */
export async function updateOutdatedDocuments(parts: RepairParts): Promise<void> {
  const rows = await parts.db
    .selectFrom('meeting')
    .select('id')
    .where('ended_at', 'is not', null)
    .whereRef('document_edit', '<', 'edit_count')
    .execute()
  await repairDocuments(parts, {
    meetingIds: rows.map(({ id }) => id),
    write: (meetingId) => updateEditedDocument(parts, meetingId),
    failure: 'failed to update the document of a meeting',
  })
}

/**
 * Replaces the names in the document of an ended meeting. A document that nobody changed is written again. In one that
 * a person changed, only old names are replaced: in the front matter, the title, and the starts of turns.
 */
function replaceNames(text: string, before: NamedTranscript, now: NamedTranscript): string {
  const section = findRecapSection(text)
  const plain =
    section === null ? text : `${text.slice(0, section.start)}${text.slice(section.end)}`
  const expected = formatDocument(now)
  if (plain === expected) return text
  if (plain !== formatDocument(before)) return replaceInLines(text, before, now)
  const titleEnd = findEndOfTitle(expected) ?? 0
  const kept = section === null ? '' : text.slice(section.start, section.end)
  return `${expected.slice(0, titleEnd)}${kept}${expected.slice(titleEnd)}`
}

function formatDocument({ meeting, content, chat }: NamedTranscript): string {
  return [...formatTranscriptDocument(meeting, content, chat)].join('')
}

function replaceInLines(text: string, before: NamedTranscript, now: NamedTranscript): string {
  const { bodyStart = 0 } = findFrontMatter(text) ?? {}
  const header = replaceFrontMatter(text.slice(0, bodyStart), before, now)
  const title = unescapeInlineMarkdown(formatMarkdownTitle(before.content.title))
  const newTitle = formatMarkdownTitle(now.content.title)
  const body = text.slice(bodyStart)
  const titleStart = /^\n?/.exec(body)?.[0].length ?? 0
  const titleEnd = body.indexOf('\n', titleStart) + 1
  // Earlier versions escaped more characters.
  const hasTitle = unescapeInlineMarkdown(body.slice(titleStart, titleEnd)) === title
  const renamed = hasTitle ? `${body.slice(0, titleStart)}${newTitle}${body.slice(titleEnd)}` : body
  return `${header}${replaceTurnStarts(renamed, before, now)}`
}

function replaceFrontMatter(header: string, before: NamedTranscript, now: NamedTranscript): string {
  const fieldsOf = ({ meeting, content: { title, participants } }: NamedTranscript) => [
    formatField({ title }),
    formatField({ participants }),
    formatField({ date: meeting.startedAt.toISOString() }),
    formatField({ startedAt: meeting.startedAt.toISOString() }),
    formatField({ endedAt: meeting.endedAt?.toISOString() ?? '' }),
  ]
  const newFields = fieldsOf(now)
  return fieldsOf(before).reduce(
    (text, field, i) => text.replace(`\n${field}`, () => `\n${newFields[i]}`),
    header,
  )
}

/** A field of the front matter, with its line break. */
function formatField(fields: Record<string, string | string[]>): string {
  return formatFrontMatter(fields).slice('---\n'.length, -'---\n'.length)
}

function replaceTurnStarts(body: string, before: NamedTranscript, now: NamedTranscript): string {
  const newStarts = listNamedStarts(now)
  const replacements = new Map<string, string[]>()
  listNamedStarts(before).forEach((start, i) => {
    if (start === null) return
    const key = unescapeInlineMarkdown(start)
    const found = replacements.get(key) ?? []
    replacements.set(key, [...found, newStarts[i] ?? start])
  })
  return body.replace(NAMED_START, (start) => {
    const found = replacements.get(unescapeInlineMarkdown(start))
    // Several turns within one second have the same start, so each takes the next name.
    return (found !== undefined && found.length > 1 ? found.shift() : found?.[0]) ?? start
  })
}

/** For each line of the transcript, its start if it begins a turn, else null. Then the same for each chat message. */
function listNamedStarts({ content, chat }: NamedTranscript): Array<string | null> {
  const entries: TranscriptEntry[] = [...insertGapsBetweenSegments(content)]
  const turns = entries.map((entry) => formatMarkdownEntry(entry, null, content.startedAt))
  const [, ...messages] = formatMarkdownChat(chat, content.startedAt)
  return [...turns.map((turn) => turn.slice(1)), ...messages].map(
    (line) => new RegExp(NAMED_START.source, 'u').exec(line)?.[0] ?? null,
  )
}
