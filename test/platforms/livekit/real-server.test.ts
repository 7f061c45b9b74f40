import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import { openTestPool } from '../../browser/open-test-pool.ts'
import { openBrowser } from '../../support/browser/open-browser.ts'
import { createBurstRecognition } from '../sound-call/burst-recognition.ts'
import { openSpeakingBrowser } from '../sound-call/speaking-browser.ts'
import { findMissingPrograms, speakIntoFile } from '../sound-call/spoken-audio.ts'
import { openVisit } from './open-visit.ts'
import { openRealLivekit, TEST_KEY } from './real-livekit.ts'
import { joinInBrowser } from './real-people.ts'

/** HANSARD_TEST_LIVEKIT, as the test runner passes it on. */
const PROGRAM = process.env['TEST_LIVEKIT'] ?? ''
const missing = findMissingPrograms()
const noServer = PROGRAM === '' && 'set HANSARD_TEST_LIVEKIT to the program of a LiveKit server'
const noVoices = missing.length > 0 && `install ${missing.join(' and ')}`

test(
  'people who speak in a room of a real server are heard under their names, by TCP through the egress proxy',
  { skip: noServer || noVoices },
  async () => {
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'hansard-voices-'))
    stack.defer(() => rmSync(folder, { recursive: true }))
    const server = stack.use(await openRealLivekit(PROGRAM))
    const pool = stack.use(await openTestPool())
    const visit = stack.use(
      await openVisit({ host: server.host, pool, speech: createBurstRecognition() }),
    )
    await visit.waitFor('admitted')
    const people = [
      { name: 'Ana', program: 'espeak-ng', text: 'Good morning, the budget is ready.' },
      { name: 'Ben', program: 'flite', text: 'Thank you, we will read it today.' },
    ] as const
    for (const { name, program, text } of people) {
      const file = join(folder, `${name}.wav`)
      speakIntoFile(program, text, { file, silentSeconds: 3 })
      const browser = await openSpeakingBrowser(file)
      stack.defer(() => browser.close())
      await joinInBrowser(browser, { host: server.host, name, speaks: true })
    }
    for (const { name } of people) await visit.waitFor('caption', ({ speaker }) => speaker === name)
    const { people: present } = await visit.waitFor('people', (event) => event.people.length === 2)
    assert.deepEqual(present.map(({ name }) => name).toSorted(), ['Ana', 'Ben'])
    assert.ok(visit.events.every(({ kind }) => kind !== 'captions lost'))
  },
)

test(
  'a person of a real server reads the notice, writes in both forms, and the bot is removed',
  { skip: noServer },
  async () => {
    await using stack = new AsyncDisposableStack()
    const server = stack.use(await openRealLivekit(PROGRAM))
    const browser = await openBrowser()
    stack.defer(() => browser.close())
    const olga = await joinInBrowser(browser, { host: server.host, name: 'Olga' })
    const outbox = createChatOutbox()
    outbox.add('I take notes.')
    const pool = stack.use(await openTestPool())
    const visit = stack.use(
      await openVisit({ host: server.host, pool, chat: { outbox, isRead: true } }),
    )
    await visit.waitFor('admitted')
    await olga.page.waitForFunction(`person.messages.includes('I take notes.')`)
    await olga.page.waitForFunction(`person.names().join() === 'Notes'`)
    await olga.say('Welcome')
    await olga.sayOld('Hello from an older page')
    const said: string[] = []
    for (const text of ['Welcome', 'Hello from an older page']) {
      const { messages } = await visit.waitFor('chat', (event) =>
        event.messages.some((message) => message.text === text),
      )
      said.push(...messages.map(({ author }) => author))
    }
    assert.deepEqual([...new Set(said)], ['Olga'])
    const identity = await olga.page.evaluate(
      '[...person.room.remoteParticipants.values()][0].identity',
    )
    await server.callRoomService('RemoveParticipant', 'talk', { identity })
    const over = await visit.waitFor('over')
    assert.deepEqual([over.because, over.detail], ['removed', 'The bot was removed from the room'])
  },
)

test('a room of a real server that is closed ends the visit', { skip: noServer }, async () => {
  await using server = await openRealLivekit(PROGRAM)
  await using visit = await openVisit({ host: server.host })
  await visit.waitFor('admitted')
  await server.callRoomService('DeleteRoom', 'talk', {})
  assert.equal((await visit.waitFor('over')).because, 'host_ended')
})

test('a bot joins again after a real server was restarted', { skip: noServer }, async () => {
  await using server = await openRealLivekit(PROGRAM)
  await using visit = await openVisit({ host: server.host })
  await visit.waitFor('admitted')
  await server.restart()
  await visit.waitFor('admitted', (event) => visit.events.indexOf(event) > 2)
  await visit.waitFor('call lost')
  await visit.waitFor('captions back')
})

test('a real server refuses a wrong key, and has no room yet', { skip: noServer }, async () => {
  await using server = await openRealLivekit(PROGRAM, { createsRooms: false })
  {
    const key = { ...TEST_KEY, apiSecret: 'y'.repeat(40) }
    await using visit = await openVisit({ host: server.host, key })
    const over = await visit.waitFor('over')
    assert.equal(over.because, 'sign_in_required')
    assert.match(over.detail ?? '', /HANSARD_LIVEKIT_API_KEY/)
  }
  await using visit = await openVisit({ host: server.host, room: 'later' })
  await visit.waitFor('not started')
})
