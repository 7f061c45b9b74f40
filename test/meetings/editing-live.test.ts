import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { createLog } from '../../src/log.ts'
import { readResumeState } from '../../src/meetings/attending/resume-state.ts'
import { updateOutdatedDocuments } from '../../src/meetings/editing/edited-document.ts'
import { createMeetingEditor } from '../../src/meetings/editing/meeting-editor.ts'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import { readTranscript } from '../../src/meetings/transcript/read-transcript.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { toSearchVector } from '../../src/projects/search/words/search-vector.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { openAttendance } from './open-attendance.ts'

const segment = (speaker: string, text: string) => ({
  captionId: text,
  speaker,
  text,
  startedAt: SEED_TIME.getTime(),
})

async function openLiveMeeting() {
  const attendance = await openAttendance()
  const { db, root, clock } = attendance
  const documentChanged = () => Promise.resolve()
  const log = createLog('silent')
  const editor = createMeetingEditor({
    db,
    files: createFolderDocuments(root),
    clock,
    log,
    documentChanged,
    onEdited: () => undefined,
    publishLateEvents: () => undefined,
  })
  return {
    ...attendance,
    editor,
    updateDocuments: () =>
      updateOutdatedDocuments({ db, files: createFolderDocuments(root), log, documentChanged }),
    request: {
      viewer: INSTANCE_VIEWER,
      author: { actor: 'user:1', name: 'Ada' },
      beforeCommit: async () => undefined,
    },
    speakers: async () =>
      (await readTranscript(db, attendance.meetingId)).segments.map(({ speaker }) => speaker),
    turns: () =>
      parseTranscriptMarkdown(readFileSync(attendance.path, 'utf8')).map(
        ({ speaker, text }) => `${speaker}: ${text}`,
      ),
    [Symbol.asyncDispose]: () => attendance[Symbol.asyncDispose](),
  }
}

test('new lines of a live meeting get the new name, and events keep the name of the platform', async () => {
  await using meeting = await openLiveMeeting()
  const { db, editor, request, meetingId } = meeting
  const { writer, document } = await meeting.owner(1)
  document.addSegments(await writer.writeSegments([segment('Speaker 2', 'One.')], SEED_TIME))
  await document.flush(SEED_TIME)
  await editor.renameSpeaker(request, meetingId, { from: 'Speaker 2', to: 'Grace' })
  await editor.rename(request, meetingId, 'New title')
  document.addSegments(await writer.writeSegments([segment('Speaker 2', 'Two.')], SEED_TIME))
  await document.flush(SEED_TIME)
  document.addSegments(await writer.writeSegments([segment('Speaker 2', 'Three.')], SEED_TIME))
  await document.flush(SEED_TIME)

  assert.deepEqual(await meeting.speakers(), ['Grace', 'Grace', 'Grace'])
  assert.deepEqual(meeting.turns(), ['Grace: One. Two. Three.'])
  assert.equal(findFrontMatter(readFileSync(meeting.path, 'utf8'))?.fields['title'], 'New title')
  const { rows } = await sql<{ text: string; words: string }>`
    select text, words::text as words from segment`.execute(db)
  for (const { text, words } of rows) {
    const { rows: expected } = await sql`
      select ${toSearchVector(text, 'Grace')}::tsvector::text as words`.execute(db)
    assert.deepEqual(expected, [{ words }])
  }
  const events = await db
    .selectFrom('event')
    .select('body')
    .where('type', '=', 'segment_finalized')
    .execute()
  for (const { body } of events) assert.match(body, /"speaker":"Speaker 2"/)
  // A bot that continues compares what it reads with the platform's names.
  const { segments } = await readResumeState(db, await meeting.meeting())
  assert.deepEqual(new Set(segments.map(({ speaker }) => speaker)), new Set(['Speaker 2']))
})

test('a line that is written while a speaker gets another name has the new name', async () => {
  await using meeting = await openLiveMeeting()
  const { db, editor, request, meetingId } = meeting
  const { writer } = await meeting.owner(1)
  await writer.writeSegments([segment('Speaker 2', 'One.')], SEED_TIME)
  let writing: Promise<unknown> = Promise.resolve()
  await editor.renameSpeaker(
    {
      ...request,
      async beforeCommit() {
        writing = writer.writeSegments([segment('Speaker 2', 'Two.')], SEED_TIME)
        // The write began before the commit, so it has the old names.
        await waitForLockWaiters(db, 'any', 1)
      },
    },
    meetingId,
    { from: 'Speaker 2', to: 'Grace' },
  )
  await writing
  assert.deepEqual(await meeting.speakers(), ['Grace', 'Grace'])
})

test('an edit between the last write of the document and the end of the meeting reaches the document', async () => {
  await using meeting = await openLiveMeeting()
  const { editor, request, meetingId } = meeting
  const { writer, document } = await meeting.owner(1)
  await writer.writeSegments([segment('Speaker 2', 'One.')], SEED_TIME)
  await writer.changeStatus({ to: 'leaving', reason: 'stopped', at: SEED_TIME })
  await document.complete(SEED_TIME)
  await editor.renameSpeaker(request, meetingId, { from: 'Speaker 2', to: 'Grace' })
  assert.deepEqual(meeting.turns(), ['Speaker 2: One.'])
  await writer.changeStatus({ to: 'ended', at: SEED_TIME })
  await meeting.updateDocuments()
  assert.deepEqual(meeting.turns(), ['Grace: One.'])
})
