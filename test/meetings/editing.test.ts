import { strict as assert } from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/parse-markdown.ts'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { fixPropertySeed } from '../support/property-seed.ts'
import { createTaskDataFolder } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

fixPropertySeed()

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const data = stack.use(createTaskDataFolder({}))
  const service = stack.use(await startService({ HANSARD_DATA: data.path, HANSARD_RECAP: 'on' }))
  const program = await openMeetingsClient(service)
  const moved = stack.move()
  return { service, data, program, [Symbol.asyncDispose]: () => moved.disposeAsync() }
})

/** The speakers of an imported transcript: each line has a word of its own. */
const LINES = ['Ada', 'Speaker 2', 'Ada', 'Ben', 'Speaker 2', 'Ben', 'Speaker 4', 'Ada'].map(
  (speaker, i) => ({ speaker, word: `zebra${i}x` }),
)

function toVtt(lines: ReadonlyArray<{ speaker: string; text: string }>): string {
  const time = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.000`
  const cues = lines.map(
    ({ speaker, text }, i) => `${time(i * 5)} --> ${time(i * 5 + 4)}\n<v ${speaker}>${text}</v>`,
  )
  return ['WEBVTT', ...cues, ''].join('\n\n')
}

async function importMeeting(lines: ReadonlyArray<{ speaker: string; text: string }>) {
  const { program, data } = opened()
  const request = { content: toVtt(lines), title: 'Sync', project: 'edits' }
  const { status, body } = await program.post('/import', request)
  assert.equal(status, 201, JSON.stringify(body))
  const id = String(body['meetingId'])
  const path = join(data.path, String(body['documentPath']))
  return {
    id,
    path,
    document: () => readFileSync(path, 'utf8'),
    rename: (from: string, to: string) => program.post(`/${id}/speakers/rename`, { from, to }),
    undo: (editNumber: number) => program.post(`/${id}/edits/${editNumber}/undo`, {}),
    patch: (body: object) => program.ask('PATCH', `/meetings/${id}`, body),
    get: async (part = '') => (await program.get(`/${id}${part}`)).body,
    detail: async () => (await program.get(`/${id}`)).body['meeting'] as MeetingDetail,
    edits: async () => (await program.get(`/${id}/edits`)).body['edits'] as Edit[],
    waitForRecap: (isExpected: (recap: Recap) => boolean = () => true) =>
      eventually(async () => {
        const { status: found, body: recap } = await program.get(`/${id}/recap`)
        const isWritten = found === 200 && recap['documentState'] === 'written'
        return isWritten && isExpected(recap as Recap) ? (recap as Recap) : null
      }),
  }
}

type Edit = { editNumber: number; kind: string; from: string | null; to: string | null; by: string }
type Recap = {
  decisions: Array<{ speaker: string | null; text: string }>
  actions: Array<{ owner: string | null; text: string }>
}
type MeetingDetail = {
  title: string
  editCount: number
  renamedSpeakers: Array<{ platformName: string; name: string }>
  participants: Array<{ name: string }>
  talkTime: Array<{ speaker: string }>
}

/** The speaker of each line by its word, in the turns of a markdown transcript. */
function speakersIn(markdown: string): string[] {
  const turns = parseTranscriptMarkdown(markdown)
  return LINES.map(({ word }) => turns.find(({ text }) => text.includes(word))?.speaker ?? '')
}

test('a renamed meeting has its new title everywhere, and the path of its document stays', async () => {
  const { program } = opened()
  const meeting = await importMeeting([{ speaker: 'Ada', text: 'The aardvark sleeps.' }])
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
    // Words of the title and of a line together are found when the meeting is indexed again.
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
  assert.partialDeepStrictEqual((log['entries'] as object[])[0], { detail: 'Sync → Budget *2027*' })
  assert.equal((await meeting.undo(1)).status, 200)
  assert.equal((await meeting.detail()).title, 'Sync')
  assert.equal(meeting.document(), before)
  assert.deepEqual((await meeting.undo(7)).body.code, 'edit_not_found')
})

test('the recap follows the new name of a speaker, also in the document', async () => {
  const meeting = await importMeeting([
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

test('after random renames, merges and undos, transcript, document, exports, talk time and search agree', async () => {
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
      const meeting = await importMeeting(
        LINES.map(({ speaker, word }) => ({ speaker, text: `This is ${word} here.` })),
      )
      const shown = new Map(LINES.map(({ speaker }) => [speaker, speaker]))
      const edits: Array<{ platformNames: string[]; from: string; to: string }> = []
      const apply = (edit: (typeof edits)[number]) => {
        edits.push(edit)
        for (const name of edit.platformNames) shown.set(name, edit.to)
      }
      for (const next of steps) {
        const current = [...new Set(shown.values())]
        const from = current[next.at % current.length] ?? ''
        if (next.kind === 'rename') {
          assert.equal((await meeting.rename(from, next.to)).status, 200)
          const platformNames = [...shown.keys()].filter((name) => shown.get(name) === from)
          if (from !== next.to) apply({ platformNames, from, to: next.to })
        } else if (edits.length > 0) {
          const index = next.at % edits.length
          assert.equal((await meeting.undo(index + 1)).status, 200)
          const { platformNames, from: to, to: undone } = edits[index] ?? edits[0]!
          apply({ platformNames, from: undone, to })
        }
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
      assert.equal((await meeting.edits()).length, edits.length)
    }),
    { numRuns: 4 },
  )
})

test('a document that a person changed keeps their text and gets the new names', async () => {
  const meeting = await importMeeting([
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

test('a hostile name is cleaned like a name of a platform, and a name of nothing is refused', async () => {
  const meeting = await importMeeting([{ speaker: 'Ada', text: 'Hello.' }])
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
  const meeting = await importMeeting([{ speaker: 'Ada', text: 'Hello.' }])
  await meeting.rename('Ada', 'Grace')
  const { body } = await opened().program.remove(`/${meeting.id}`)
  assert.partialDeepStrictEqual(body['removed'], { edits: 1, segments: 1 })
})
