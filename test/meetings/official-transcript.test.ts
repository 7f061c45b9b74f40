import { strict as assert } from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { createMeetingEditor } from '../../src/meetings/editing/meeting-editor.ts'
import { rewriteTranscriptDocument } from '../../src/meetings/record/transcript-document.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import { openEditing, type Edit } from './open-editing.ts'

// Only the test and official transcripts change documents here.
const opened = openForFile(() => openEditing({ hasRecaps: false }))

const START = Date.parse('2026-11-16T09:00:00.000Z')
const at = (seconds: number) => new Date(START + seconds * 1_000)

type Line = { segmentNumber: number; speaker: string; text: string; source: string }

/**
 * A meeting from 0 to 300 s whose bot was admitted after 60 s and recorded a line every 20 s, except from 150 s to 200 s;
 * from 240 s to 260 s a participant paused it.
 */
async function attendMeeting(changes: { project?: string } = {}) {
  const { program, db, data } = opened()
  const { project = 'official' } = changes
  const id = await program.start('practice://host-ends?speed=1000', {
    project,
    events: ['meeting_status', 'transcript_changed'],
  })
  await program.waitForStatus(id)
  await sql`update meeting set started_at = ${at(0)}, live_at = ${at(60)}, ended_at = ${at(300)}, segment_count = 8
    where id = ${id}`.execute(db)
  await sql`delete from segment where meeting_id = ${id}`.execute(db)
  await sql`delete from participant where meeting_id = ${id}`.execute(db)
  await sql`delete from transcript_gap where meeting_id = ${id}`.execute(db)
  const seconds = [70, 90, 110, 130, 210, 230, 270, 290]
  for (const [i, second] of seconds.entries())
    await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
      values (${id}, ${i + 1}, 'c', 'Ada', ${`Captioned at ${second}.`}, ${at(second)}, 'captioned')`.execute(
      db,
    )
  await sql`insert into participant (meeting_id, id, name, joined_at, left_at)
    values (${id}, 'a', 'Ada', ${at(60)}, ${at(300)})`.execute(db)
  await sql`insert into transcript_gap (meeting_id, number, cause, started_at, ended_at, after_segment, is_reported)
    values (${id}, 1, 'captions_lost', ${at(150)}, ${at(200)}, 4, true),
      (${id}, 2, 'paused', ${at(240)}, ${at(260)}, 6, true)`.execute(db)
  const files = createFolderDocuments(data.path)
  const size = await rewriteTranscriptDocument(db, files, id, null)
  await sql`update meeting set document_size = ${size} where id = ${id}`.execute(db)
  const editor = createMeetingEditor({
    db,
    clock: systemClock,
    log: createLog('silent'),
    files,
    documentChanged: () => Promise.resolve(),
    onEdited: () => undefined,
    publishLateEvents: () => undefined,
  })
  const document = async () => {
    const { body } = await program.get(`/${id}`)
    const { documentPath } = body['meeting'] as { documentPath: string }
    return join(data.path, documentPath)
  }
  return {
    id,
    /** An official line every 10 s. */
    addOfficial: (mode: 'keep' | 'fill' | 'replace', from = -20, until = 310) =>
      editor.addOfficialTranscript(
        {
          viewer: { kind: 'service', projects: [project] },
          author: { actor: 'connection', name: 'Microsoft Teams' },
          beforeCommit: () => Promise.resolve(),
        },
        id,
        {
          mode,
          part: { fromMs: at(from).getTime(), untilMs: at(until).getTime(), source: 'Teams' },
          lines: Array.from({ length: Math.ceil((until - from) / 10) }, (_, i) => ({
            speaker: i % 2 === 0 ? 'Ada' : 'Grace',
            text: `Official at ${from + i * 10}.`,
            atMs: at(from + i * 10).getTime(),
            words: "'official':1",
          })),
        },
        () => Promise.resolve(),
      ),
    lines: async () => (await program.get(`/${id}/transcript`)).body['segments'] as Line[],
    texts: async () =>
      ((await program.get(`/${id}/transcript`)).body['segments'] as Line[]).map(({ text }) =>
        text.replace('Captioned at ', 'c').replace('Official at ', 'o').replace('.', ''),
      ),
    detail: async () => (await program.get(`/${id}`)).body['meeting'] as Record<string, unknown>,
    edits: async () => (await program.get(`/${id}/edits`)).body['edits'] as Edit[],
    path: document,
    document: async () => readFileSync(await document(), 'utf8'),
    patch: (body: object) => program.ask('PATCH', `/meetings/${id}`, body),
    undo: (n: number) => program.post(`/${id}/edits/${n}/undo`, {}),
  }
}

const BOT = ['c70', 'c90', 'c110', 'c130', 'c210', 'c230', 'c270', 'c290']
const FILLED =
  'o-20 o-10 o0 o10 o20 o30 o40 o50 c70 c90 c110 c130 o150 o160 o170 o180 o190 c210 c230 c270 c290'.split(
    ' ',
  )

test('an official transcript fills what the bot missed, and an undo brings everything back', async () => {
  const meeting = await attendMeeting()
  const before = { document: await meeting.document(), detail: await meeting.detail() }
  await meeting.addOfficial('fill')
  assert.deepEqual(await meeting.texts(), FILLED)
  const detail = await meeting.detail()
  assert.equal(detail['officialTranscript'], 'fill')
  assert.equal(detail['segmentCount'], FILLED.length)
  // The meeting began before the bot was asked to join.
  assert.equal(detail['startedAt'], at(-20).toISOString())
  assert.deepEqual(
    (detail['participants'] as Array<{ name: string }>).map(({ name }) => name).toSorted(),
    ['Ada', 'Grace'],
  )
  const document = await meeting.document()
  assert.match(document, /\*\*Grace\*\* 00:00:10 Official at -10\./)
  assert.doesNotMatch(document, /captions were lost/)
  assert.match(document, /paused by a participant/)
  const [edit] = await meeting.edits()
  assert.partialDeepStrictEqual(edit, {
    kind: 'lines',
    from: 'keep',
    to: 'fill',
    by: 'Microsoft Teams',
    canUndo: true,
  })
  assert.equal((await meeting.undo(edit?.editNumber ?? 0)).status, 200)
  assert.deepEqual(await meeting.texts(), BOT)
  assert.equal(await meeting.document(), before.document)
  const { editCount: _, talkTime: __, ...now } = await meeting.detail()
  assert.partialDeepStrictEqual(
    { ...now, officialTranscript: null },
    {
      startedAt: before.detail['startedAt'],
      endedAt: before.detail['endedAt'],
      participants: before.detail['participants'],
      segmentCount: 8,
    },
  )
})

test('official lines replace those of the time that they cover, but not what a participant paused', async () => {
  const meeting = await attendMeeting()
  const { program } = opened()
  const ids = await Promise.all(
    [2, 7].map(async (segmentNumber) => {
      const note = { segmentNumber, text: `On ${segmentNumber}` }
      const { body } = await program.post(`/${meeting.id}/comments`, note)
      return String((body['comment'] as { id?: string } | undefined)?.id ?? body['commentId'])
    }),
  )
  assert.equal(ids.length, 2)
  await meeting.addOfficial('replace', 80, 265)
  const texts = await meeting.texts()
  assert.deepEqual(texts.slice(0, 4), ['c70', 'o80', 'o90', 'o100'])
  assert.deepEqual(texts.slice(-4), ['o230', 'o260', 'c270', 'c290'])
  const comments = async () =>
    (await program.get(`/${meeting.id}/comments`)).body['comments'] as Array<{
      segmentNumber: number
      text: string
    }>
  const lineOf = async (number: number | undefined) =>
    (await meeting.lines()).find(({ segmentNumber }) => segmentNumber === number)?.text
  const shown = await comments()
  assert.equal(
    await lineOf(shown.find(({ text }) => text === 'On 2')?.segmentNumber),
    'Official at 90.',
  )
  assert.equal(
    await lineOf(shown.find(({ text }) => text === 'On 7')?.segmentNumber),
    'Captioned at 270.',
  )
  const found = await eventually(async () => {
    const { body } = await program.ask('GET', `/search?q=official&project=official&kind=segment`)
    const results = body['results'] as Array<{ meetingId: string }>
    return results.some(({ meetingId }) => meetingId === meeting.id) ? results : null
  })
  assert.ok(found.length > 0)
  assert.equal((await meeting.patch({ officialTranscript: 'keep' })).status, 200)
  assert.deepEqual(await meeting.texts(), BOT)
  assert.deepEqual(
    (await comments()).map(({ segmentNumber }) => segmentNumber),
    [2, 7],
  )
})

test('a later part of the transcript is used like the first one, and can be undone alone', async () => {
  const meeting = await attendMeeting()
  await meeting.addOfficial('fill', 0, 50)
  await meeting.addOfficial('replace', 150, 220)
  const both = await meeting.texts()
  assert.deepEqual(both.slice(0, 6), ['o0', 'o10', 'o20', 'o30', 'o40', 'c70'])
  assert.ok(both.includes('o150'))
  // The project chose `fill` when the first part came.
  assert.ok(both.includes('c210'))
  const [second] = await meeting.edits()
  assert.partialDeepStrictEqual(second, { from: 'fill', to: 'fill 2' })
  await meeting.undo(second?.editNumber ?? 0)
  assert.equal((await meeting.texts()).includes('o150'), false)
  assert.equal((await meeting.texts()).includes('o40'), true)
})

test('an official transcript that is kept aside changes nothing until a person uses it', async () => {
  const meeting = await attendMeeting()
  await meeting.addOfficial('keep')
  assert.deepEqual(await meeting.texts(), BOT)
  assert.deepEqual(await meeting.edits(), [])
  assert.equal((await meeting.detail())['officialTranscript'], 'keep')
  // A name given in the meantime holds for the lines that come later.
  await opened().program.post(`/${meeting.id}/speakers/rename`, { from: 'Ada', to: 'Ada Lovelace' })
  assert.equal((await meeting.patch({ officialTranscript: 'fill' })).status, 200)
  assert.deepEqual(await meeting.texts(), FILLED)
  const speakers = new Set((await meeting.lines()).map(({ speaker }) => speaker))
  assert.deepEqual([...speakers].toSorted(), ['Ada Lovelace', 'Grace'])
  const other = await attendMeeting()
  const refused = await other.patch({ officialTranscript: 'fill' })
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /no official transcript/)
})

test('a document that a person changed keeps their text', async () => {
  const meeting = await attendMeeting()
  const path = await meeting.path()
  writeFileSync(path, readFileSync(path, 'utf8').replace('Captioned at 90.', 'What I meant.'))
  await meeting.addOfficial('replace')
  assert.match(await meeting.document(), /What I meant\./)
  assert.ok((await meeting.texts()).includes('o90'))
})

test('only subscribers who ask for it hear that the lines changed, after the final status', async () => {
  const meeting = await attendMeeting()
  await meeting.addOfficial('fill')
  const events = await opened().program.events(meeting.id)
  const { type, payload } = events.at(-1) ?? {}
  assert.equal(type, 'transcript_changed')
  assert.partialDeepStrictEqual(payload, {
    officialTranscript: 'fill',
    segmentCount: FILLED.length,
  })
})
