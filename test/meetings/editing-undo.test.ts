import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findRecapSection } from '../../src/meetings/record/document-section.ts'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import { openForFile } from '../support/open-for-file.ts'
import { fixPropertySeed } from '../support/property-seed.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'
import { importMeeting, openEditing, type Recap } from './open-editing.ts'

fixPropertySeed()

const opened = openForFile(openEditing)

/** The speakers of an imported transcript. Each line has a unique word. */
const LINES = ['Ada', 'Speaker 2', 'Ada', 'Ben', 'Speaker 2', 'Ben', 'Speaker 4', 'Ada'].map(
  (speaker, i) => ({ speaker, word: `zebra${i}x` }),
)

/** The speaker of each line in a markdown transcript, found by the line's unique word. */
function speakersIn(markdown: string): string[] {
  const turns = parseTranscriptMarkdown(markdown)
  return LINES.map(({ word }) => turns.find(({ text }) => text.includes(word))?.speaker ?? '')
}

test('the recap follows the new name of a speaker, also in the document', async () => {
  const meeting = await importMeeting(opened(), [
    { speaker: 'Ada', text: 'Good morning everybody, let us talk about the launch.' },
    { speaker: 'Speaker 2', text: 'I will send the contract to the customer by Friday.' },
    { speaker: 'Speaker 2', text: 'We decided to launch in March.' },
  ])
  const owners = ({ actions }: Recap) => actions.map(({ owner }) => owner)
  assert.deepEqual(owners(await meeting.waitForRecap()), ['Speaker 2'])
  assert.equal((await meeting.rename('Speaker 2', 'Grace Hopper')).status, 200)
  const recap = await meeting.waitForRecap((now) => owners(now)[0] === 'Grace Hopper')
  assert.deepEqual(
    recap.decisions.map(({ speaker }) => speaker),
    ['Grace Hopper'],
  )
  await eventually(() => (meeting.document().includes('[ ] **Grace Hopper**:') ? true : null))
  assert.doesNotMatch(meeting.document(), /Speaker 2/)
  assert.match(meeting.document(), /\n\*\*Grace Hopper\*\* 00:00:05 I will send/)
  const { body } = await opened().program.ask('GET', '/actions?owner=Grace%20Hopper&project=edits')
  assert.equal((body['actions'] as object[]).length, 1)
})

test('what people added and changed in a recap follows a new name, and an undo restores it exactly', async () => {
  const meeting = await importMeeting(opened(), [
    { speaker: 'Speaker 2', text: 'We decided to launch the new page in March.' },
    { speaker: 'Ben', text: 'I will book the room for the workshop by Monday.' },
  ])
  const { decisions } = await meeting.waitForRecap()
  const [found] = decisions
  assert.ok(found)
  const { program } = opened()
  const items = `/meetings/${meeting.id}/recap/items`
  const text = 'Speaker 2 said: March'
  await program.ask('PATCH', `${items}/${found.id}`, { text })
  for (const [kind, person] of [
    ['decision', { speaker: 'Speaker 2' }],
    ['question', { speaker: 'Ben' }],
    ['action', { owner: 'Speaker 2' }],
  ] as const) {
    const item = { kind, text: `Does Speaker 2 know Speaker 22? ${kind}`, segmentNumbers: [1] }
    assert.equal((await program.ask('POST', items, { ...item, ...person })).status, 201)
  }
  const read = async () => {
    const { body } = await program.ask('GET', `/meetings/${meeting.id}/recap`)
    const { decisions: all, openQuestions, actions } = body as Record<string, object[]>
    return JSON.stringify([all, openQuestions, actions])
  }
  const before = await read()
  assert.equal((await meeting.rename('Speaker 2', 'Grace')).status, 200)
  const renamed = before
    .replaceAll('Speaker 2 said', 'Grace said')
    .replaceAll('Does Speaker 2 know', 'Does Grace know')
    .replaceAll('"Speaker 2"', '"Grace"')
  assert.notEqual(renamed, before)
  assert.equal(await read(), renamed)
  assert.equal((await meeting.undo(1)).status, 200)
  assert.equal(await read(), before)
})

test('an item that was added while a meeting has no recap follows a new name', async () => {
  const { program, db } = opened()
  const meeting = await importMeeting(opened(), [
    { speaker: 'Speaker 2', text: 'We decided to launch the new page in March.' },
  ])
  await meeting.waitForRecap()
  const item = { kind: 'decision', text: 'Speaker 2 pays', segmentNumbers: [1] }
  await program.ask('POST', `/meetings/${meeting.id}/recap/items`, item)
  await db.deleteFrom('recap').where('meeting_id', '=', meeting.id).execute()
  await meeting.rename('Speaker 2', 'Grace')
  const { body } = await program.ask('GET', `/decisions?meetingId=${meeting.id}`)
  assert.partialDeepStrictEqual(body['decisions'], [{ text: 'Grace pays', speaker: 'Grace' }])
})

