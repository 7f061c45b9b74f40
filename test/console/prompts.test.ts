import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { chooseOption } from '../support/browser/keyboard.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { startTaskService } from '../support/tasks/task-service.ts'

const PROMPTS = {
  digest:
    '---\nbuiltin: digest\ndescription: Summary of the day.\ntools: []\n---\nToday is {{ date }}.',
  'needs-model': '---\ndescription: Asks a model.\n---\nAsk about {{ meeting.title }}.',
}

let tasks: Awaited<ReturnType<typeof startTaskService>>
let ada: HttpClient
before(async () => {
  tasks = await startTaskService(PROMPTS)
  ada = tasks.service.anonymousClient()
  await ada.post('/web/sign-in', ADMIN)
  await ada.post('/web/meetings/import', { content: 'Ada: We ship on Friday.', title: 'Planning' })
})
after(() => tasks[Symbol.asyncDispose]())

/** The window of all tests. */
const consoleWindow = openForFile(async () => openConsoleAs(await openSharedBrowser(), ada))

test('the gallery shows every prompt with what it needs, and leads to System where no model is set up', async () => {
  await ada.post('/web/tasks', { name: 'asks', promptName: 'needs-model' })
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/prompts`)
  const card = page.getByRole('listitem').filter({ hasText: 'Asks a model.' })
  await card.getByText('Needs a model').waitFor()
  await page.getByRole('note').getByText('no language model is set up for them').waitFor()
  await card.getByText('Details').click()
  await card.getByText('Needed', { exact: true }).waitFor()
  await card.getByRole('link', { name: 'asks' }).waitFor()
  await assertAccessible(page, '/prompts')
  await assertFitsPhone(page, '/prompts')
  await card.getByRole('link', { name: 'asks' }).click()
  await page.getByText('The prompt of this task needs a language model').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Run now' }).count(), 0)
  await page.getByRole('link', { name: 'Set up a model' }).click()
  await page.getByRole('heading', { name: 'Language models' }).waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a prompt is written with a preview and problems, saved, and scheduled, by keyboard alone', async () => {
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Prompts' }).waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('team/ship')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('---\nbuiltin: stats\n---\nHello {{ metting.title }}')
  await page.getByRole('button', { name: /There is no variable metting/ }).focus()
  await page.keyboard.press('Enter')
  const selected = `(() => { const area = document.activeElement
    return area.value.slice(area.selectionStart, area.selectionEnd) })()`
  assert.equal(await page.evaluate(selected), 'Hello {{ metting.title }}')
  await page.keyboard.insertText('Hello {{ meeting.title }}')
  await page.getByLabel('Preview', { exact: true }).getByText('Hello Planning').waitFor()
  await page.getByText('Add a description').waitFor()
  await assertFitsPhone(page, '/new-prompt')
  await page.getByRole('button', { name: 'Save and use in a task' }).focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog')
  await form.getByLabel('Task name').and(page.locator(':focus')).waitFor()
  assert.equal(await form.getByLabel('Task name').inputValue(), 'team-ship')
  await form.getByLabel('Prompt').waitFor()
  assert.equal(await form.getByLabel('Prompt').inputValue(), 'team/ship')
  await chooseOption(form.getByLabel('Frequency'), 'Every Monday at 09:00')
  await form.getByLabel('Task name').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/tasks\/team-ship$/)
  const { body } = await ada.get('/web/tasks/team-ship')
  assert.partialDeepStrictEqual(body['task'], { cronExpression: '0 9 * * 1' })
  assert.equal(
    tasks.data.read('scheduled-prompts/team/ship.md'),
    '---\nbuiltin: stats\n---\nHello {{ meeting.title }}',
  )
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a conflict shows the difference of both texts, and a prompt in use is not deleted', async () => {
  await ada.post('/web/tasks', { name: 'daily', promptName: 'digest' })
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/prompts/digest`)
  await page.getByLabel('Text').fill(`${PROMPTS.digest}\nMine.`)
  tasks.data.writePrompt('digest', `${PROMPTS.digest}\nTheirs.`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const difference = page.getByRole('region', { name: 'Differences' })
  await difference.locator('del').getByText('Theirs.').waitFor()
  await difference.locator('ins').getByText('Mine.').waitFor()
  await assertAccessible(page, '/prompts with a conflict')
  await page.getByRole('button', { name: 'Overwrite with my version' }).click()
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.equal(tasks.data.read('scheduled-prompts/digest.md'), `${PROMPTS.digest}\nMine.`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: '“digest” is in use' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'Copy of digest' }).waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'digest-copy')
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a prompt that someone else changed meanwhile is not deleted, but compared; a trial opens its run', async () => {
  tasks.data.writePrompt('unused', PROMPTS.digest)
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/prompts/unused`)
  tasks.data.writePrompt('unused', `${PROMPTS.digest}\nTheirs.`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete prompt' }).click()
  await page.getByText('Someone else changed this prompt').waitFor()
  assert.match(tasks.data.read('scheduled-prompts/unused.md'), /Theirs/)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.waitForURL(/\/runs\/execution_/)
  await openPageAndSettle(page, `${tasks.service.url}/prompts/unused`)
  await page.getByText('Used by no task yet').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete prompt' }).click()
  await page.waitForURL(/\/prompts$/)
  assert.deepEqual(consoleWindow().pageErrors, [])
})
