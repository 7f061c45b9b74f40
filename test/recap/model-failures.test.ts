import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLanguageModels } from '../../src/app/language-models.ts'
import { parseConfig } from '../../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { NO_TRACER } from '../../src/lib/tracer.ts'
import { createLog } from '../../src/log.ts'
import type { EventRow } from '../../src/meetings/record/meeting-store.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { runRecap } from '../../src/recap/running/recap-runner.ts'
import { createRulesRecapMaker } from '../../src/recap/running/rules-thread.ts'
import { claimDueRecaps } from '../../src/recap/store/recap-claims.ts'
import { RECAP_STEPS } from '../../src/recap/store/recap-row.ts'
import { findStoredRecap, requestRecap } from '../../src/recap/store/stored-recap.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { MEETING_OPTIONS, seedMeeting, SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { openModelServer, type ModelServerReply } from '../support/tasks/model-server.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { answerWithRecap } from './model-answers.ts'

const OVERLOADED: ModelServerReply = { status: 500, headers: { 'retry-after-ms': '1' } }
/** Longer than each delay between two attempts, but shorter than all of them together. */
const WAIT_SECONDS = 301

/** An ended meeting, a node that makes its recap, and a model server. The test advances the clock. */
async function openWorld(reply: (number: number) => ModelServerReply | null) {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const server = stack.use(
    await openModelServer((request, number) => reply(number) ?? answerWithRecap(request)),
  )
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'recap-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const env = {
    HANSARD_DATA: root,
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: server.url,
  }
  const config = parseConfig({ env, root: INSTALLATION_FOLDER })
  const [clock, log] = [createManualClock(), createLog('silent')]
  await insertLiveNodes(db, 'one')
  const options = JSON.stringify({ ...MEETING_OPTIONS, events: ['recap_ready'] })
  const row = { status: 'ended', ended_at: SEED_TIME, segment_count: 1, options } as const
  const meetingId = await seedMeeting(db, row)
  const text = 'Ben will fix the search page by Wednesday.'
  const segment = { number: 1, caption_id: 'c', speaker: 'Ada', text, started_at: SEED_TIME }
  await db
    .insertInto('segment')
    .values({ ...segment, meeting_id: meetingId, words: null })
    .execute()
  const events: EventRow[] = []
  const parts = {
    db,
    clock,
    log,
    files: createFolderDocuments(root),
    timeZone: 'UTC',
    recapLanguage: null,
    publicUrl: 'http://hansard.test',
    makeRulesRecap: createRulesRecapMaker(),
    model: createLanguageModels({ tracer: NO_TRACER, config, db, clock, log }).recap,
    documentChanged: async () => undefined,
    onRecapReady: async () => {},
    publishEvents: (_: string, rows: readonly EventRow[]) => void events.push(...rows),
  }
  await requestRecap(db, meetingId, clock.now())
  const opened = stack.move()
  return {
    server,
    events,
    read: async () => findStoredRecap(db, meetingId),
    /** Lets the node work as long as something is due. False if nothing was. */
    async work(): Promise<boolean> {
      for (let hasWorked = false; ; hasWorked = true) {
        const [claimed] = await claimDueRecaps(db, 'one', clock.now(), 1, RECAP_STEPS)
        if (claimed === undefined) return hasWorked
        await runRecap(parts, claimed, new AbortController().signal)
      }
    },
    advance: () => clock.advance(WAIT_SECONDS),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('a model that answers 500 is asked again three times, then the recap by rules stands and says why', async () => {
  await using world = await openWorld(() => OVERLOADED)
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    assert.equal(await world.work(), true)
    assert.partialDeepStrictEqual(await world.read(), {
      step: 'model',
      method: 'rules',
      error: null,
    })
    assert.equal(await world.work(), false, 'a retry must wait')
    assert.deepEqual(world.events, [])
    world.advance()
  }
  const asked = world.server.requests.length
  assert.equal(await world.work(), true)
  assert.ok(world.server.requests.length > asked)
  const recap = await world.read()
  assert.partialDeepStrictEqual(recap, { step: 'done', method: 'rules', model: null, version: 2 })
  assert.match(recap?.error ?? '', /provider|server|500/i)
  assert.deepEqual(
    world.events.map(({ type }) => type),
    ['recap_ready'],
  )
  world.advance()
  assert.equal(await world.work(), false)
})

test('a model that recovers replaces the recap by rules, with one recap_ready', async () => {
  await using world = await openWorld((number) => (number <= 3 ? OVERLOADED : null))
  await world.work()
  world.advance()
  await world.work()
  assert.partialDeepStrictEqual(await world.read(), { step: 'done', method: 'model', error: null })
  assert.equal(world.events.length, 1)
})
