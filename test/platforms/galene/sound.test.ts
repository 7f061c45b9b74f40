import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openBrowser } from '../../support/browser/open-browser.ts'
import { createSingleBrowserPool } from '../../support/browser/single-browser-pool.ts'
import { eventually } from '../../support/time/eventually.ts'
import { createBurstRecognition } from '../sound-call/burst-recognition.ts'
import { openFakeGalene, type FakeGalene } from './fake-galene.ts'
import { openVisit } from './open-visit.ts'
import {
  openSpeakerPage,
  SPEAKER_BROWSER_ARGUMENTS,
  type SpeakerPage,
} from '../sound-call/speaker-page.ts'

const user = (id: string, username: string, kind = 'add') => ({ type: 'user', kind, id, username })

/** Offers a stream to the bot and connects both sides, as the server does. */
async function connectSpeaker(
  galene: FakeGalene,
  page: SpeakerPage,
  { id, source, username, hertz }: { id: string; source: string; username: string; hertz: number },
): Promise<void> {
  const candidates: object[] = []
  const sdp = await page.offer(id, hertz, (candidate) => candidates.push(candidate))
  galene.send({ type: 'offer', id, label: 'camera', source, username, sdp })
  const answer = await galene.waitForMessage('answer', { id })
  await page.accept(id, String(answer['sdp']))
  let taken = 0
  const connected = page.waitUntilConnected(id)
  let isConnected = false
  connected.then(
    () => (isConnected = true),
    () => (isConnected = true),
  )
  await eventually(async () => {
    for (const candidate of candidates.splice(0)) galene.send({ type: 'ice', id, candidate })
    const found = galene.received.filter(
      (message) => message.type === 'ice' && message['id'] === id,
    )
    for (const { candidate } of found.slice(taken)) await page.addCandidate(id, candidate as object)
    taken = found.length
    return isConnected ? true : null
  })
  await connected
}

test('each participant is heard on their own, under the name at the end of the utterance', async () => {
  const browser = await openBrowser(SPEAKER_BROWSER_ARGUMENTS)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => browser.close())
  const speech = createBurstRecognition()
  const galene = stack.use(await openFakeGalene())
  const page = stack.use(await openSpeakerPage(browser))
  const visit = stack.use(
    await openVisit({ host: galene.host, pool: createSingleBrowserPool(browser), speech }),
  )
  await visit.waitFor('admitted')
  galene.send(user('a', 'Ana'), user('b', 'Ben'))
  await connectSpeaker(galene, page, { id: 'one', source: 'a', username: 'Ana', hertz: 400 })
  await connectSpeaker(galene, page, { id: 'two', source: 'b', username: 'Ben', hertz: 1_000 })

  await page.setLoud('one', true)
  await page.setLoud('two', true)
  await eventually(() => (speech.countLoudVoices() === 2 ? true : null))
  await page.setLoud('one', false)
  const first = await visit.waitFor('caption', ({ speaker }) => speaker === 'Ana')
  assertPitch(first.text, 400)
  assert.match(first.captionId, /^\w+\/speech-1$/)
  assert.deepEqual([first.isFinal, first.isNewSpeech], [true, true])
  // Ben changes his name while he speaks, and leaves without a pause.
  galene.send(user('b', 'Benjamin', 'change'))
  await visit.waitFor('people', ({ people }) => people.some(({ name }) => name === 'Benjamin'))
  galene.send({ type: 'close', id: 'two' }, user('b', 'Benjamin', 'delete'))
  const second = await visit.waitFor('caption', ({ speaker }) => speaker === 'Benjamin')
  assertPitch(second.text, 1_000)
  assert.equal(visit.events.filter(({ kind }) => kind === 'caption').length, 2)
})

function assertPitch(text: string, expected: number): void {
  const hertz = Number.parseInt(text, 10)
  assert.ok(Math.abs(hertz - expected) < expected / 5, `${text} instead of ${expected} Hz`)
}
