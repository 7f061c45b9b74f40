import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openConsoleAs, visitPage } from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { createRandomName } from '../support/access/random-name.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const HOSTILE = '<img src=x onerror="window.__pwned=1">'

type Person = Awaited<ReturnType<AccessWorld['addUser']>>

let world: AccessWorld
let [ada, ben]: Person[] = []
before(async () => {
  world = await startAccessWorld()
  ;[ada, ben] = await Promise.all([world.addUser(), world.addUser()])
  for (const [person, name] of [
    [ada, 'Ada Lang'],
    [ben, `Ben ${HOSTILE}`],
  ] as const)
    await world.db.updateTable('app_user').set({ name }).where('id', '=', person.userId).execute()
})
after(() => world[Symbol.asyncDispose]())

const openConsole = async (person: Person | undefined) => {
  assert.ok(person)
  const client = { url: world.url, cookie: person.session['cookie'] ?? '' }
  return openConsoleAs(await openSharedBrowser(), client)
}
/** Ada's window. Each test opens a meeting of its own. */
const consoleWindow = openForFile(() => openConsole(ada))

/** Stores an ended meeting with these lines. Each starts one second after the previous one. */
async function addMeeting(lines: ReadonlyArray<readonly [speaker: string, text: string]>) {
  // A unique word, because each word has one document.
  const { meeting } = await world.plant('sales', createRandomName())
  const start = Date.parse('2026-11-15T08:30:00.000Z')
  const rows = lines.map(([speaker, text], i) => ({
    meeting_id: meeting,
    number: i + 2,
    caption_id: `c${i + 2}`,
    speaker,
    text,
    started_at: new Date(start + (i + 1) * 1000),
    words: null,
  }))
  await world.db.insertInto('segment').values(rows).execute()
  await sql`update segment set started_at = ${new Date(start)}
    where meeting_id = ${meeting} and number = 1`.execute(world.db)
  await world.db
    .updateTable('meeting')
    .set({ segment_count: lines.length + 1 })
    .where('id', '=', meeting)
    .execute()
  return { meeting, url: `${world.url}/meetings/${meeting}` }
}

const LINES = [
  ['Zoe', 'The price of the harbour is twelve million.'],
  ['Max Rey', `That is too much ${HOSTILE}`],
  ['Max Rey', 'Who pays for the bridge?'],
] as const

const readNotes = async (person: Person | undefined, meeting: string) => {
  assert.ok(person)
  const read = async (what: string) => {
    const { body } = await world.call(person.session, 'GET', `/web/meetings/${meeting}/${what}`)
    return body[what] as Array<Record<string, unknown>>
  }
  return { bookmarks: await read('bookmarks'), comments: await read('comments') }
}
const lineOf = (page: Page, number: number) => page.locator(`#line-${number}`)
const assertNothingRan = async (page: Page) =>
  assert.equal(await page.evaluate('window.__pwned'), undefined)

test('a line is bookmarked and commented with the pointer, and other people see the comment at once', async () => {
  const { meeting, url } = await addMeeting(LINES)
  const adaWindow = consoleWindow()
  await using benWindow = await openConsole(ben)
  const [page, other] = [adaWindow.page, benWindow.page]
  for (const one of [page, other]) {
    await visitPage(one, url)
    await lineOf(one, 4).waitFor()
  }
  const line = lineOf(page, 2)
  await line.hover()
  await line.getByRole('button', { name: 'Bookmark' }).click()
  await line.locator('.line-bookmark').waitFor()
  await eventually(async () =>
    (await readNotes(ada, meeting)).bookmarks.length === 1 ? true : null,
  )
  await line.getByRole('button', { name: 'Comment' }).click()
  const field = line.getByRole('textbox', { name: 'Comment' }).and(page.locator(':focus'))
  await field.fill(`First ${HOSTILE}\nsecond`)
  await assertAccessible(page, 'notes-form')
  await line.getByRole('button', { name: 'Comment', exact: true }).last().click()
  await line.getByText('First <img').waitFor()
  await line.locator('.line-time').and(page.locator(':focus')).waitFor()

  const seen = lineOf(other, 2)
  await seen.getByText('First <img').waitFor()
  await seen.getByText('Ada Lang').waitFor()
  assert.equal(await seen.locator('.line-bookmark').count(), 0)
  assert.equal(await seen.getByRole('button', { name: /Edit the comment/ }).count(), 0)
  await seen.hover()
  await seen.getByRole('button', { name: 'Comment', exact: true }).click()
  await seen.getByRole('textbox').fill('I agree')
  await other.keyboard.press('Control+Enter')
  await line.getByText('I agree').waitFor()
  await line.getByText('Ben <img').waitFor()

  await line.getByRole('button', { name: 'Edit the comment of Ada Lang' }).click()
  await line.getByRole('textbox', { name: 'Edit comment' }).fill('Only one line')
  await line.getByRole('button', { name: 'Save' }).click()
  await seen.getByText('Only one line').waitFor()
  await seen.getByText('edited').waitFor()
  const focused = page.locator(':focus')
  const edit = line.getByRole('button', { name: 'Edit the comment of Ada Lang' })
  await edit.and(focused).waitFor()
  await edit.press('Enter')
  await line.getByRole('textbox', { name: 'Edit comment' }).press('Escape')
  await edit.and(focused).waitFor()
  await assertAccessible(page, 'notes-comments')
  await assertFitsPhone(page, 'notes-comments')

  await page.getByRole('tab', { name: 'Notes' }).click()
  const list = page.getByRole('list', { name: 'Bookmarks and comments' })
  await list.getByText('Only one line').waitFor()
  assert.equal(await list.getByRole('img', { name: 'Bookmarked' }).count(), 1)
  await assertAccessible(page, 'notes-tab')
  await list.getByRole('link', { name: 'The price of the harbour' }).click()
  await page.locator('#line-2.target').waitFor()

  const remove = line.getByRole('button', { name: 'Delete the comment of Ada Lang' })
  await remove.press('Enter')
  await line.getByRole('button', { name: 'Cancel' }).press('Enter')
  await remove.and(focused).press('Enter')
  await line.getByRole('button', { name: 'Delete comment' }).and(focused).press('Enter')
  await line.locator('.line-time').and(focused).waitFor()
  await seen.getByText('Only one line').waitFor({ state: 'detached' })
  await list.getByText('I agree').waitFor()
  for (const one of [page, other]) await assertNothingRan(one)
  assert.deepEqual([...adaWindow.pageErrors, ...benWindow.pageErrors], [])
})

