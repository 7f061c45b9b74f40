import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { deleteExpiredEvidence } from '../../src/meetings/record/evidence.ts'
import type { FailureEvidence, Platform } from '../../src/bots/platforms/platform.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'

type Piece = {
  number: number
  at: string
  state: string
  marks: string[]
  survey: Record<string, unknown> & { headings: string[]; buttons: string[] }
  screenshot: string | null
}

const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('<script>alert(1)</script>')])
const SECRET_WORDS = 'the merger with Contoso'

function evidence(more: Partial<FailureEvidence> = {}): FailureEvidence {
  return {
    state: 'denied',
    marks: ['words "denied your request"'],
    survey: {
      address: 'https://meet.google.com/abc-defg-hij?authuser=hidden#token=hidden',
      title: `Meet \u202e\u0000 ${SECRET_WORDS}`,
      language: 'en',
      headings: ["You can't join this call"],
      buttons: ['Return to home screen'],
    },
    screenshot: PICTURE,
    ...more,
  }
}

const sharedStage = openForFile(async () => {
  const platform = createScriptedPlatform()
  const service = await startService({}, { platforms: [platform] })
  const program = await openMeetingsClient(service)
  const list = async (id: string) =>
    (await program.get(`/${id}/evidence`)).body['evidence'] as Piece[]
  return {
    service,
    platform,
    program,
    list,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
})

test('evidence is stored with its meeting, served, and removed with it', async () => {
  const { service, platform, program, list } = sharedStage()
  platform
    .room('stored')
    .emit(
      { kind: 'lobby' },
      { kind: 'evidence', evidence: evidence() },
      { kind: 'over', because: 'denied' },
    )
  const id = await program.start('stage://stored')
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    reason: 'denied',
    evidenceCount: 1,
  })

  const [piece, ...more] = await list(id)
  assert.ok(piece !== undefined && more.length === 0)
  assert.deepEqual([piece.number, piece.state, piece.marks], [1, 'denied', evidence().marks])
  assert.match(piece.at, /^\d{4}-.*Z$/)
  assert.deepEqual(piece.survey, {
    address: 'https://meet.google.com/abc-defg-hij',
    title: `Meet ${SECRET_WORDS}`,
    language: 'en',
    headings: ["You can't join this call"],
    buttons: ['Return to home screen'],
  })
  const answer = await fetch(`${service.url}${piece.screenshot}`, { headers: program.key })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'image/jpeg')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), PICTURE)
  const asBytes = await fetch(`${service.url}${piece.screenshot}`, {
    headers: { ...program.key, accept: 'application/octet-stream' },
  })
  assert.equal(asBytes.headers.get('content-type'), 'application/octet-stream')
  assert.deepEqual(Buffer.from(await asBytes.arrayBuffer()), PICTURE)

  for (const [path, status] of [
    [`/${id}/evidence/2/screenshot`, 404],
    [`/${id}/evidence/0/screenshot`, 400],
    [`/${id}/evidence/99999999999/screenshot`, 400],
    ['/meeting_none/evidence', 404],
    ['/meeting_none/evidence/1/screenshot', 404],
  ] as const) {
    assert.equal((await program.get(path)).status, status, path)
  }
  assert.equal((await fetch(`${service.url}${piece.screenshot}`)).status, 401)

  assert.equal((await program.remove(`/${id}`)).status, 200)
  assert.equal((await program.get(`/${id}/evidence`)).status, 404)
})

