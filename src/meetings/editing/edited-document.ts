import type { Tx } from '../../db/database.ts'
import { parsePathInDataFolder, type DocumentRef } from '../../projects/document-ref.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { readStoredChat } from '../chat/stored-chat.ts'
import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import { replaceDocumentText } from '../record/document-section.ts'
import {
  repairDocuments,
  type DocumentParts,
  type RepairParts,
} from '../record/repair-documents.ts'
import { readTranscript } from '../transcript/read-transcript.ts'
import { replaceNames, type NamedTranscript } from './document-names.ts'
import { readNamesAfterEdit, type NamesInMeeting } from './edit-history.ts'
import { findShownName, listShownNames, toSpeakerNames } from './speaker-names.ts'

/**
 * Brings the document of an ended meeting up to date with its edits. What a person wrote into the document stays. The
 * document of an active meeting follows when its next lines are written. Returns the path of a file that was changed.
 */
export function updateEditedDocument(
  { db, files }: DocumentParts,
  meetingId: string,
): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('meeting')
      .select(['document_path', 'document_size', 'document_edit', 'edit_count', 'platform'])
      .where('id', '=', meetingId)
      .where('ended_at', 'is not', null)
      .whereRef('document_edit', '<', 'edit_count')
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return null
    const { document_path: path, document_size: size } = row
    // The document of an import is written from the rows, which have the new names.
    if (row.platform === IMPORTED_PLATFORM && path !== null && size === 0) return null
    const place = parsePathInDataFolder(path ?? '')
    const grownBy = place && (await rewriteNames(tx, files, place, meetingId, row.document_edit))
    await tx
      .updateTable('meeting')
      .set({ document_edit: row.edit_count, document_size: size + (grownBy ?? 0) })
      .where('id', '=', meetingId)
      .execute()
    return grownBy === null ? null : path
  })
}

/** Returns by how many bytes the file has grown; null when it was not changed. */
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

/** The transcript with the names and the start that the document has, and with those of now. */
async function readNamedTranscripts(
  tx: Tx,
  meetingId: string,
  documentEdit: number,
): Promise<{ before: NamedTranscript; now: NamedTranscript }> {
  const { meeting, source } = await readTranscript(tx, meetingId)
  const chat = await readStoredChat(tx, meetingId)
  const { names, speakerOf, participants } = await readPlatformNames(tx, meetingId)
  const current = { title: meeting.title, speakers: names, startedAt: meeting.startedAt }
  const previous = await readNamesAfterEdit(tx, meetingId, documentEdit, current)
  const lastedMs = meeting.endedAt && meeting.endedAt.getTime() - meeting.startedAt.getTime()
  const withNames = ({ title, speakers, startedAt }: NamesInMeeting): NamedTranscript => ({
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
  })
  return { before: withNames(previous), now: withNames(current) }
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

/** Updates documents whose edit was stored, but whose file was not written: after a crash, or by an edit at the end. */
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