test('the keyboard moves between lines, bookmarks with b, comments with c, and reaches the buttons', async () => {
  const { meeting, url } = await addMeeting(LINES)
  const { page, context } = consoleWindow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.url })
  await visitPage(page, url)
  await lineOf(page, 4).waitFor()
  const focused = (number: number) =>
    lineOf(page, number).locator('.line-time').and(page.locator(':focus')).waitFor()
  await page.keyboard.press(']')
  await focused(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await focused(4)
  await page.keyboard.press('ArrowUp')
  await focused(3)
  await page.keyboard.press('b')
  await lineOf(page, 3).locator('.line-bookmark').waitFor()
  await page.keyboard.press('c')
  const field = lineOf(page, 3).getByRole('textbox').and(page.locator(':focus'))
  // In a text field, the keys type text.
  await field.pressSequentially('abc')
  await page.keyboard.press('Escape')
  await focused(3)
  await page.keyboard.press('c')
  await field.pressSequentially('by keyboard')
  await page.keyboard.press('Control+Enter')
  await lineOf(page, 3).getByText('by keyboard').waitFor()
  await focused(3)
  assert.deepEqual(
    (await readNotes(ada, meeting)).comments.map(({ text }) => text),
    ['by keyboard'],
  )
  await page.keyboard.press('b')
  await eventually(async () =>
    (await readNotes(ada, meeting)).bookmarks.length === 0 ? true : null,
  )
  // Bookmark, Comment, Decision, Action item, Question, Copy link
  for (let button = 0; button < 6; button += 1) await page.keyboard.press('Tab')
  const copyLink = lineOf(page, 3).getByRole('button', { name: 'Copy link to this line' })
  await copyLink.and(page.locator(':focus')).waitFor()
  // The pointer on another line does not hide the buttons from the keyboard.
  await lineOf(page, 1).hover()
  await lineOf(page, 1).getByRole('button', { name: 'Bookmark' }).waitFor()
  await copyLink.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await lineOf(page, 3).getByText('Copied').waitFor()
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), `${url}#line-3`)
  await page.keyboard.press('e')
  await page.getByRole('menuitem', { name: 'Copy transcript' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
  await assertAccessible(page, 'copy-transcript')
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a bookmark set before the others are loaded is shown, and a refused one says why', async () => {
  const { meeting, url } = await addMeeting(LINES)
  const { page } = consoleWindow()
  const isSet = Promise.withResolvers<void>()
  await page.route('**/bookmarks', async (route) => {
    await isSet.promise
    await route.continue()
  })
  await visitPage(page, url)
  await lineOf(page, 3).hover()
  await lineOf(page, 3).getByRole('button', { name: 'Bookmark' }).click()
  await eventually(async () =>
    (await readNotes(ada, meeting)).bookmarks.length === 1 ? true : null,
  )
  isSet.resolve()
  await lineOf(page, 3).locator('.line-bookmark').waitFor()
  await page.unroute('**/bookmarks')
  const line = lineOf(page, 4)
  await line.waitFor()
  await world.db
    .deleteFrom('segment')
    .where('meeting_id', '=', meeting)
    .where('number', '=', 4)
    .execute()
  await line.hover()
  await line.getByRole('button', { name: 'Bookmark' }).click()
  await line.getByRole('alert').getByText('no line with this number').waitFor()
  await line.locator('.line-bookmark').waitFor({ state: 'detached' })
})

test('on a phone a tap shows the buttons of a line, and the notes are in the sheet', async () => {
  const { url } = await addMeeting(LINES)
  const { page } = consoleWindow()
  await page.setViewportSize({ width: 390, height: 844 })
  await visitPage(page, url)
  const line = lineOf(page, 3)
  await line.locator('.line-text').click()
  await line.getByRole('button', { name: 'Bookmark' }).click()
  await line.locator('.line-bookmark').waitFor()
  await assertAccessible(page, 'notes-phone')
  await visitPage(page, `${url}?tab=notes`)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('link', { name: 'That is too much' }).click()
  await page.locator('#line-3.target').waitFor()
  await sheet.waitFor({ state: 'hidden' })
  assert.deepEqual(consoleWindow().pageErrors, [])
})
