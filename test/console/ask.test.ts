import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openAskService } from '../ask/ask-service.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  assertPagesAccessible,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { openForFile } from '../support/open-for-file.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { eventually } from '../support/time/eventually.ts'
import { openModelServer, type ModelServerReply } from '../support/tasks/model-server.ts'

const HOSTILE = '<img src=x onerror="window.__pwned=1">'
const PUMP = {
  name: 'pump',
  title: `Pump ${HOSTILE}`,
  lines: [
    { speaker: 'Ana Ribeiro', text: 'The walrus pump is broken since Monday.' },
    { speaker: HOSTILE, text: `A new pump costs nine hundred euros ${HOSTILE}` },
    { speaker: 'Ana Ribeiro', text: `${'Donaudampfschifffahrt'.repeat(8)} has one.` },
  ],
}
const QUESTION = 'What does the walrus pump cost?'

let browser: Browser
before(async () => {
  browser = await openSharedBrowser()
})

let reply: ModelServerReply
const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await openModelServer(() => reply))
  const service = stack.use(await openAskService(server.url))
  const meetingId = await service.addMeeting(PUMP)
  const consoleWindow = stack.use(await openConsoleAs(browser, service.program.admin))
  const moved = stack.move()
  const dispose = () => moved.disposeAsync()
  return { ...service, server, meetingId, consoleWindow, [Symbol.asyncDispose]: dispose }
})

test('an answer appears sentence by sentence, and its citations lead to the lines', async () => {
  const second = Promise.withResolvers<void>()
  let words = 0
  reply = {
    words: ['The pump is broken [1]. It ', `costs 900 euros ${HOSTILE} [2].`],
    beforeEachWord: async () => (words++ === 1 ? second.promise : undefined),
  }
  const { service, server, meetingId, consoleWindow } = opened()
  const { url } = service
  const { page } = consoleWindow
  await openPageAndSettle(page, `${url}/search`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill(QUESTION)
  await page.getByRole('option', { name: `Ask: ${QUESTION}` }).click()
  await page.waitForURL(/\/ask\?q=/)
  const answer = page.getByRole('region', { name: QUESTION })
  await answer.getByText('The pump is broken.').waitFor()
  assert.equal(await answer.getByText('It costs').count(), 0)
  second.resolve()
  await answer.getByText(`It costs 900 euros ${HOSTILE}`).waitFor()
  await answer.getByText('Written by openai-compatible/m from 2 lines').waitFor()
  await assertAccessible(page, 'ask')
  await assertFitsPhone(page, 'ask')
  await answer.getByRole('link', { name: `2: ${HOSTILE}` }).click()
  await page.waitForURL(new RegExp(`/meetings/${meetingId}#line-2$`))
  await page.locator('#line-2.target').waitFor()
  await page.goBack()
  await answer.getByText('The pump is broken.').waitFor()
  assert.equal(server.requests.length, 1)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await eventually(() => (server.requests.length === 2 ? true : null))
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('a question on the page of a meeting or project is about it, and a missing answer says so', async () => {
  reply = { words: ['The pump is broken [1].'] }
  const { service, server, meetingId, consoleWindow, addMeeting, put } = opened()
  await addMeeting({ ...PUMP, name: 'other', title: 'Other' })
  const { url } = service
  const requestsBefore = server.requests.length
  const { page } = consoleWindow
  await visitPage(page, `${url}/meetings/${meetingId}`)
  await page.getByLabel('Ask about this meeting').fill(QUESTION)
  await page.keyboard.press('Enter')
  const answer = page.getByRole('region', { name: QUESTION })
  await answer.getByRole('link', { name: '1: Ana Ribeiro' }).click()
  await page.locator('#line-1.target').waitFor()
  await answer.getByText('Written by').waitFor()
  assert.doesNotMatch(JSON.stringify(server.requests[requestsBefore]?.body), /Other/)
  await assertAccessible(page, 'ask-meeting')
  await assertFitsPhone(page, 'ask-meeting')
  // No answer has a line of this meeting, so the recap by rules remains.
  await page.getByRole('button', { name: 'Make the recap' }).click()
  await page.getByText('The language model could not make this recap').waitFor()
  await saveScreenshots(page, 'recap-model-failed')
  reply = { words: ['NOT FOUND'] }
  await put('/projects/bench/documents/pumps.md', 'Pumps need water.')
  await visitPage(page, `${url}/projects/bench`)
  await page.getByLabel('Ask about this project').fill('Who repairs the walrus pump?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('Not found in your meetings.').waitFor()
})

test('without a model the best passages are shown as what they are', async () => {
  await using plain = await openAskService(null)
  await plain.addMeeting(PUMP)
  const { url } = plain.service
  await using consoleWindow = await openConsoleAs(browser, plain.program.admin)
  const { page } = consoleWindow
  let asked = 0
  page.on('request', (request) => void (request.url().endsWith('/web/ask') && (asked += 1)))
  await openPageAndSettle(page, `${url}/ask?q=walrus%20pump&project=nowhere`)
  await page.getByRole('alert').getByText('project', { exact: false }).first().waitFor()
  // As if the user returned from another window. The failed question is not repeated.
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await page.getByLabel('Project').fill('')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('No language model is set up').waitFor()
  await page.getByRole('link', { name: /The walrus pump is broken/ }).waitFor()
  assert.equal(asked, 2)
  await assertPagesAccessible(consoleWindow, {
    'ask-passages': `${url}/ask?q=walrus%20pump`,
    'ask-nothing': `${url}/ask?q=unicorn`,
    'ask-empty': `${url}/ask`,
  })
  await visitPage(page, `${url}/ask?q=unicorn`)
  await page.getByText('Not found in your meetings.').waitFor()
  assert.deepEqual(consoleWindow.pageErrors, [])
})