test('when a recap was made after two speakers became one, the undo makes it again', async () => {
  const meeting = await importMeeting(opened(), [
    { speaker: 'Speaker 2', text: 'I will send the contract to the customer by Friday.' },
    { speaker: 'Ben', text: 'I will book the room for the workshop by Monday.' },
  ])
  const owners = ({ actions }: Recap) => actions.map(({ owner }) => owner)
  assert.deepEqual(owners(await meeting.waitForRecap()), ['Speaker 2', 'Ben'])
  const { madeAt } = await meeting.waitForRecap()
  await meeting.rename('Speaker 2', 'Ben')
  await opened().program.post(`/${meeting.id}/recap`, {})
  const again = await meeting.waitForRecap((recap) => recap.madeAt !== madeAt)
  assert.deepEqual(owners(again), ['Ben', 'Ben'])
  assert.equal((await meeting.undo(1)).status, 200)
  await meeting.waitForRecap((recap) => owners(recap).join() === 'Speaker 2,Ben')
})

/** A recap as a model writes it. The named people are not the speakers, and one item cites another person's line. */
async function storeModelRecap(meetingId: string): Promise<void> {
  const { db } = opened()
  const text = 'Ada asked Speaker 2 and Ben; Speaker 4 agreed.'
  const statement = (speaker: string, number: number) => ({
    text,
    speaker,
    segmentNumbers: [number],
  })
  const { data } = await db
    .selectFrom('recap')
    .select('data')
    .where('meeting_id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const content = {
    ...data,
    summary: [{ text, segmentNumbers: [1] }],
    decisions: [statement('Ada', 1), statement('Speaker 2', 2)],
    openQuestions: [statement('Ben', 4)],
  }
  await db
    .updateTable('recap')
    .set({ method: 'model', data: JSON.stringify(content) })
    .where('meeting_id', '=', meetingId)
    .execute()
  const items = [
    { owner: 'Ada', segment_numbers: [1] },
    { owner: 'Ben', segment_numbers: [1] },
    { owner: 'Speaker 2', segment_numbers: [4, 2] },
    { owner: 'Speaker 4', segment_numbers: [7] },
    { owner: null, segment_numbers: [2] },
  ]
  await db.deleteFrom('action_item').where('meeting_id', '=', meetingId).execute()
  const rows = items.map(({ owner, segment_numbers }, i) => ({
    id: `action_${i}${meetingId}`,
    meeting_id: meetingId,
    number: i + 1,
    text,
    found_text: text,
    owner,
    found_owner: owner,
    segment_numbers,
    source: 'model' as const,
    created_at: new Date(),
  }))
  await db.insertInto('action_item').values(rows).execute()
}

