import { join } from 'node:path'
import type { Db } from '../db/open.ts'
import { appendToDocument, DocumentDamaged, rewriteDocument } from '../projects/document-file.ts'
import { writeFrontMatter } from '../projects/front-matter.ts'
import { makeMeetingsFolder } from '../projects/meetings-folder.ts'
import type { Meeting } from './meeting.ts'
import { markdownHeading, markdownSegment, writeMarkdown } from './transcript/markdown-format.ts'
import { readTranscript } from './transcript/read.ts'
import type { TranscriptSource } from './transcript/source.ts'
import type { MeetingWriter } from './writer.ts'

/** Front matter and heading: what a document begins with. */
export function documentStart(meeting: Meeting, participants: readonly string[]): string {
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

/** Keeps the saved document of one meeting level with its stored segments. */
export interface DocumentKeeper {
  /** Appends what is new and tells so; cost does not grow with the meeting. */
  flush(at: Date): Promise<void>
  /** Writes the whole as it will stay, before the meeting counts as over: after a crash it is done again. */
  complete(endedAt: Date): Promise<void>
}

type Parts = {
  db: Db
  root: string
  meetingId: string
  documentPath: string
  writer: MeetingWriter
}

export function createDocumentKeeper(parts: Parts): DocumentKeeper {
  const { db, root, meetingId, documentPath, writer } = parts
  const path = join(root, documentPath)

  const readState = () =>
    db
      .selectFrom('meeting')
      .select(['flushed_count', 'document_size', 'segment_count', 'started_at'])
      .where('id', '=', meetingId)
      .executeTakeFirstOrThrow()

  return {
    async complete(endedAt) {
      const state = await readState()
      const size = await saveWholeDocument(db, root, meetingId, endedAt)
      const count = state.segment_count - state.flushed_count
      await writer.flushed(count, size, documentPath, endedAt)
    },

    async flush(at) {
      const state = await readState()
      const count = state.segment_count - state.flushed_count
      if (count === 0) return
      // One more than is new: whether a paragraph begins depends on who spoke last.
      const { segments } = await readTranscript(db, meetingId, Math.max(0, state.flushed_count - 1))
      const fresh = segments.filter(({ number }) => number > state.flushed_count)
      const before = segments.find(({ number }) => number === state.flushed_count) ?? null
      const text = fresh
        .map((segment, i) => markdownSegment(segment, fresh[i - 1] ?? before, state.started_at))
        .join('')
      const size = await append(text, state.document_size)
      await writer.flushed(fresh.length, size, documentPath, at)
    },
  }

  async function append(text: string, expectedSize: number): Promise<number> {
    try {
      return await appendToDocument(path, text, expectedSize)
    } catch (error) {
      if (!(error instanceof DocumentDamaged)) throw error
      return saveWholeDocument(db, root, meetingId, null)
    }
  }
}

/** Writes the whole document anew, in one step: at the end, and when somebody damaged it. */
async function saveWholeDocument(
  db: Db,
  root: string,
  meetingId: string,
  endedAt: Date | null,
): Promise<number> {
  const { meeting: stored, source } = await readTranscript(db, meetingId)
  const meeting = { ...stored, endedAt: stored.endedAt ?? endedAt }
  if (meeting.documentPath === null) throw new Error(`meeting ${meetingId} has no document`)
  await makeMeetingsFolder(root, meeting.project)
  return rewriteDocument(join(root, meeting.documentPath), wholeDocument(meeting, source))
}

function* wholeDocument(meeting: Meeting, source: TranscriptSource): Generator<string> {
  const [, ...rest] = writeMarkdown(source)
  yield documentStart(meeting, source.participants)
  yield* rest
}
