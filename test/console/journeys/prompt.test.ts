import { strict as assert } from 'node:assert'
import { openConsoleAs, openPageAndSettle } from '../../support/browser/console-pages.ts'
import { chooseOption, pressOn, typeInto } from '../../support/browser/keyboard.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { ADMIN } from '../../support/service/admin-user.ts'
import { startTaskService } from '../../support/tasks/task-service.ts'
import { assertSoundPage, openFromMenu, testJourney } from './journey.ts'

const opened = openForFile(async () => {
  const tasks = await startTaskService({})
  const ada = tasks.service.anonymousClient()
  await ada.post('/web/sign-in', ADMIN)
  await ada.post('/web/meetings/import', { content: 'Ada: We ship on Friday.', title: 'Planning' })
  return { ...tasks, ada }
})

testJourney(
  'prompt',
  'a prompt is written with a preview, and runs every Monday',
  async (browser, look) => {
    const { service, ada } = opened()
    const name = `ship-${look.width}-${look.colorScheme}`
    await using window = await openConsoleAs(browser, ada, look)
    const { page } = window
    await openPageAndSettle(page, `${service.url}/`)
    await openFromMenu(page, 'Prompts')
    await pressOn(page.getByRole('link', { name: 'New prompt' }))
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(name)
    await typeInto(page.getByLabel('Text'), '---\nbuiltin: stats\n---\nAbout {{ meeting.title }}')
    await page.getByLabel('Preview', { exact: true }).getByText('About Planning').waitFor()
    await assertSoundPage(window, 'journey-prompt-editor')
    await pressOn(page.getByRole('button', { name: 'Save and use in a task' }))

    const dialog = page.getByRole('dialog', { name: 'New task' })
    await chooseOption(dialog.getByLabel('Frequency'), 'Every Monday at 09:00')
    await pressOn(dialog.getByRole('button', { name: 'Create task' }))
    await page.waitForURL(`${service.url}/tasks/${name}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const { body } = await ada.get(`/web/tasks/${name}`)
    const { cronExpression, promptName } = body['task'] as Record<string, unknown>
    assert.deepEqual([cronExpression, promptName], ['0 9 * * 1', name])
    await assertSoundPage(window, 'journey-prompt-task')
  },
)
