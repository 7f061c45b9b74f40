import { strict as assert } from 'node:assert'
import { posix } from 'node:path'
import { test } from 'node:test'
import type { Participant, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import {
  formatLines,
  linesWithGaps,
  mergeIntoTurns,
  type SpokenLine,
} from '../support/meetings/transcript-lines.ts'
import { startServiceForFile } from '../support/service-for-file.ts'

/** Names and texts that could break storage, documents or callbacks. */
const HOSTILE_TEXTS = [
  '',
  ' \t\n ',
  '\u0000',
  'before\u0000after',
  Array.from({ length: 32 }, (_, i) => `c${String.fromCharCode(i)}`).join(''),
  'esc \u001b[31mred\u001b[0m \u009b31m del \u007f',
  '\ud800',
  'high \ud83d alone',
  '\udc00 low alone',
  'cut \ud83d\ude00'.repeat(30),
  '\u202eright to left\u202c \u200f\u2067marks\u2069',
  'line\u2028paragraph\u2029end\u0085',
  '\ufeffbyte order mark \ufffe \uffff',
  '# heading\n## another',
  '---\nstatus: completed\n---\n',
  '\n---\nmeetingId: "other"\n---\n# x',
  '**bold** __under__ *it* `code` ~~gone~~',
  '```js\nprocess.exit()\n```',
  '> quote\n- list\n1. one\n| a | b |\n|---|---|',
  '[link](javascript:alert(1)) ![x](http://127.0.0.1:9/x.png) <img src=x onerror=alert(1)>',
  '<script>alert(1)</script><!-- comment',
  'key: value # comment',
  '&anchor *alias !!js/function "function(){}"',
  '{"a": [1, 2',
  "it's \"quoted\" \\ and 'so' on",
  'null',
  'true',
  '~',
  '2026-11-15',
  '%00 %2e%2e/ ../../etc/passwd C:\\CON',
  'e\u0301'.repeat(40),
  '\u0301\u0301\u0301 marks without a letter',
  '👨‍👩‍👧‍👦 👍🏽 🇫🇷',
  "'; drop table meeting; --",
  '$1 ${x} {{y}} <%= z %>',
  'x'.repeat(65_536),
  'word '.repeat(2_000),
  '😀'.repeat(2_048),
]

const people: Participant[] = HOSTILE_TEXTS.map((name, i) => ({
  id: `${i} ${name.slice(0, 300)}`,
  name,
}))
const caption = (captionId: string, speaker: string, text: string): PlatformEvent => {
  return { kind: 'caption', captionId, speaker, text, isFinal: true, version: 1 }
}
const OVER = { kind: 'over', because: 'host_ended' } as const
const ARRIVED: PlatformEvent[] = [{ kind: 'lobby' }, { kind: 'admitted' }]
const ANA: PlatformEvent = { kind: 'people', people: [{ id: 'ana', name: 'Ana' }] }

const STAGE = createScriptedPlatform()
const sharedService = startServiceForFile(
  { HANSARD_MAX_BOTS: String(HOSTILE_TEXTS.length) },
  { platforms: [STAGE] },
)

test('with hostile names and texts the meeting still ends, and transcript, document and callbacks agree', async () => {
  const program = await openMeetingsClient(sharedService())
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const room = STAGE.room('hostile')
  room.emit(...ARRIVED, { kind: 'people', people })
  for (const [i, text] of HOSTILE_TEXTS.entries()) {
    room.emit(caption(`plain ${i}`, 'Ana', text))
    room.emit(caption(`${text.slice(0, 400)} ${i}`, text, `${i} was said by ${text}`))
    room.emit({ kind: 'captions lost', detail: text }, { kind: 'captions back' })
  }
  room.emit({ kind: 'people', people: [] }, { kind: 'people', people })
  room.emit({ ...OVER, detail: HOSTILE_TEXTS.slice(0, 20).join(' ') })
  const id = await program.start('stage://hostile', { callbackUrl: receiver.url, title: 'Hostile' })
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'ended',
    reason: 'host_ended',
  })

  const { body } = await program.get(`/${id}/transcript`)
  const segments = body['segments'] as SpokenLine[]
  for (const [i] of HOSTILE_TEXTS.entries()) {
    assert.ok(
      segments.some(({ text }) => text.startsWith(`${i} was said by`)),
      `text number ${i} is in the transcript`,
    )
  }
  const { body: document } = await program.get(`/${id}/document`)
  const text = String(document['text'])
  assert.equal(
    formatLines(parseTranscriptMarkdown(text)),
    formatLines(mergeIntoTurns(linesWithGaps(body as never))),
  )
  assert.partialDeepStrictEqual(findFrontMatter(text)?.fields, {
    meetingId: id,
    status: 'completed',
    segments: segments.length,
  })
  const events = await program.events(id)
  const finals = events.filter(({ type }) => type === 'segment_finalized')
  assert.equal(
    formatLines(finals.map(({ payload }) => payload as SpokenLine)),
    formatLines(segments),
  )
  assert.equal(
    events.filter(({ type }) => type === 'participant_joined').length,
    2 * events.filter(({ type }) => type === 'participant_left').length,
  )
  await program.waitForDelivery(id)
  checkDelivery(receiver.callsFor(id), events)
  assert.deepEqual(receiver.problems, [])
  for (const format of ['md', 'txt', 'srt', 'vtt']) {
    const byQuery = await program.get(`/${id}/transcript?format=${format}&after=1`)
    const byPath = await program.get(`/${id}/transcript/${format}?after=1`)
    assert.deepEqual([byQuery.status, byPath.status], [200, 200])
    assert.equal(byPath.headers.get('content-type'), byQuery.headers.get('content-type'))
    assert.equal(byPath.body['text'], byQuery.body['text'])
  }
})

