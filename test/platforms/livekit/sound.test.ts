import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import { textAt, encode, type Field } from '../../../stage/wire/protobuf.ts'
import { openBrowser } from '../../support/browser/open-browser.ts'
import { createSingleBrowserPool } from '../../support/browser/single-browser-pool.ts'
import { eventually } from '../../support/time/eventually.ts'
import { createBurstRecognition } from '../sound-call/burst-recognition.ts'
import {
  openSpeakerPage,
  SPEAKER_BROWSER_ARGUMENTS,
  type SpeakerPage,
} from '../sound-call/speaker-page.ts'
import { BOT_SIGNALS, openFakeLivekit, type FakeLivekit } from './fake-livekit.ts'
import { openVisit } from './open-visit.ts'

const ana = { sid: 'PA_a', identity: 'ana', name: 'Ana', tracks: [{ sid: 'TR_a' }] }
const ben = { sid: 'PA_b', identity: 'ben', name: 'Ben', tracks: [{ sid: 'TR_b' }] }

/** Connects the page of the speakers with the bot, as the server connects both. */
async function connectRoom(
  livekit: FakeLivekit,
  page: SpeakerPage,
  voices: ReadonlyArray<{ stream: string; hertz: number }>,
): Promise<void> {
  const candidates: object[] = []
  const sdp = await page.offerTogether('room', voices, (found) => candidates.push(found))
  livekit.sendOffer(sdp, 7)
  const answer = await livekit.waitForSignal(BOT_SIGNALS.answer)
  await page.accept('room', textAt(answer, 2) ?? '')
  let taken = 0
  const connected = page.waitUntilConnected('room')
  let isConnected = false
  const settle = () => void (isConnected = true)
  connected.then(settle, settle)
  await eventually(async () => {
    for (const candidate of candidates.splice(0)) livekit.sendCandidate(candidate)
    const found = livekit.received.filter(({ field }) => field === BOT_SIGNALS.trickle)
    for (const { body } of found.slice(taken))
      await page.addCandidate('room', JSON.parse(textAt(body, 1) ?? '') as object)
    taken = found.length
    return isConnected ? true : null
  })
  await connected
}

const packet = (field: number, value: readonly Field[], author = 'ana') =>
  encode([
    [4, author],
    [field, value],
  ])

test('participants of one connection are heard under their names, and their messages are read', async () => {
  const browser = await openBrowser(SPEAKER_BROWSER_ARGUMENTS)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => browser.close())
  const speech = createBurstRecognition()
  const livekit = stack.use(await openFakeLivekit())
  const page = stack.use(await openSpeakerPage(browser))
  const visit = stack.use(
    await openVisit({
      host: livekit.host,
      pool: createSingleBrowserPool(browser),
      speech,
      chat: { outbox: createChatOutbox(), isRead: true },
    }),
  )
  await visit.waitFor('admitted')
  livekit.sendMembers(ana, ben)
  await connectRoom(livekit, page, [
    { stream: 'PA_a|microphone', hertz: 400 },
    { stream: 'PA_b|microphone', hertz: 1_000 },
  ])

  await page.setLoud('PA_a|microphone', true)
  await page.setLoud('PA_b|microphone', true)
  await eventually(() => (speech.countLoudVoices() === 2 ? true : null))
  await page.setLoud('PA_a|microphone', false)
  const first = await visit.waitFor('caption', ({ speaker }) => speaker === 'Ana')
  assertPitch(first.text, 400)
  // Ben changes his name while he speaks, and leaves without a pause.
  livekit.sendMembers({ ...ben, name: 'Benjamin' })
  await visit.waitFor('people', ({ people }) => people.some(({ name }) => name === 'Benjamin'))
  livekit.sendMembers({ ...ben, name: 'Benjamin', isGone: true })
  const second = await visit.waitFor('caption', ({ speaker }) => speaker === 'Benjamin')
  assertPitch(second.text, 1_000)

  await page.sendData(
    'room',
    packet(9, [
      [1, 'm1'],
      [4, 'Hello'],
    ]),
  )
  await page.sendData('room', Buffer.from('no protobuf'))
  await page.sendData(
    'room',
    packet(13, [
      [1, 's1'],
      [3, 'lk.chat'],
      [9, []],
    ]),
  )
  await page.sendData(
    'room',
    packet(14, [
      [1, 's1'],
      [2, 0],
      [3, 'Good '],
    ]),
  )
  await page.sendData(
    'room',
    packet(14, [
      [1, 's1'],
      [2, 1],
      [3, 'bye'],
    ]),
  )
  await page.sendData('room', packet(15, [[1, 's1']]))
  await visit.waitFor('chat', ({ messages }) => messages.some(({ text }) => text === 'Good bye'))
  const messages = visit.events.flatMap((event) => (event.kind === 'chat' ? event.messages : []))
  assert.deepEqual(
    messages.map(({ author, text }) => `${author}: ${text}`),
    ['Ana: Hello', 'Ana: Good bye'],
  )
})

function assertPitch(text: string, expected: number): void {
  const hertz = Number.parseInt(text, 10)
  assert.ok(Math.abs(hertz - expected) < expected / 5, `${text} instead of ${expected} Hz`)
}
