import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openPageAndSettle,
  visitPage,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import {
  openModelServer,
  type ModelServerReply,
  type ModelServer,
} from '../support/tasks/model-server.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { startTaskService } from '../support/tasks/task-service.ts'

const HOSTILE = '<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>'
const MODEL = 'model: openai-compatible/m\ntools: []'
const PROMPTS = {
  'daily-digest': '---\nbuiltin: digest\ndescription: Summary of the day.\n---\nWrite a digest.',
  recap: `---\n${MODEL}\ndescription: ${JSON.stringify(HOSTILE)}\n---\nSummarize ${HOSTILE}`,
  'needs-model': 'Ask a model.',
  broken: `---\n${JSON.stringify(HOSTILE)}: 1\n---\nNever.`,
}

let model: ModelServer
let tasks: Awaited<ReturnType<typeof startTaskService>>
let ada: HttpClient
/** The next reply of the fake model server. */
let behaviour: ModelServerReply = { words: ['# Recap\n\n', 'All is **well**.'] }

before(async () => {
  model = await openModelServer(() => behaviour)
  tasks = await startTaskService(PROMPTS, {
    HANSARD_AI_BASE_URL: model.url,
    HANSARD_AI_API_KEY: 'none',
  })
  ada = tasks.service.anonymousClient()
  await ada.post('/web/sign-in', ADMIN)
})
after(async () => {
  await tasks[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

/** The window of the tests that change nothing in it but its page. */
const consoleWindow = openForFile(async () => openConsoleAs(await openSharedBrowser(), ada))

const waitForStatus = (page: Page, word: string) =>
  page.getByRole('status').getByText(word).waitFor()

test('a sample task runs from the home page without a language model', async () => {
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/tasks`)
  await page.getByRole('heading', { name: 'recap' }).waitFor()
  await assertAccessible(page, '/tasks without tasks')
  await visitPage(page, `${tasks.service.url}/`)
  await page.getByRole('button', { name: 'Run a sample task' }).click()
  await page.waitForURL(/\/runs\/execution_/)
  await waitForStatus(page, 'Completed')
  await page.getByText('none, no language model was used').waitFor()
  await openPageAndSettle(page, `${tasks.service.url}/`)
  await page.getByText('Run your first task · done').waitFor()
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('the task form previews the schedule, and the created task runs, is edited and deleted', async () => {
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/tasks`)
  await page.getByRole('button', { name: 'New task' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Task name').fill('nightly')
  await form.getByLabel('Prompt').selectOption('broken')
  await form.getByText('This prompt cannot run:').waitFor()
  await form.getByLabel('Cron expression').fill('61 2 * * *')
  await form.getByText('minute: "61" is above 59').waitFor()
  await form.getByLabel('Time zone').fill('Pacific/Chatam')
  await form.getByText('did you mean Pacific/Chatham?').waitFor()
  await form.getByRole('button', { name: 'Create task' }).click()
  await form.getByLabel('Prompt').and(page.locator('[aria-describedby*="error"]')).waitFor()

  await form.getByLabel('Prompt').selectOption('recap')
  await form.getByLabel('Cron expression').fill('50 2 * * *')
  await form.getByLabel('Time zone').fill('Pacific/Chatham')
  await form.getByText('At 02:50, every day').waitFor()
  await form.getByText('minute: "61" is above 59').waitFor({ state: 'detached' })
  await form.getByRole('columnheader', { name: 'Pacific/Chatham' }).waitFor()
  await form.getByRole('columnheader', { name: /^Your time zone \(/ }).waitFor()
  assert.equal(await form.locator('.next-runs tbody tr').count(), 5)
  await form
    .getByRole('note')
    .getByText(/The clocks go/)
    .waitFor()
  await assertAccessible(page, '/tasks with the form')
  await form.getByRole('button', { name: 'Create task' }).click()
  await page.waitForURL(/\/tasks\/nightly$/)
  await page.getByText('No runs yet').waitFor()

  await page.getByRole('button', { name: 'Run now' }).click()
  await page.waitForURL(/\/runs\/execution_/)
  await waitForStatus(page, 'Completed')
  await page.locator('.markdown').getByText('All is well.').waitFor()
  await page.getByText('120 (20 cached)').waitFor()
  const link = page.getByRole('link', { name: /^api\/tasks\/nightly\// })
  assert.match((await link.getAttribute('href')) ?? '', /^\/projects\/api\/tasks\/nightly\/.*\.md$/)
  await page.getByText('Prompt as sent').click()
  await page.getByText(`Summarize ${HOSTILE}`).waitFor()
  assert.equal(await page.evaluate('window.__pwned'), undefined)

  await page.getByRole('link', { name: 'nightly', exact: true }).click()
  await page.getByRole('img', { name: /^Duration of the last 1 run/ }).waitFor()
  await page
    .getByRole('row', { name: /Completed/ })
    .getByText('120 / 30')
    .waitFor()
  await page.getByRole('button', { name: 'Pause schedule' }).click()
  await page.getByText('Schedule paused').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await form.getByLabel('Timeout in seconds').fill('0')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/greater than or equal to 1/).waitFor()
  await form.getByLabel('On demand only').check()
  await form.getByLabel('Timeout in seconds').fill('60')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No schedule. This task runs on demand only.').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete task “nightly”?' })
  await question.getByRole('button', { name: 'Delete task and history' }).click()
  await page.waitForURL(/\/tasks$/)
  assert.equal((await ada.get('/web/tasks/nightly')).status, 404)
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('model output is shown while it streams, runs no script, and the run can be canceled', async (t) => {
  await ada.post('/web/tasks', { name: 'speaks', promptName: 'recap' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = [Promise.resolve(), Promise.resolve(), promise]
  const words = [
    'Good **morning** ',
    `${HOSTILE} [here](javascript:window.__pwned=1)`,
    ' never sent',
  ]
  const usual = behaviour
  t.after(() => {
    behaviour = usual
    resolve()
  })
  behaviour = { words, beforeEachWord: () => hold.shift() ?? promise }
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/tasks/speaks`)
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.waitForURL(/\/runs\/execution_/)
  await page.locator('.markdown strong').getByText('morning').waitFor()
  await page.locator('.markdown').getByText('here').waitFor()
  await waitForStatus(page, 'Running')
  await page.getByRole('progressbar', { name: /timeout/ }).waitFor()
  await assertAccessible(page, '/runs while it runs')
  assert.equal(await page.locator('.markdown img, .markdown script, .markdown [href]').count(), 0)
  await page.getByRole('button', { name: 'Cancel run' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel this run of “speaks”?' })
  await question.getByRole('button', { name: 'Cancel run' }).click()
  await waitForStatus(page, 'Canceled')
  await page.getByRole('note').getByText('This run was canceled.').waitFor()
  await page.locator('.run-steps .run-step-gray').last().getByText('Canceled').waitFor()
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a run whose answer was cut short or has estimated tokens says so', async (t) => {
  await ada.post('/web/tasks', { name: 'stops', promptName: 'recap' })
  const usual = behaviour
  t.after(() => void (behaviour = usual))
  behaviour = { words: ['Half of it'], finishReason: 'length', usage: null }
  const { page } = consoleWindow()
  await openPageAndSettle(page, `${tasks.service.url}/tasks`)
  await page.getByRole('button', { name: 'Run now: stops' }).click()
  await page.waitForURL(/\/runs\/execution_/)
  await waitForStatus(page, 'Incomplete')
  await page.getByRole('note').getByText('This answer is incomplete.').waitFor()
  await page
    .getByText(/^\d+, estimated$/)
    .first()
    .waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('tasks can be created, run and browsed with the keyboard alone', async () => {
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.waitForURL(/\/tasks$/)
  await page.getByRole('button', { name: 'New task' }).waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Prompt').waitFor()
  await page.getByLabel('Task name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('by-keyboard')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/tasks\/by-keyboard$/)
  for (const run of [1, 2]) {
    await visitPage(page, `${tasks.service.url}/tasks/by-keyboard`)
    await page.keyboard.press('r')
    await page.waitForURL(/\/runs\/execution_/)
    await page.getByRole('button', { name: 'Run again' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Previous run' }).count(), run - 1)
  }
  const second = page.url()
  await page.keyboard.press(',')
  await page.getByRole('link', { name: 'Next run' }).waitFor()
  await page.keyboard.press('.')
  await page.waitForURL(second)
})

test('task and run pages have no accessibility violations and fit a phone', async () => {
  await ada.post('/web/tasks', {
    name: 'well',
    promptName: 'recap',
    cronExpression: '50 2 * * 0',
    timezone: 'Pacific/Chatham',
  })
  await ada.post('/web/tasks', { name: 'fails', promptName: 'needs-model' })
  const executionIds: string[] = []
  for (const name of ['well', 'fails']) {
    const { body } = await ada.post(`/web/tasks/${name}/run`)
    executionIds.push(String(body['executionId']))
    await tasks.waitForEnd(name, String(body['executionId']))
  }
  const { page } = consoleWindow()
  const failed = `/runs/${executionIds.at(-1)}`
  for (const path of ['/tasks', '/tasks/well', failed, '/runs/none']) {
    await visitPage(page, `${tasks.service.url}${path}`)
    if (path === failed) {
      await page.getByText('This task needs a language model, and none is set up').waitFor()
      await page.getByRole('link', { name: 'Set up a model' }).waitFor()
      assert.equal(await page.getByRole('note').count(), 1)
      assert.equal(await page.getByRole('heading', { name: 'Output' }).count(), 0)
    }
    if (path === '/tasks/well') await page.getByRole('img', { name: /^Tokens of/ }).waitFor()
    await assertAccessible(page, path)
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
    await assertFitsPhone(page, path)
  }
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('the task form sets a trigger with its conditions, and shows it again', async () => {
  const { page } = consoleWindow()
  await visitPage(page, `${tasks.service.url}/tasks`)
  await page.getByRole('button', { name: 'New task' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Task name').fill('after-sales')
  await form.getByLabel('Prompt').selectOption('recap')
  await form.getByText('Everyone who can sign in will see the task').waitFor()
  await form.getByLabel('Project', { exact: true }).fill('sales')
  await form.getByText('Everyone who can sign in will be able to read the results.').waitFor()
  await form.getByText('Saves to project sales.').waitFor()
  await form.getByLabel('On demand only').check()
  await form.getByLabel('Also run automatically').selectOption('meeting_ended')
  await form.getByLabel('Title contains').fill('Sales*')
  await form.getByLabel('Only in these projects').fill('../x')
  await form.getByLabel('At least this many words').fill('50')
  await form.getByLabel('Google Meet').check()
  await form.getByLabel('Which meetings').selectOption('All')
  await assertAccessible(page, '/tasks with a trigger')
  await assertFitsPhone(page, '/tasks with a trigger')
  await form.getByLabel('Also run automatically').scrollIntoViewIfNeeded()
  await saveScreenshots(page, 'task-trigger')
  await form.getByRole('button', { name: 'Create task' }).click()
  await form
    .getByLabel('Only in these projects')
    .and(page.locator('[aria-describedby*="error"]'))
    .waitFor()
  await saveScreenshots(page, 'task-trigger-error')
  await form.getByLabel('Only in these projects').fill('sales, api')
  await form.getByRole('button', { name: 'Create task' }).click()
  await page.waitForURL(/\/tasks\/after-sales$/)
  await page.getByText('Project sales.').waitFor()
  await page
    .getByText(
      'When a meeting ends: also failed meetings; in sales, api; Google Meet; title “Sales*”; at least 50 words.',
    )
    .waitFor()

  await page.getByRole('button', { name: 'Pause trigger' }).click()
  await page.getByRole('button', { name: 'Resume trigger' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  assert.equal(await form.getByLabel('Title contains').inputValue(), 'Sales*')
  assert.equal(await form.getByLabel('Which meetings').inputValue(), 'ended,error')
  assert.equal(await form.getByLabel('Trigger enabled').isChecked(), false)
  await form.getByLabel('Also run automatically').selectOption('document_saved')
  await form.getByLabel('Path contains').fill('contracts/')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('When a document is saved: path “contracts/”. Paused.').waitFor()
  const { body } = await tasks.ask('GET', '/tasks/after-sales')
  assert.partialDeepStrictEqual(body['task'], {
    enabled: false,
    trigger: { on: 'document_saved', pathPattern: 'contracts/' },
  })
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('the page of a run whose task was deleted shows an error and stops polling', async (t) => {
  await ada.post('/web/tasks', { name: 'leaves', promptName: 'recap' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const usual = behaviour
  t.after(() => {
    behaviour = usual
    resolve()
  })
  behaviour = { words: ['Never sent'], beforeEachWord: () => promise }
  const { page } = consoleWindow()
  await page.clock.install()
  await visitPage(page, `${tasks.service.url}/tasks/leaves`)
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.waitForURL(/\/runs\/execution_/)
  await waitForStatus(page, 'Running')
  await ada.delete('/web/tasks/leaves')
  await page.getByRole('heading', { name: 'Run not found' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Cancel run' }).count(), 0)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.clock.fastForward(60_000)
  await page.evaluate('new Promise((done) => setTimeout(done, 100))')
  assert.deepEqual(
    requested.filter((url) => url.includes('/web/executions/')),
    [],
  )
})