test('hostile titles and projects cannot place a document outside its folder', async () => {
  // Only texts that could name another folder. The tests of file names try all others.
  const titles = HOSTILE_TEXTS.filter((text) => /[\\/\0]|^.{200}/.test(text)).map((text) =>
    text.slice(0, 200),
  )
  assert.ok(titles.length >= 8)
  const program = await openMeetingsClient(sharedService())
  const ids: string[] = []
  for (const [i, title] of titles.entries()) {
    const { status, body } = await program.post('/start', {
      url: `stage://empty_${i}`,
      callbackUrl: 'http://127.0.0.1:9/',
      title,
    })
    assert.ok(status === 201 || status === 400, `${status} for ${JSON.stringify(title)}`)
    if (status === 400) continue
    const path = String(body['documentPath'])
    assert.equal(posix.dirname(path), 'deployed-md-files/docs/api/meetings')
    assert.equal(posix.normalize(path), path)
    ids.push(String(body['meetingId']))
  }
  await Promise.all(ids.map((meetingId) => program.post('/stop', { meetingId })))
  await Promise.all(
    ids.map(async (id) => {
      await program.waitForStatus(id)
      assert.equal((await program.get(`/${id}/document`)).status, 200)
    }),
  )
  for (const project of ['..', '.', 'a/b', 'a\\b', 'a\u0000', '\ud800', 'x'.repeat(65), ' a', '']) {
    const body = { url: 'stage://empty', callbackUrl: 'http://127.0.0.1:9/', project }
    assert.equal((await program.post('/start', body)).status, 400, JSON.stringify(project))
  }
})

function detailPaths({ body }: { body: Record<string, unknown> }): string[] {
  return (body['details'] as Array<{ path: string }>).map(({ path }) => path)
}

