import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { assertError } from '../support/http/raw-requests.ts'
import { openRecapService, type ApiAction, type ApiRecap, type SpokenLine } from './recap-client.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const opened = openForFile(() => openRecapService())

/** Everything that is stored about a meeting without being counted. */
const listEntries = ({ summary, decisions, actions, openQuestions, topics }: ApiRecap) => [
  summary,
  decisions,
  actions,
  openQuestions,
  topics,
]
const RECAP_HEADING = '\n## Recap\n'

test('a meeting with segments but no words has an empty recap, and its document stays the same', async () => {
  const { seedEndedMeeting, makeRecap, readDocument } = opened()
  const id = await seedEndedMeeting([
    ['Ada', '…'],
    ['', ' ?! '],
    ['Ben', '👍'],
  ])
  const before = await readDocument(id)
  const recap = await makeRecap(id)
  assert.deepEqual(listEntries(recap), [[], [], [], [], []])
  assert.deepEqual(recap.coverage, { segmentsRead: 3, segmentsTotal: 3 })
  assert.deepEqual([recap.error, recap.documentState], [null, 'written'])
  assert.equal(await readDocument(id), before)
})

test('a meeting with one speaker has a complete recap', async () => {
  const { seedEndedMeeting, makeRecap } = opened()
  const recap = await makeRecap(
    await seedEndedMeeting([
      ['Ada Lovelace', 'The migration of the customer database took longer than we planned for.'],
      ['Ada Lovelace', "I'll send the report about the migration by Friday."],
      ['Ada Lovelace', 'We decided to keep the old database until the end of the year.'],
      ['Ada Lovelace', 'Do we know who pays for the second data centre?'],
      ['Ada Lovelace', 'The backups of the old database are stored there.'],
    ]),
  )
  assert.deepEqual(
    recap.actions.map(({ owner, dueDate }) => [owner, dueDate]),
    [['Ada Lovelace', '2020-01-10']],
  )
  assert.deepEqual([recap.decisions.length, recap.topics.length], [1, 1])
  assert.ok(recap.summary.length >= 3)
})

test('a meeting in a language that nobody knows has a summary and topics, and no invented entries', async () => {
  const { seedEndedMeeting, makeRecap, readDocument } = opened()
  const invented = [
    'Zorblat menkiri tovasu felnik arpodem, quistal bremodu nakiva zorblat.',
    'Tovasu felnik menkiri drapelon, viskatu arpodem zorblat hemniku.',
    'Nakiva bremodu quistal tovasu, menkiri felnik drapelon viskatu.',
    'Hemniku zorblat arpodem viskatu felnik, drapelon nakiva menkiri.',
  ]
  const id = await seedEndedMeeting(invented.map((text, i) => [i % 2 ? 'Xa' : 'Yo', text]))
  const recap = await makeRecap(id)
  assert.ok(recap.summary.length > 0 && recap.topics.length === 1)
  assert.deepEqual([recap.actions, recap.decisions, recap.openQuestions], [[], [], []])
  for (const { text, segmentNumbers } of recap.summary) {
    assert.equal(text, invented[(segmentNumbers[0] ?? 0) - 1])
  }
  assert.ok((await readDocument(id)).includes(RECAP_HEADING))
})

const COMMAND_NAMES = [
  '$(rm -rf ~)',
  '--help',
  "'; drop table meeting; --",
  '{{ meeting.id }} {% raw %}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=cmd|" /C calc"!A1',
  '%_\\',
  '__proto__',
  '## Transcript',
]

test('names that look like commands are only names, in the recap, the document and the list of action items', async () => {
  const { seedEndedMeeting, makeRecap, readDocument, program } = opened()
  const lines = COMMAND_NAMES.map((name, i): SpokenLine => [
    name,
    `I'll send report ${i} by Friday.`,
  ])
  const id = await seedEndedMeeting(lines, '# $(title) ](x)')
  const before = await readDocument(id)
  const recap = await makeRecap(id)
  assert.deepEqual(
    recap.actions.map(({ owner }) => owner),
    COMMAND_NAMES,
  )
  const text = await readDocument(id)
  const [start, last] = [text.indexOf(RECAP_HEADING), '\n## Transcript\n']
  // Outside the recap part, every byte is the same.
  assert.equal(text.slice(0, start) + text.slice(text.indexOf(last, start) + last.length), before)
  assert.doesNotMatch(text.slice(start), /[^\\]<script/)
  for (const name of COMMAND_NAMES) {
    const query = `/actions?meetingId=${id}&owner=${encodeURIComponent(name)}`
    const { status, body } = await program.ask('GET', query)
    assert.equal(status, 200)
    const found = body['actions'] as ApiAction[]
    assert.deepEqual(
      found.map(({ owner }) => owner),
      [name],
    )
  }
})

const MANY_SEGMENTS = IS_FULL_SIZE ? 20_000 : 5_000

