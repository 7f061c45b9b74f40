import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import {
  assertPagesAccessible,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { seedMeetingsWithRecaps } from '../support/meetings/seed-recap.ts'
import { eventually } from '../support/time/eventually.ts'

const HOSTILE = '<img src=x onerror="window.__pwned=1">'
const DAY_MS = 86_400_000

let world: AccessWorld
before(async () => {
  world = await startAccessWorld()
})
after(() => world[Symbol.asyncDispose]())

type Person = Awaited<ReturnType<AccessWorld['addUser']>>

const openConsole = async ({ session }: Person) =>
  openConsoleAs(await openSharedBrowser(), { url: world.url, cookie: session['cookie'] ?? '' })

/** Stores a meeting with one decision, and two with three decisions and an action item, one of them of an earlier month. */
async function seedProject(project: string) {
  const now = Date.now()
  await world.plant(project, `word${project}`)
  await seedMeetingsWithRecaps(world.databaseUrl, [
    {
      title: `Old ${project}`,
      project,
      startedAt: new Date(now - 40 * DAY_MS),
      summary: ['It was about prices.'],
      decisions: [{ text: 'The price stays as it is.', speaker: 'Ada Lang' }],
    },
    {
      title: `New ${project}`,
      project,
      startedAt: new Date(now),
      summary: ['It was about the release.'],
      decisions: [
        { text: `We ship on Friday ${HOSTILE}`, speaker: 'Ben Carter' },
        { text: 'No meetings on Mondays.', speaker: null },
      ],
      actions: [{ text: 'Write the release note', owner: 'Ben Carter', dueDate: '2026-12-24' }],
    },
  ])
}

test('decisions of all meetings are listed, filtered by project, week and person, and lead to their lines and back', async () => {
  const ada = await world.addUser()
  await seedProject('alpha')
  await seedProject('beta')
  await using window = await openConsole(ada)
  const { page } = window
  await openPageAndSettle(page, `${world.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor()
  const items = page.getByRole('main').getByRole('listitem')
  await eventually(async () => ((await items.count()) === 8 ? true : null))
  await page.getByLabel('Project').fill('alpha')
  await page.waitForURL(/project=alpha/)
  await eventually(async () => ((await items.count()) === 4 ? true : null))
  await items.filter({ hasText: /^We ship on Friday <img/ }).waitFor()
  await page.getByLabel('Week').selectOption({ label: 'This week' })
  await page.waitForURL(/week=\d{4}-\d\d-\d\d/)
  await eventually(async () => ((await items.count()) === 3 ? true : null))
  await page.getByLabel('Person').fill('carter')
  await eventually(async () => ((await items.count()) === 1 ? true : null))
  const citation = page.getByRole('link', { name: /^Ben Carter: We ship on Friday/ })
  await citation.click()
  await page.waitForURL(/\/meetings\/.+#line-1$/)
  await page.goBack()
  await citation.and(page.locator(':focus')).waitFor()
  await page.getByLabel('Person').fill('nobody')
  await page.getByText('No decisions match these filters').waitFor()
  await page.getByRole('link', { name: 'Show all decisions' }).click()
  await eventually(async () => ((await items.count()) === 8 ? true : null))
  await assertPagesAccessible(window, { decisions: `${world.url}/decisions` })
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(window.pageErrors, [])
})

test('a project shows its decisions and action items, and the list follows what other people change', async () => {
  const [ada, ben] = [await world.addUser(), await world.addUser()]
  await seedProject('gamma')
  await using window = await openConsole(ada)
  await using other = await openConsole(ben)
  const { page } = window
  await openPageAndSettle(page, `${world.url}/projects/gamma`)
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await decisions.getByText('We ship on Friday').waitFor()
  const actions = page.getByRole('region', { name: 'Open action items' })
  await actions.getByRole('checkbox', { name: 'Write the release note' }).waitFor()
  await actions.getByRole('link', { name: /^New gamma: Write/ }).waitFor()
  await assertPagesAccessible(window, { 'project-decisions': `${world.url}/projects/gamma` })
  await decisions.getByRole('link', { name: 'Open the list' }).click()
  await page.waitForURL(/\/decisions\?project=gamma$/)

  await openPageAndSettle(other.page, `${world.url}/decisions?project=gamma`)
  const menu = other.page.getByRole('button', { name: 'Edit or delete “No meetings on Mondays.”' })
  await menu.press('Enter')
  await other.page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await other.page.getByRole('textbox', { name: 'Decision' }).fill('No meetings on Tuesdays.')
  await other.page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('No meetings on Tuesdays.').waitFor()
  await page
    .getByRole('button', { name: 'Edit or delete “No meetings on Tuesdays.”' })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('button', { name: 'Delete statement' }).press('Enter')
  await other.page.getByText('No meetings on Tuesdays.').waitFor({ state: 'detached' })
  assert.deepEqual([...window.pageErrors, ...other.pageErrors], [])
})

test('a reader sees decisions and recaps without anything that changes them', async () => {
  const [owner, reader] = [await world.addUser(), await world.addUser()]
  await seedProject('delta')
  await world.addMember('delta', owner.userId, 'owner')
  await world.setAccess('delta', 'private')
  await world.addMember('delta', reader.userId, 'reader')
  await using window = await openConsole(reader)
  const { page } = window
  await openPageAndSettle(page, `${world.url}/decisions?project=delta`)
  await page.getByText('We ship on Friday').waitFor()
  await page
    .getByRole('button', { name: /^Edit or delete/ })
    .first()
    .waitFor({ state: 'detached' })
  const { body } = await world.call(reader.session, 'GET', '/web/decisions?project=delta')
  const [{ meetingId }] = body['decisions'] as [{ meetingId: string }]
  await visitPage(page, `${world.url}/meetings/${meetingId}`)
  assert.equal(await page.getByRole('button', { name: /^Edit or delete/ }).count(), 0)
  assert.deepEqual(window.pageErrors, [])
})