test('one response names all problems of a start: form, link, callback URL and account', async () => {
  const program = await openMeetingsClient(sharedService())
  const callbackUrl = 'http://169.254.169.254/'
  const wrong = { url: 'https://zoom.us/j/1', callbackUrl, account: 'none' }
  const paths = ['url', 'callbackUrl', 'account']
  const badForm = await program.post('/start', { ...wrong, title: '', language: 'English' })
  assert.deepEqual([badForm.status, badForm.body.code], [400, 'invalid_request'])
  assert.deepEqual(detailPaths(badForm), ['title', 'language', ...paths])
  const refused = await program.post('/start', wrong)
  assert.deepEqual([refused.status, refused.body.code], [400, 'unsupported_meeting_url'])
  assert.deepEqual(detailPaths(refused), paths)
  assert.match(String(refused.body['hint']), /^Supported: .*\. GET \/api\/v1\/bot-accounts/)
  assert.deepEqual(detailPaths(await program.post('/start', { account: 'none' })), paths)
  const byUser = await program.admin.post('/web/meetings/start', wrong)
  assert.deepEqual(detailPaths(byUser), ['tokenId', ...paths])
})

test('one response names all problems of a replay and of a new bot account', async () => {
  const program = await openMeetingsClient(sharedService())
  const replay = { from: 0, callbackUrl: 'http://169.254.169.254/' }
  const answer = await program.post('/meeting_1_a/events/replay', replay)
  assert.deepEqual(detailPaths(answer), ['from', 'callbackUrl'])
  const account = { name: '', platform: 'google_meet', state: 'no JSON' }
  const added = await program.admin.post('/web/system/bot-accounts', account)
  assert.deepEqual(detailPaths(added), ['name', 'state'])
})

test('captions before admission and after the end are not in the transcript', async () => {
  const program = await openMeetingsClient(sharedService())
  const room = STAGE.room('early')
  room.emit(caption('a', 'Ana', 'Before the door.'), { kind: 'lobby' })
  room.emit(caption('b', 'Ana', 'In the lobby.'), { kind: 'admitted' }, ANA)
  room.emit(caption('c', 'Ana', 'In the meeting.'), OVER)
  room.emit(caption('d', 'Ana', 'After the end.'), { kind: 'admitted' }, { kind: 'lobby' })
  const id = await program.start('stage://early')
  assert.partialDeepStrictEqual(await program.waitForStatus(id), { status: 'ended' })
  const { body } = await program.get(`/${id}/transcript`)
  assert.deepEqual(
    (body['segments'] as SpokenLine[]).map(({ text }) => text),
    ['In the meeting.'],
  )
  assert.equal(room.countAttendances(), 1)
})

test('segments stay complete and in order when the clock jumps back and forth', async () => {
  let offset = 0
  const clock = { now: () => new Date(Date.now() + offset) }
  const platform = createScriptedPlatform()
  await using service = await startService({}, { platforms: [platform], clock })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.acceptAnyTimestamp()
  const room = platform.room('clock')
  const id = await program.start('stage://clock', { callbackUrl: receiver.url })
  room.emit(...ARRIVED, ANA)
  const hour = 3_600_000
  for (const [i, jump] of [0, -hour, hour / 2, -24 * hour, 30].entries()) {
    offset += jump
    room.emit(caption(`c${i}`, 'Ana', `Sentence number ${i}.`))
    await receiver.waitUntil((calls) =>
      calls.some(({ event }) => JSON.stringify(event.payload).includes(`number ${i}.`)),
    )
  }
  room.emit(OVER)
  assert.partialDeepStrictEqual(await program.waitForStatus(id), { status: 'ended' })
  const { body } = await program.get(`/${id}/transcript`)
  assert.deepEqual(
    (body['segments'] as SpokenLine[]).map(({ text }) => text),
    [0, 1, 2, 3, 4].map((i) => `Sentence number ${i}.`),
  )
  const { body: document } = await program.get(`/${id}/document`)
  assert.equal(parseTranscriptMarkdown(String(document['text'])).length, 1)
})
