import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import { importMeeting, openEditing } from './open-editing.ts'

const opened = openForFile(openEditing)

test('a renamed meeting has its new title everywhere, and the path of its document stays', async () => {
  const { program } = opened()
  const meeting = await importMeeting(opened(), [{ speaker: 'Ada', text: 'The aardvark sleeps.' }])
  await meeting.waitForRecap()
  const before = meeting.document()
  const { status, body } = await meeting.patch({ title: 'Budget *2027*' })
  assert.equal(status, 200)
  assert.equal(body['title'], 'Budget *2027*')
  assert.ok(meeting.path.endsWith(String(body['documentPath'])))

  const document = meeting.document()
  assert.equal(findFrontMatter(document)?.fields['title'], 'Budget *2027*')
  assert.match(document, /\n# Budget \\\*2027\\\*\n/)
  assert.equal(
    document.replace(/title: .*/, '').replace(/\n# .*/, ''),
    before.replace(/title: .*/, '').replace(/\n# .*/, ''),
  )
  assert.equal((await meeting.get('/transcript'))['title'], 'Budget *2027*')
  const { body: found } = await program.ask('GET', '/search?q=aardvark&project=edits')
  assert.partialDeepStrictEqual((found['results'] as object[])[0], { title: 'Budget *2027*' })
  const { body: list } = await program.ask('GET', '/meetings?q=budget')
  assert.partialDeepStrictEqual((list['meetings'] as object[])[0], { meetingId: meeting.id })
  await eventually(async () => {
    // Words of the title and of a line are found together only after the meeting was indexed again.
    const { body: both } = await program.ask('GET', '/search?q=budget%20aardvark&project=edits')
    const results = both['results'] as Array<{ meetingId: string; kind: string }>
    return (
      results.some(({ meetingId, kind }) => meetingId === meeting.id && kind === 'segment') || null
    )
  })

  assert.deepEqual(
    (await meeting.edits()).map(({ editNumber, kind, from, to }) => [editNumber, kind, from, to]),
    [[1, 'title', 'Sync', 'Budget *2027*']],
  )
  const { body: log } = await program.admin.get('/web/audit?action=meeting%20renamed')
  // Admins read the log, but must not learn what is in private projects.
  assert.partialDeepStrictEqual((log['entries'] as object[])[0], {
    object: meeting.id,
    detail: null,
  })
  assert.doesNotMatch(JSON.stringify(log), /Sync|Budget/)
  assert.equal((await meeting.undo(1)).status, 200)
  assert.equal((await meeting.detail()).title, 'Sync')
  assert.equal(meeting.document(), before)
  assert.deepEqual((await meeting.undo(7)).body.code, 'edit_not_found')
})

test('a document that a person changed keeps their text and gets the new names', async () => {
  const meeting = await importMeeting(opened(), [
    { speaker: 'Ada', text: 'First words.' },
    { speaker: 'Speaker 2', text: 'Second words.' },
    { speaker: 'Ada', text: 'Ada says **Speaker 2** twice.' },
  ])
  await meeting.waitForRecap()
  const edited = meeting
    .document()
    .replace('Second words.', 'Second words, corrected by me.')
    .concat('\nMy note about Speaker 2.\n')
  writeFileSync(meeting.path, edited)
  await meeting.rename('Speaker 2', 'Grace Hopper')
  await meeting.patch({ title: 'Renamed' })
  const expected = edited
    .replace('**Speaker 2** 00:00:05', '**Grace Hopper** 00:00:05')
    .replace('  - "Speaker 2"', '  - "Grace Hopper"')
    .replace('title: "Sync"', 'title: "Renamed"')
    .replace('\n# Sync\n', '\n# Renamed\n')
  assert.equal(meeting.document(), expected)
  await meeting.undo(1)
  await meeting.undo(2)
  assert.equal(meeting.document(), edited)
})

test('a document that an earlier version wrote, which escaped more characters, gets the new names', async () => {
  const meeting = await importMeeting(opened(), [
    { speaker: '[Ext] Ana & co', text: 'First words.' },
    { speaker: 'Ben', text: 'Second words.' },
  ])
  await meeting.waitForRecap()
  await meeting.patch({ title: 'R&D weekly' })
  const old = meeting
    .document()
    .replace(/\n# .*\n/, '\n# R\\&D weekly\n')
    .replace(/\n\*\*.*Ana.*\*\* 00:00:00/, '\n**\\[Ext\\] Ana \\& co** 00:00:00')
  assert.match(old, /\n# R\\&D weekly\n/)
  writeFileSync(meeting.path, old)
  await meeting.rename('[Ext] Ana & co', 'Ana')
  await meeting.patch({ title: 'Renamed' })
  assert.match(meeting.document(), /\n# Renamed\n/)
  assert.match(meeting.document(), /\n\*\*Ana\*\* 00:00:00 First words\./)
})

test('a hostile name is cleaned like a name of a platform, and a name of nothing is refused', async () => {
  const meeting = await importMeeting(opened(), [{ speaker: 'Ada', text: 'Hello.' }])
  const cleaned = await meeting.rename('Ada', ' \u202eGr\u0000ace\n**Hopper**\u200b (Guest) ')
  assert.deepEqual(cleaned.body['to'], 'Grace **Hopper**')
  assert.match(meeting.document(), /\n\*\*Grace \\\*\\\*Hopper\\\*\\\*\*\* 00:00:00 Hello\./)
  const long = await meeting.rename('Grace **Hopper**', 'x'.repeat(10_000))
  assert.equal(long.body['to'], 'x'.repeat(200))
  assert.equal((await meeting.rename('x'.repeat(200), '__proto__')).status, 200)
  assert.deepEqual((await meeting.detail()).renamedSpeakers, [
    { platformName: 'Ada', name: '__proto__' },
  ])
  for (const to of ['', ' ', '\u200b\u0000', 'Unknown speaker']) {
    assert.equal((await meeting.rename('__proto__', to)).status, 400, JSON.stringify(to))
  }
  const nobody = await meeting.rename('Ben', 'Grace')
  assert.deepEqual(nobody.body['details'], [
    { path: 'from', message: 'Nobody has this name in the meeting' },
  ])
})

test('a removed meeting reports its edits', async () => {
  const meeting = await importMeeting(opened(), [{ speaker: 'Ada', text: 'Hello.' }])
  await meeting.rename('Ada', 'Grace')
  const { body } = await opened().program.remove(`/${meeting.id}`)
  assert.partialDeepStrictEqual(body['removed'], { edits: 1, segments: 1 })
})

test('a new start moves all times of an import, and its due dates are resolved again', async () => {
  const { program } = opened()
  const meeting = await importMeeting(opened(), [
    { speaker: 'Ada', text: 'Good morning.' },
    { speaker: 'Ben', text: 'I will send the contract to the customer by Friday.' },
  ])
  const before = await meeting.waitForRecap()
  const document = meeting.document()
  const { startedAt: imported } = await meeting.detail()
  const { status } = await meeting.patch({ startedAt: '2026-03-02T09:00:00Z' })
  assert.equal(status, 200)

  const recap = await meeting.waitForRecap(({ madeAt }) => madeAt !== before.madeAt)
  assert.deepEqual(
    recap.actions.map(({ dueDate }) => dueDate),
    ['2026-03-06'],
  )
  const transcript = await meeting.get('/transcript')
  assert.deepEqual(
    (transcript['segments'] as Array<{ timestamp: string }>).map(({ timestamp }) => timestamp),
    ['2026-03-02T09:00:00.000Z', '2026-03-02T09:00:05.000Z'],
  )
  const detail = await meeting.detail()
  assert.equal(detail.startedAt, '2026-03-02T09:00:00.000Z')
  assert.equal(detail.endedAt, '2026-03-02T09:00:09.000Z')
  assert.deepEqual(
    detail.participants.map(({ joinedAt, leftAt }) => [joinedAt, leftAt]),
    [1, 2].map(() => ['2026-03-02T09:00:00.000Z', '2026-03-02T09:00:09.000Z']),
  )
  const fields = findFrontMatter(meeting.document())?.fields
  assert.equal(fields?.['startedAt'], '2026-03-02T09:00:00.000Z')
  assert.equal(fields?.['date'], '2026-03-02T09:00:00.000Z')
  assert.equal(fields?.['endedAt'], '2026-03-02T09:00:09.000Z')

  const [edit] = await meeting.edits()
  assert.partialDeepStrictEqual(edit, { kind: 'start', from: imported, canUndo: true })
  assert.equal((await meeting.undo(1)).status, 200)
  await meeting.waitForRecap(({ madeAt }) => madeAt !== recap.madeAt && madeAt !== before.madeAt)
  assert.equal(meeting.document(), document)
  const { body: log } = await program.admin.get('/web/audit?action=meeting%20start%20changed')
  assert.equal((log['entries'] as object[]).length, 2)
})

test('a start that is refused changes nothing', async () => {
  const meeting = await importMeeting(opened(), [{ speaker: 'Ada', text: 'Good morning.' }])
  const { status, body } = await meeting.patch({ startedAt: '2999-01-01T00:00:00Z', title: 'No' })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /between 1970 and a day from now/)
  assert.equal((await meeting.detail()).title, 'Sync')
})