test('large evidence is shortened to its limits, and invalid screenshots are dropped', async () => {
  const { platform, program, list } = sharedStage()
  const flood = Array.from({ length: 13 }, (_unused, i) => ({
    kind: 'evidence' as const,
    evidence: evidence({ state: `state ${i + 1}` }),
  }))
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  const huge = evidence({
    state: 'x'.repeat(10_000),
    marks: Array.from({ length: 1_000 }, () => 'm'.repeat(1_000)),
    survey: {
      address: 'javascript:alert(1)',
      title: 't'.repeat(100_000),
      language: 'l'.repeat(1_000),
      headings: Array.from({ length: 5_000 }, () => 'h'.repeat(5_000)),
      buttons: Array.from({ length: 5_000 }, () => '\ud800 b\u0000'),
    },
    screenshot: Buffer.concat([PICTURE, Buffer.alloc(2 * 1024 * 1024)]),
  })
  platform
    .room('large')
    .emit(
      ...flood,
      { kind: 'evidence', evidence: evidence({ screenshot: html }) },
      { kind: 'evidence', evidence: evidence({ screenshot: null }) },
      { kind: 'evidence', evidence: huge },
      { kind: 'over', because: 'blocked_by_platform' },
    )
  const id = await program.start('stage://large')
  await program.waitForStatus(id)
  const pieces = await list(id)
  assert.deepEqual(
    pieces.map(({ number, screenshot }) => [number, screenshot !== null]),
    [7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map((number) => [number, number < 14]),
  )
  const last = pieces.at(-1)
  assert.ok(last)
  assert.deepEqual([last.state.length, last.marks.length, last.marks[0]?.length], [300, 30, 300])
  const { address, headings, buttons } = last.survey
  assert.deepEqual([address, headings.length, buttons.length], ['', 50, 100])
  assert.deepEqual([headings[0]?.length, buttons[0]], [300, 'b'])
})

test('evidence that arrives after the bot has decided to leave is stored', async () => {
  const platform: Platform = {
    ...createScriptedPlatform(),
    async *attend(_request, signal) {
      yield { kind: 'lobby' }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      yield { kind: 'evidence', evidence: evidence({ state: 'lobby' }) }
      throw new Error('the bot must not read further events')
    },
  }
  const service = await startService({}, { platforms: [platform] })
  await using _ = service
  const program = await openMeetingsClient(service)
  const id = await program.start('stage://one', { leave: { lobbyTimeout: 1 } })
  const meeting = await program.waitForStatus(id)
  assert.partialDeepStrictEqual(meeting, { reason: 'lobby_timeout', evidenceCount: 1 })
})

test('expired evidence is deleted, and its meeting remains', async () => {
  const { service, platform, program, list } = sharedStage()
  platform
    .room('expired')
    .emit({ kind: 'evidence', evidence: evidence() }, { kind: 'over', because: 'captcha' })
  const id = await program.start('stage://expired')
  await program.waitForStatus(id)
  const database = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  await deleteExpiredEvidence(database.db, later(6), 7)
  assert.equal((await list(id)).length, 1)
  await deleteExpiredEvidence(database.db, later(8), 7)
  await database.close()
  assert.deepEqual(await list(id), [])
  assert.equal((await program.get(`/${id}`)).status, 200)
})

test('page drift adds a warning to its meeting and increases a metric', async () => {
  const { service, platform, program } = sharedStage()
  const drifts = [
    { part: 'leave button', foundBy: 'icon call_end' },
    { part: 'captions', foundBy: null },
  ]
  const back = [{ part: 'captions', foundBy: 'css [role=region]' }]
  platform
    .room('drift')
    .emit(
      { kind: 'admitted' },
      { kind: 'drift', drifts },
      { kind: 'drift', drifts: [] },
      { kind: 'drift', drifts: back },
      { kind: 'over', because: 'host_ended' },
    )
  const id = await program.start('stage://drift')
  const { warnings } = (await program.waitForStatus(id)) as { warnings: Array<{ text: string }> }
  assert.deepEqual(warnings.map(({ text }) => text).toSorted(), [
    'captions: found by css [role=region]',
    'leave button: found by icon call_end',
  ])
  assert.partialDeepStrictEqual(warnings[0], { code: 'page_drift' })
  const metrics = await fetch(`${service.url}/metrics`, { headers: program.key })
  const text = await metrics.text()
  assert.match(text, /hansard_page_drift_total\{platform="google_meet",part="captions"\} 2/)
  assert.match(text, /hansard_page_drift_total\{platform="google_meet",part="leave button"\} 1/)
})

test('a bot that could not identify itself adds a warning to its meeting', async () => {
  const { platform, program } = sharedStage()
  platform
    .room('unidentified')
    .emit(
      { kind: 'unidentified', detail: 'answered 401, invalid_client' },
      { kind: 'admitted' },
      { kind: 'caption problem', code: 'caption_language', detail: 'Translated captions' },
      { kind: 'over', because: 'host_ended' },
    )
  const { warnings } = await program.waitForStatus(await program.start('stage://unidentified'))
  assert.partialDeepStrictEqual(warnings, [
    {
      code: 'unidentified',
      text: 'The bot joined without its identification: answered 401, invalid_client',
    },
    { code: 'caption_language', subject: 'captions', text: 'Translated captions' },
  ])
})

test('text of a page is never logged, even at trace level', async () => {
  const platform = createScriptedPlatform()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const service = await startService({}, { platforms: [platform] }, log)
  await using _ = service
  const program = await openMeetingsClient(service)
  platform
    .room('one')
    .emit(
      { kind: 'drift', drifts: [{ part: 'captions', foundBy: SECRET_WORDS }] },
      { kind: 'evidence', evidence: evidence() },
      { kind: 'over', because: 'denied' },
    )
  const id = await program.start('stage://one')
  await program.waitForStatus(id)
  await program.get(`/${id}/evidence`)
  const logged = lines.join('')
  assert.match(logged, /evidence stored/)
  assert.match(logged, /page drift detected/)
  for (const word of [SECRET_WORDS, 'denied your', 'Return to home', '<script', 'hidden'])
    assert.ok(!logged.includes(word), `${word} in the log`)
})
