import { requireAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Platform } from '../../bots/platforms/platform.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Meeting, MeetingOptions } from '../meeting.ts'
import type { MeetingEditor } from '../editing/meeting-editor.ts'
import type { ImportFormat } from '../importing/format-names.ts'
import type { TranscriptImports } from '../importing/transcript-imports.ts'
import { findAttendedMeeting, findRooms, type AttendedQuery } from './attended-meeting.ts'
import type { OfficialMode } from './choose-lines.ts'
import { readOfficialChoice } from './official-choice.ts'

/** Adds official transcripts to meetings that bots attended. */
export type OfficialTranscripts = ReturnType<typeof createOfficialTranscripts>

type Parts = {
  db: Db
  platforms: readonly Platform[]
  editor: Pick<MeetingEditor, 'addOfficialTranscript'>
  imports: Pick<TranscriptImports, 'readLines'>
  /** Makes the recap again, in the transaction that changes the lines. */
  renewRecap(tx: Tx, meetingId: string): Promise<void>
  /** Runs after the commit. */
  afterRenewal(meetingId: string): void
}

export type FoundContent = {
  content: string
  format: ImportFormat
  startedAt: Date
  /** When transcription ended; null if the provider does not say. */
  endedAt: Date | null
  /** The product of the provider, for people. */
  source: string
}

/** How long the last line of a transcript without an end lasts at most. */
const LAST_LINE_MS = 10_000

export function createOfficialTranscripts(parts: Parts) {
  const { db, platforms, editor, imports } = parts
  return {
    findRooms: (links: readonly string[]) => findRooms(platforms, links),
    findAttendedMeeting: (query: AttendedQuery) => findAttendedMeeting(db, query),
    /**
     * Stores the transcript with the meeting, and uses it as the meeting's project decided. `afterStore` runs in the same
     * transaction. Throws `meeting_active` while a bot attends the meeting, and like an import for a file that cannot be
     * read.
     */
    async add(
      { id, project, options }: Pick<Meeting, 'id' | 'project' | 'options'>,
      viewer: Viewer,
      { source, startedAt, endedAt, ...file }: FoundContent,
      afterStore: (tx: Tx) => Promise<void>,
    ): Promise<void> {
      const lines = await imports.readLines({ ...file, startedAt })
      const fromMs = startedAt.getTime()
      const lastMs = lines.reduce((last, { atMs }) => Math.max(last, atMs), fromMs) + LAST_LINE_MS
      const part = { fromMs, untilMs: Math.max(lastMs, endedAt?.getTime() ?? 0), source }
      const request = {
        viewer: { kind: 'service', projects: [project] } as const,
        author: { actor: 'connection', name: source },
        beforeCommit: (tx: Tx) => parts.renewRecap(tx, id),
      }
      await editor.addOfficialTranscript(
        request,
        id,
        { mode: toUsedMode(await readOfficialChoice(db, project), options), part, lines },
        async (tx) => {
          // The organizer may have lost the right since the meeting was found.
          await requireAccess(tx, viewer, { kind: 'meeting', id, action: 'edit' })
          await afterStore(tx)
        },
      )
      parts.afterRenewal(id)
    },
  }
}

/** Who asked for both wants the official transcript used, even if the project would only keep it. */
function toUsedMode(chosen: OfficialMode, { capture }: MeetingOptions): OfficialMode {
  return capture === 'both' && chosen === 'keep' ? 'fill' : chosen
}
