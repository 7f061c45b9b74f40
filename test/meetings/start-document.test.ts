import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { createMeetingEditor } from '../../src/meetings/editing/meeting-editor.ts'
import { createMeetings } from '../../src/meetings/meetings.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { MEETING_OPTIONS, SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'

const REQUEST = {
  url: 'stage://one',
  title: 'Talk',
  callbackUrl: 'http://127.0.0.1:9/',
  project: 'api',
  saveTranscript: true,
  options: MEETING_OPTIONS,
  joinAt: null,
  expectedEndAt: null,
}

async function openMeetingsWith(documentChanged: () => Promise<void>) {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await createTestDatabase())
  const proxy = stack.use(await openDatabaseProxy(url))
  const log = createLog('silent')
  const { db, close } = await connectToDatabase({ connectionString: proxy.url }, { max: 2, log })
  stack.defer(close)
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'start-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const clock = createManualClock(SEED_TIME.toISOString())
  const base = {
    db,
    clock,
    log,
    files: createFolderDocuments(root),
    documentChanged,
  }
  const meetings = createMeetings({
    ...base,
    platforms: [createScriptedPlatform()],
    timeZone: 'UTC',
    hasDiskSpace: () => true,
    capacity: { assertAvailable: () => Promise.resolve() },
    membership: { requireFreshHeartbeat: () => Promise.resolve() },
    findCallbackProblem: () => Promise.resolve(null),
    findAccountProblem: () => Promise.resolve(null),
    findSpeechProblem: () => Promise.resolve(null),
    findCaptureProblem: () => Promise.resolve(null),
    onStoppedWithoutBot: () => undefined,
    registerProject: () => Promise.resolve(),
    wake: () => undefined,
    wakeScheduler: () => undefined,
    onCancelled: () => undefined,
    editor: createMeetingEditor({
      ...base,
      onEdited: () => undefined,
      publishLateEvents: () => undefined,
    }),
  })
  const opened = stack.move()
  return { meetings, root, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('a failure after the start was committed does not delete the document of the meeting', async () => {
  await using opened = await openMeetingsWith(() => Promise.reject(new Error('index failed')))
  await assert.rejects(opened.meetings.start(INSTANCE_VIEWER, REQUEST, null), /index failed/)
  const [meeting] = await opened.meetings.listActive(INSTANCE_VIEWER)
  assert.ok(meeting?.documentPath)
  assert.ok(existsSync(join(opened.root, meeting.documentPath)))
})

test('a start that is rolled back leaves no meeting and no document', async () => {
  await using opened = await openMeetingsWith(() => Promise.resolve())
  const failing = opened.meetings.start(INSTANCE_VIEWER, REQUEST, null, () =>
    Promise.reject(new Error('no')),
  )
  await assert.rejects(failing, /no/)
  assert.deepEqual(await opened.meetings.listActive(INSTANCE_VIEWER), [])
  const files = readdirSync(opened.root, { recursive: true, withFileTypes: true })
  assert.deepEqual(
    files.filter((file) => file.isFile()).map(({ name }) => name),
    [],
  )
})

test('a start whose commit is not confirmed is a start if the meeting is stored', async () => {
  await using opened = await openMeetingsWith(() => Promise.resolve())
  opened.proxy.dropResponseTo('commit')
  const { meeting } = await opened.meetings.start(INSTANCE_VIEWER, REQUEST, null)
  assert.ok(meeting.documentPath)
  assert.ok(existsSync(join(opened.root, meeting.documentPath)))
  const active = await opened.meetings.listActive(INSTANCE_VIEWER)
  assert.deepEqual(
    active.map(({ id }) => id),
    [meeting.id],
  )
})
