import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import { openTestPool } from '../../browser/open-test-pool.ts'
import { openBrowser } from '../../support/browser/open-browser.ts'
import { eventually } from '../../support/time/eventually.ts'
import { createBurstRecognition } from '../sound-call/burst-recognition.ts'
import { openVisit } from './open-visit.ts'
import { openRealGalene } from './real-galene.ts'
import { openSpeakingBrowser } from '../sound-call/speaking-browser.ts'
import { joinInBrowser } from './real-people.ts'
import { findMissingPrograms, speakIntoFile } from '../sound-call/spoken-audio.ts'

/** HANSARD_TEST_GALENE, as the test runner passes it on. */
const PROGRAM = process.env['TEST_GALENE'] ?? ''
const missing = findMissingPrograms()
const noServer = PROGRAM === '' && 'set HANSARD_TEST_GALENE to the program of a Galène server'
const noVoices = missing.length > 0 && `install ${missing.join(' and ')}`

const OPEN = { 'wildcard-user': { password: { type: 'wildcard' }, permissions: 'present' } }
const GROUPS = {
  // The status of a public group says whether it is locked.
  talk: { ...OPEN, public: true, users: { Olga: { password: 'op', permissions: 'op' } } },
  secret: { 'wildcard-user': { password: 'sesame', permissions: 'present' } },
}

test(
  'two people who speak in a group of a real server are heard under their names, through TURN by TCP',
  { skip: noServer || noVoices },
  async () => {
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'hansard-voices-'))
    stack.defer(() => rmSync(folder, { recursive: true }))
    const server = stack.use(await openRealGalene(PROGRAM, GROUPS))
    const pool = stack.use(await openTestPool())
    const speech = createBurstRecognition()
    const visit = stack.use(await openVisit({ host: server.host, pool, speech }))
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
      await joinInBrowser(browser, server.groupUrl('talk'), { name, speaks: true })
    }
    for (const { name } of people) await visit.waitFor('caption', ({ speaker }) => speaker === name)
    const { people: present } = await visit.waitFor('people', (event) => event.people.length === 2)
    assert.deepEqual(present.map(({ name }) => name).toSorted(), ['Ana', 'Ben'])
  },
)

test(
  'an operator of a real server reads the notice, answers, and removes the bot',
  { skip: noServer },
  async () => {
    await using stack = new AsyncDisposableStack()
    const server = stack.use(await openRealGalene(PROGRAM, GROUPS))
    const browser = await openBrowser()
    stack.defer(() => browser.close())
    const page = await joinInBrowser(browser, server.groupUrl('talk'), {
      name: 'Olga',
      password: 'op',
    })
    const outbox = createChatOutbox()
    outbox.add('I take notes.')
    const visit = stack.use(await openVisit({ host: server.host, chat: { outbox, isRead: true } }))
    await visit.waitFor('admitted')
    await page.waitForSelector('text=I take notes.')
    await say(page, 'Welcome')
    const { messages } = await visit.waitFor('chat')
    assert.deepEqual(
      messages.map(({ author, text }) => `${author}: ${text}`),
      ['Olga: Welcome'],
    )
    const { people } = await visit.waitFor('people', (event) => event.people.length === 1)
    assert.deepEqual([people[0]?.name, people[0]?.isHost], ['Olga', true])
    await say(page, '/kick Notes Please leave us')
    const over = await visit.waitFor('over')
    assert.deepEqual([over.because, over.detail?.includes('“Please leave us”')], ['removed', true])
  },
)

test('a real server refuses in the words that the bot knows', { skip: noServer }, async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await openRealGalene(PROGRAM, GROUPS))
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const olga = await joinInBrowser(browser, server.groupUrl('talk'), {
    name: 'Olga',
    password: 'op',
  })
  await say(olga, '/lock Only the board today')
  await eventually(async () => {
    const status = await fetch(`${server.groupUrl('talk')}.status`)
    return ((await status.json()) as { locked?: boolean }).locked === true ? true : null
  })
  const cases = [
    { group: 'talk', because: 'denied', words: 'Only the board today' },
    { group: 'secret', because: 'sign_in_required', words: 'HANSARD_GALENE_PASSWORD' },
    { group: 'secret', password: 'wrong', because: 'denied', words: 'HANSARD_GALENE_PASSWORD' },
    { group: 'nowhere', because: 'meeting_not_found', words: 'no group with this name' },
  ]
  for (const { because, words, ...given } of cases) {
    await using visit = await openVisit({ host: server.host, ...given })
    const over = await visit.waitFor('over')
    assert.equal(over.because, because, JSON.stringify(given))
    assert.ok(over.detail?.includes(words), over.detail)
  }
  await using visit = await openVisit({ host: server.host, group: 'secret', password: 'sesame' })
  await visit.waitFor('admitted')
})

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#input', text)
  await page.press('#input', 'Enter')
}
