import { join } from 'node:path'
import type { Db } from '../../db/database.ts'
import {
  appendToDocument,
  DocumentDamaged,
  rewriteDocument,
} from '../../projects/files/document-file.ts'
import { writeFrontMatter } from '../../projects/front-matter.ts'
import { createMeetingsFolder } from '../../projects/files/project-folder.ts'
import type { Meeting } from '../meeting.ts'
import type { Tx } from '../store.ts'
import { markdownHeading, markdownSegment, writeMarkdown } from '../transcript/markdown-format.ts'
import { readTranscript } from '../transcript/read-transcript.ts'
import type { TranscriptSegment, TranscriptSource } from '../transcript/source.ts'
import type { MeetingWriter } from './meeting-writer.ts'

/** Front matter and heading: what a document begins with. */
export function documentHeader(meeting: Meeting, participants: readonly string[]): string {
  return `${writeFrontMatter({
    title: meeting.title ?? meeting.label,
    date: meeting.startedAt.toISOString(),
    meetingId: meeting.id,
    status: meeting.endedAt === null ? 'in_progress' : 'completed',
    platform: meeting.platform,
    project: meeting.project,
    participants: [...participants],
    startedAt: meeting.startedAt.toISOString(),
    endedAt: meeting.endedAt?.toISOString() ?? null,
    segments: meeting.segmentCount,
  })}\n${markdownHeading(meeting.title ?? meeting.label)}`
}

/** Keeps the saved document of one meeting level with its stored segments. Whoever lost the meeting leaves it alone. */
export interface TranscriptDocument {
  /** Segments that have just been stored. */
  addSegments(segments: readonly TranscriptSegment[]): void
  /** Appends what is new and tells so; cost does not grow with the meeting. */
  flush(at: Date): Promise<void>
  /** Writes the whole as it will stay, before the meeting counts as over: after a crash it is done again. */
  complete(endedAt: Date): Promise<void>
}

export type TranscriptDocumentParts = {
  db: Db
  root: string
  meetingId: string
  documentPath: string
  writer: MeetingWriter
  /** Whoever is at a file keeps a connection to the database: only so many are at once. */
  limitWrites: <T>(work: () => Promise<T>) => Promise<T>
  /** The document is whole: whoever lists documents wants to know. */
  onComplete?(documentPath: string): Promise<void>
}

/** What is in the file, and what is not yet. */
type FileState = {
  size: number
  /** Who spoke last decides whether a paragraph begins. */
  last: TranscriptSegment | null
  fresh: TranscriptSegment[]
  startedAt: Date
}

export function createTranscriptDocument(parts: TranscriptDocumentParts): TranscriptDocument {
  const { db, root, meetingId, documentPath, writer, limitWrites } = parts
  const path = join(root, documentPath)
  /** Null until it is read: another bot may have been here before. */
  let level: FileState | null = null

  return {
    addSegments(segments) {
      level?.fresh.push(...segments)
    },

    async flush(at) {
      level ??= await readFileState(db, meetingId)
      const { size, last, fresh, startedAt } = level
      if (fresh.length === 0) return
      const text = fresh.map((segment, i) =>
        markdownSegment(segment, fresh[i - 1] ?? last, startedAt),
      )
      // Read anew if anything fails on the way: only what is told counts as written.
      level = null
      const newSize = await limitWrites(() =>
        writer.withDocumentLock((tx) => append(tx, text.join(''), size)),
      )
      await writer.recordDocumentFlush(fresh.length, newSize, documentPath, at)
      level = { size: newSize, last: fresh.at(-1) ?? last, fresh: [], startedAt }
    },

    async complete(endedAt) {
      const { count, size } = await limitWrites(() =>
        writer.withDocumentLock(async (tx) => ({
          count: (await readFileState(tx, meetingId)).fresh.length,
          size: await saveWholeDocument(tx, root, meetingId, endedAt),
        })),
      )
      await writer.recordDocumentFlush(count, size, documentPath, endedAt)
      await parts.onComplete?.(documentPath)
    },
  }

  async function append(tx: Tx, text: string, expectedSize: number): Promise<number> {
    try {
      return await appendToDocument(path, text, expectedSize)
    } catch (error) {
      if (!(error instanceof DocumentDamaged)) throw error
      return saveWholeDocument(tx, root, meetingId, null)
    }
  }
}

async function readFileState(db: Db, meetingId: string): Promise<FileState> {
  const { flushed_count: flushed, document_size: size } = await db
    .selectFrom('meeting')
    .select(['flushed_count', 'document_size'])
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const { meeting, segments } = await readTranscript(db, meetingId, {
    after: Math.max(0, flushed - 1),
  })
  return {
    size,
    last: segments.find(({ number }) => number === flushed) ?? null,
    fresh: segments.filter(({ number }) => number > flushed),
    startedAt: meeting.startedAt,
  }
}

/** Writes the whole document anew, in one step: at the end, and when it is damaged or missing. Returns its size. */
export async function saveWholeDocument(
  db: Db,
  root: string,
  meetingId: string,
  endedAt: Date | null,
): Promise<number> {
  const { meeting: stored, source } = await readTranscript(db, meetingId)
  const meeting = { ...stored, endedAt: stored.endedAt ?? endedAt }
  if (meeting.documentPath === null) throw new Error(`meeting ${meetingId} has no document`)
  await createMeetingsFolder(root, meeting.project)
  return rewriteDocument(join(root, meeting.documentPath), wholeDocument(meeting, source))
}

function* wholeDocument(meeting: Meeting, source: TranscriptSource): Generator<string> {
  const [, ...rest] = writeMarkdown(source)
  yield documentHeader(meeting, source.participants)
  yield* rest
}
