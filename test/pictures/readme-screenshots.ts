// Run by `npm run screenshots`: writes the screenshots that README.md shows into docs/pictures. Checks nothing else.
import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { errors, type Page } from 'playwright-core'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { openConsoleAs, openPageAndSettle } from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { eventually } from '../support/time/eventually.ts'
import { openExampleService } from './example-service.ts'
import { saveDocumentPicture } from './document-picture.ts'
import { sayPartial } from './example-texts.ts'

const SCREEN = { width: 1280, height: 800 }
/** The hour of the day that the pictures show. */
const SHOWN_HOUR = 10

test('screenshots for README.md', { timeout: 600_000 }, async () => {
  const browser = await openSharedBrowser()
  await using opened = await openExampleService()
  const { service, ada, examples, emitLive } = opened
  await moveIntoPast(service.databaseUrl, examples.live)
  await replaceTasks(ada)
  await using window = await openConsoleAs(browser, ada)
  const { page } = window
  await page.setViewportSize(SCREEN)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const setTimeZone = await createTimeZoneSetter(page)
  await setTimeZone(zoneWithHour(SHOWN_HOUR))
  const open = (path: string) => openPageAndSettle(page, new URL(path, service.url).href)
  const save = (name: string) => saveDocumentPicture(page, name)

  await open(`/meetings/${examples.live}`)
  await sayUntilShown(page, (text) => emitLive(sayPartial(text)))
  await save('live-meeting')
  await open(`/meetings/${examples.finished}`)
  await save('recap')
  await open('/search?q=address+step')
  await save('search')
  // The schedules are in UTC.
  await setTimeZone('UTC')
  await open('/tasks')
  await save('tasks')
})

/** Says a sentence word by word until the page shows a part: partial captions are not stored, so early ones are lost. */
async function sayUntilShown(page: Page, say: (text: string) => void): Promise<void> {
  const beginning = 'And the last thing for today is the new typeface'
  const rest =
    'which we tried on the start page and which most people did not even notice although all of them said that the ' +
    'page is easier to read now than it was a month ago'
  const words = rest.split(' ')
  for (let count = 0; count <= words.length; count += 1) {
    say([beginning, ...words.slice(0, count)].join(' '))
    const shown = page.getByText(beginning).first().waitFor({ timeout: 1_000 })
    if (await shown.then(() => true, isTimeout)) return
  }
  assert.fail('the page shows no partial caption')
}

function isTimeout(error: unknown): false {
  if (error instanceof errors.TimeoutError) return false
  throw error
}

/** Lets a meeting look as if it had begun some minutes ago. */
async function moveIntoPast(databaseUrl: string, id: string): Promise<void> {
  const { db, close } = await connectToDatabase(
    { connectionString: databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  try {
    const ago = sql`now() - interval '4 minutes'`
    await sql`update meeting set project = 'product', started_at = ${ago}, live_at = ${ago} where id = ${id}`.execute(
      db,
    )
    await sql`update segment set started_at = ${ago} + number * interval '14 seconds' where meeting_id = ${id}`.execute(
      db,
    )
    await sql`update participant set joined_at = ${ago} where meeting_id = ${id}`.execute(db)
  } finally {
    await close()
  }
}

/** Tasks that all work without a language model. */
async function replaceTasks(person: HttpClient): Promise<void> {
  await person.request('DELETE', '/web/tasks/weekly-summary', undefined, {})
  const tasks = [
    { name: 'customer-calls', trigger: { on: 'meeting_ended', projects: ['sales'] } },
    { name: 'friday-review', cronExpression: '0 15 * * 5' },
    { name: 'monday-briefing', cronExpression: '30 8 * * 1' },
  ]
  for (const task of tasks) {
    const created = await person.post('/web/tasks', { promptName: 'daily-digest', ...task })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { body } = await person.post(`/web/tasks/${task.name}/run`)
    await eventually(async () => {
      const { execution } = (await person.get(`/web/executions/${String(body['executionId'])}`))
        .body
      return (execution as { status: string } | undefined)?.status !== 'running' || null
    })
  }
}

/** A time zone in which it is this hour, so that pictures look alike whenever they are taken. */
function zoneWithHour(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  // The signs of these zones are reversed: Etc/GMT-3 is three hours ahead.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

async function createTimeZoneSetter(page: Page): Promise<(zone: string) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  return (timezoneId) => session.send('Emulation.setTimezoneOverride', { timezoneId })
}