/** All names in the stored recap of a meeting, and its texts. */
async function readNamesInRecap(meetingId: string) {
  const { db } = opened()
  const { data } = await db
    .selectFrom('recap')
    .select('data')
    .where('meeting_id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const items = await db
    .selectFrom('action_item')
    .select(['text', 'found_text', 'owner', 'found_owner'])
    .where('meeting_id', '=', meetingId)
    .orderBy('number')
    .execute()
  const statements = [...(data?.decisions ?? []), ...(data?.openQuestions ?? [])]
  return {
    people: [
      ...statements.map(({ speaker }) => speaker),
      ...items.flatMap(({ owner, found_owner }) => [owner, found_owner]),
    ],
    texts: new Set([
      ...(data?.summary ?? []).map(({ text }) => text),
      ...statements.map(({ text }) => text),
      ...items.flatMap(({ text, found_text }) => [text, found_text]),
    ]),
  }
}

function readDocumentWithoutRecap(document: string): string {
  const section = findRecapSection(document)
  return section === null
    ? document
    : `${document.slice(0, section.start)}${document.slice(section.end)}`
}

async function openEditedMeeting() {
  const { program } = opened()
  const meeting = await importMeeting(
    opened(),
    LINES.map(({ speaker, word }) => ({ speaker, text: `This is ${word} here.` })),
  )
  await meeting.waitForRecap()
  await storeModelRecap(meeting.id)
  const recapBefore = await readNamesInRecap(meeting.id)
  /** Checks that all places show the speakers with these names. */
  const assertShown = async (shown: ReadonlyMap<string, string>) => {
    const expected = LINES.map(({ speaker }) => shown.get(speaker) ?? '')
    const { segments } = (await meeting.get('/transcript')) as {
      segments: Array<{ speaker: string }>
    }
    assert.deepEqual(
      segments.map(({ speaker }) => speaker),
      expected,
    )
    assert.deepEqual(speakersIn(meeting.document()), expected)
    const { body: markdown } = await program.get(`/${meeting.id}/transcript/md`)
    assert.deepEqual(speakersIn(String(markdown['text'])), expected)
    const { talkTime, participants } = await meeting.detail()
    assert.deepEqual(new Set(talkTime.map(({ speaker }) => speaker)), new Set(expected))
    assert.deepEqual(new Set(participants.map(({ name }) => name)), new Set(expected))
    const { people, texts } = await readNamesInRecap(meeting.id)
    assert.deepEqual(
      people,
      recapBefore.people.map((name) => name && shown.get(name)),
    )
    const names = ['Ada', 'Speaker 2', 'Ben', 'Speaker 4'].map((name) => shown.get(name))
    assert.deepEqual(
      [...texts],
      [`${names[0]} asked ${names[1]} and ${names[2]}; ${names[3]} agreed.`],
    )
  }
  return { ...meeting, assertShown }
}

test('after random renames, merges and undos, transcript, document, recap, exports, talk time and search agree', async () => {
  const { program } = opened()
  const names = ['Ada', 'Ben', 'Speaker 2', 'Grace Hopper', 'Željko *x*', 'Q']
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('rename' as const),
      at: fc.nat(),
      to: fc.constantFrom(...names),
    }),
    fc.record({ kind: fc.constant('undo' as const), at: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const meeting = await openEditedMeeting()
      const beginning = readDocumentWithoutRecap(meeting.document())
      let shown: ReadonlyMap<string, string> = new Map(
        LINES.map(({ speaker }) => [speaker, speaker]),
      )
      /** The edits in effect, each with the names before it. */
      const inEffect: Array<{ number: number; before: typeof shown }> = []
      let editCount = 0
      const undoNewest = async () => {
        const newest = inEffect.pop()
        if (newest === undefined) return
        assert.equal((await meeting.undo(newest.number)).status, 200)
        editCount += 1
        shown = newest.before
      }
      for (const next of steps) {
        const current = [...new Set(shown.values())]
        const from = current[next.at % current.length] ?? ''
        if (next.kind === 'rename') {
          assert.equal((await meeting.rename(from, next.to)).status, 200)
          if (from !== next.to) {
            editCount += 1
            inEffect.push({ number: editCount, before: shown })
            shown = new Map([...shown].map(([key, name]) => [key, name === from ? next.to : name]))
          }
        } else if (editCount > 0) {
          const number = (next.at % editCount) + 1
          const isNewest = number === inEffect.at(-1)?.number
          if (!isNewest) assert.equal((await meeting.undo(number)).body.code, 'edit_not_newest')
          await undoNewest()
        }
        await meeting.assertShown(shown)
        assert.deepEqual(
          (await meeting.edits()).filter(({ canUndo }) => canUndo).map((edit) => edit.editNumber),
          inEffect.slice(-1).map(({ number }) => number),
        )
      }
      for (const [i, { speaker, word }] of LINES.entries()) {
        for (const name of names) {
          const query = new URLSearchParams({ q: word, speaker: name, project: 'edits' })
          const { body } = await program.ask('GET', `/search?${query.toString()}`)
          const results = body['results'] as Array<{ meetingId: string; speaker: string }>
          const found = results.filter(({ meetingId }) => meetingId === meeting.id)
          const isShown = shown.get(speaker) === name
          assert.deepEqual(
            found.map((result) => result.speaker),
            isShown ? [name] : [],
            `line ${i} of ${name}`,
          )
        }
        if (i > 2) break
      }
      while (inEffect.length > 0) await undoNewest()
      await meeting.assertShown(new Map(LINES.map(({ speaker }) => [speaker, speaker])))
      assert.equal(readDocumentWithoutRecap(meeting.document()), beginning)
      assert.equal((await meeting.edits()).length, editCount)
    }),
    { numRuns: IS_FULL_SIZE ? 20 : 2 },
  )
})

test('an undo keeps what a person did to the recap since then', async () => {
  const { program } = opened()
  const meeting = await openEditedMeeting()
  await meeting.rename('Speaker 2', 'Ben')
  const { body } = await program.get(`/${meeting.id}/recap`)
  const [ada, ben] = body['actions'] as Array<{ actionId: string }>
  await program.ask('PATCH', `/actions/${ada?.actionId}`, { text: 'My own words.' })
  await program.ask('PATCH', `/actions/${ben?.actionId}`, { owner: 'Zoe' })
  await meeting.undo(1)
  const { people, texts } = await readNamesInRecap(meeting.id)
  assert.deepEqual(people, [
    // Statements, then the current and original owner of each item.
    'Ada',
    'Speaker 2',
    'Ben',
    'Ada',
    'Ada',
    'Zoe',
    'Ben',
    'Speaker 2',
    'Speaker 2',
    'Speaker 4',
    'Speaker 4',
    null,
    null,
  ])
  assert.ok(texts.has('My own words.'))
})