test('a meeting with thousands of segments has a recap, as data and in its document', async () => {
  const { seedEndedMeeting, makeRecap, readDocument, program } = opened()
  const lines = Array.from({ length: MANY_SEGMENTS }, (_, i): SpokenLine => {
    if (i % (MANY_SEGMENTS / 50) !== 7) return [i % 2 ? 'Ada' : 'Ben', `Okay, number ${i}.`]
    return ['Ada', `Ben will check the invoices of shop ${i} by Wednesday.`]
  })
  const id = await seedEndedMeeting(lines)
  const before = await readDocument(id)
  const recap = await makeRecap(id)
  assert.deepEqual(recap.coverage, {
    segmentsRead: MANY_SEGMENTS,
    segmentsTotal: MANY_SEGMENTS,
  })
  assert.equal(recap.actions.length, 50)
  for (const { owner, segmentNumbers, text } of recap.actions) {
    assert.equal(owner, 'Ben')
    for (const number of segmentNumbers) assert.ok(lines[number - 1]?.[1].includes(text))
  }
  const { body } = await program.ask('GET', `/actions?meetingId=${id}&limit=100`)
  assert.equal((body['actions'] as ApiAction[]).length, 50)
  const text = await readDocument(id)
  assert.equal(recap.documentState, 'written')
  assert.equal(text.split('\n- [ ] ').length, 51)
  const last = '\n## Transcript\n'
  assert.equal(
    text.slice(0, text.indexOf(RECAP_HEADING)) + text.slice(text.indexOf(last) + last.length),
    before,
  )
})

test('the tasks, the decision and the open question of the practice meeting are found, and its answered questions are not', async () => {
  const { runMeeting, waitForRecap, program } = opened()
  const id = await runMeeting()
  const recap = await waitForRecap(id)
  const { body } = await program.get(`/${id}/transcript?limit=1000`)
  const segments = body['segments'] as Array<{ segmentNumber: number; text: string }>
  const numberOf = (words: string) => {
    const found = segments.find(({ text }) => text.includes(words))
    assert.ok(found, words)
    return found.segmentNumber
  }
  const sentence = numberOf('So Ben will fix the search page by Wednesday')
  const assigned = recap.actions.filter(({ segmentNumbers }) => segmentNumbers.includes(sentence))
  assert.deepEqual(assigned.map(({ owner }) => owner ?? 'nobody').toSorted(), [
    'Ben Carter',
    'Chloé Martin',
    'Dev Patel',
  ])
  const weekdays = assigned
    .filter(({ owner }) => owner === 'Ben Carter')
    .map(({ dueDate }) => new Date(`${dueDate}T00:00:00Z`).getUTCDay())
  assert.deepEqual(weekdays, [3])
  assert.ok(recap.decisions.some(({ text }) => text.includes('we ship version 2.4 on Thursday')))
  assert.deepEqual(
    recap.openQuestions.map(({ text }) => text),
    ['Do we know how long the upgrade takes for our biggest customer?'],
  )
})

test('removing a meeting removes its recap, its action items and what search finds of it', async () => {
  const { runMeeting, waitForRecap, program } = opened()
  const id = await runMeeting({ project: 'removed' })
  const { actions } = await waitForRecap(id)
  const find = async () => {
    const { body } = await program.ask('GET', '/search?project=removed&q=customers')
    return (body['results'] as unknown[]).length
  }
  assert.ok((await find()) > 0)
  const { body } = await program.remove(`/${id}`)
  const removed = { documents: 1, recaps: 1, actions: actions.length }
  assert.partialDeepStrictEqual(body['removed'], removed)
  assert.equal(await find(), 0)
  assert.deepEqual((await program.ask('GET', '/actions?project=removed')).body['actions'], [])
  assertError(await program.get(`/${id}/recap`), 404, 'meeting_not_found')
  const { actionId } = actions[0] as ApiAction
  const change = await program.ask('PATCH', `/actions/${actionId}`, { text: 'x' })
  assertError(change, 404, 'action_not_found')
  assertError(await program.ask('POST', `/meetings/${id}/recap`), 404, 'meeting_not_found')
})

test('what a person writes around the recap part stays, and the part is renewed until the person changes it', async () => {
  const { seedEndedMeeting, makeRecap, readDocument, writeDocument, updateAction } = opened()
  const id = await seedEndedMeeting([
    ['Ada', 'We decided to ship the new search page on Friday.'],
    ['Ben', 'I will fix the search page by Wednesday.'],
  ])
  const { actions } = await makeRecap(id)
  const note = 'A note by a person, with an accent: é\n'
  await writeDocument(id, `${(await readDocument(id)).replace('# Seeded', '# My title')}${note}`)
  await updateAction((actions[0] as ApiAction).actionId, { state: 'done' })
  const { documentState } = await makeRecap(id)
  const text = await readDocument(id)
  assert.equal(documentState, 'written')
  assert.ok(text.includes('\n# My title\n') && text.endsWith(note))
  assert.match(text, /- \[x\] \*\*Ben\*\*: I will fix/)
  const edited = text.replace('## Recap\n', '## Recap\n\nMy own words\n')
  await writeDocument(id, edited)
  const last = await makeRecap(id)
  assert.equal(last.documentState, 'edited')
  assert.ok(last.summary.length > 0)
  assert.equal(await readDocument(id), edited)
})
