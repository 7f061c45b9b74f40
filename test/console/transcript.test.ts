import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertFitsPhone, openConsoleAs, visitPage } from '../support/browser/console-pages.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'
import { eventually } from '../support/time/eventually.ts'

const LINES = 10_000
const HOSTILE = [
  `<img src=x onerror="window.__pwned=1">`,
  `<svg onload="window.__pwned=1"><script>window.__pwned=1</script>`,
  `[click](javascript:window.__pwned=1) **bold** \`code\``,
  `<math><mtext><table><mglyph><style><!--</style><img src=x onerror="window.__pwned=1">`,
]

const opened = openForFile(() => openStagedService())
/** The window of all tests. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

const caption = (captionId: string, speaker: string, text: string) => ({
  kind: 'caption' as const,
  captionId,
  speaker,
  text,
  version: 1,
  isFinal: true,
})

test('names, captions and titles with HTML are shown as text on every page of a meeting', async () => {
  const { service, stage, ada } = opened()
  const { body } = await ada.post('/web/meetings/start', { url: 'stage://evil', title: HOSTILE[0] })
  const people = HOSTILE.map((name, i) => ({ id: `p${i}`, name }))
  stage.room('evil').emit(
    { kind: 'admitted' },
    { kind: 'people', people },
    ...HOSTILE.map((text, i) => {
      const speaker = HOSTILE[(i + 1) % HOSTILE.length] ?? ''
      return caption(`c${i}`, speaker, `We decided: ${text} I will do it by Friday.`)
    }),
    { kind: 'over', because: 'host_ended' },
  )
  const { page } = consoleWindow()
  const url = `${service.url}/meetings/${String(body['meetingId'])}`
  await visitPage(page, url)
  await page.getByText('Ended', { exact: true }).waitFor()
  assert.ok((await page.locator('.transcript .line[id]').count()) >= HOSTILE.length)
  for (const tab of ['insights', 'people', 'document', 'events', 'details']) {
    await visitPage(page, `${url}?tab=${tab}`)
    if (tab === 'document') await page.locator('.markdown').waitFor()
    assert.equal(await page.locator('main img, main script, main style').count(), 0, tab)
    assert.equal(await page.locator('main a[href^="javascript:"]').count(), 0, tab)
  }
  for (const path of ['/', '/meetings']) await visitPage(page, `${service.url}${path}`)
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a transcript of 10,000 lines is completely in the page, can be searched, and is copied as text and as formatted text', async () => {
  const { service, stage, ada } = opened()
  stage.room('long').emit({ kind: 'over', because: 'denied' })
  const { body } = await ada.post('/web/meetings/start', { url: 'stage://long' })
  const meetingId = String(body['meetingId'])
  await writeLines(service.databaseUrl, meetingId)
  const { page, context } = consoleWindow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  await visitPage(page, `${service.url}/meetings/${meetingId}`)
  // The lines are rendered in parts, not always in order.
  const lines = page.locator('.transcript .line[id]')
  await eventually(async () => ((await lines.count()) >= LINES ? true : null))
  assert.equal(await lines.count(), LINES)
  await page.keyboard.press('/')
  await page.keyboard.type('needle in the hay')
  await page.getByText('0/2', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('#line-4321.target').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('#line-9876.target').waitFor()
  assert.equal(await page.locator('#line-9876').isVisible(), true)
  // content-visibility skips rendering off screen, but the browser's own search still finds the text.
  const skipping = "getComputedStyle(document.querySelector('.chunk')).contentVisibility"
  assert.equal(await page.evaluate(skipping), 'auto')

  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Copy transcript' }).click()
  await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
  const plain = await page.evaluate<string>('navigator.clipboard.readText()')
  const [first, second, gap, third] = plain.split('\n\n')
  assert.match(
    first ?? '',
    /^Speaker 0 \(\d\d:00:01\)\nThis is line number 1 of many\. This is line number 2 of many\.$/,
  )
  assert.match(second ?? '', /^<img src=x .*> \(\d\d:00:03\)\nThis is line number 3 of many\.$/)
  assert.match(gap ?? '', /^\[33 s not recorded: .+\]$/)
  assert.match(third ?? '', /^Speaker 0 \(\d\d:00:04\)\nThis is line number 4 of many\. /)
  assert.match(plain, /This is line number 10000 of many\.\n$/)
  const html = await page.evaluate<string>(
    `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((blob) => blob.text())`,
  )
  assert.match(html, /<strong>Speaker 0<\/strong> \(\d\d:00:01\)<br ?\/?>This is line number 1 /)
  assert.ok(html.includes('line number 10000 of') && !html.includes('<img'))
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

async function writeLines(databaseUrl: string, meetingId: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into segment (meeting_id, number, caption_id, speaker, text, started_at)
     select $1, i, 'c' || i, case when i = 3 then $3 else 'Speaker ' || (i / 7) % 5 end,
       'This is line number ' || i || ' of many.' ||
         case when i in (4321, 9876) then ' A needle in the hay.' else '' end,
       timestamptz '2026-01-01 10:00:00Z' + i * interval '1 second'
     from generate_series(1, $2::int) as i`,
    [meetingId, LINES, HOSTILE[0]],
  )
  await client.query(
    `insert into transcript_gap (meeting_id, number, cause, after_segment, started_at, ended_at)
     values ($1, 1, 'restarted', 3, '2026-01-01 10:00:03.1Z', '2026-01-01 10:00:36.1Z')`,
    [meetingId],
  )
  await client.query('update meeting set segment_count = $2 where id = $1', [meetingId, LINES])
  await client.end()
}

async function startLive(room: string, title: string): Promise<string> {
  const { stage, ada } = opened()
  const { body } = await ada.post('/web/meetings/start', { url: `stage://${room}`, title })
  stage
    .room(room)
    .emit(
      { kind: 'admitted' },
      caption('c1', 'Ana Ribeiro', 'Good morning.'),
      caption('c2', 'Speaker 2', 'The walrus is ready.'),
      caption('c3', 'Ben', 'Fine.'),
    )
  return String(body['meetingId'])
}

async function end(room: string, meetingId: string): Promise<void> {
  const { stage, ada } = opened()
  stage.room(room).emit({ kind: 'over', because: 'host_ended' })
  await eventually(async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}`)
    return (body['meeting'] as { status: string }).status === 'ended' ? true : null
  })
}

async function openFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const lines = (page: Page) => page.getByRole('region', { name: 'Transcript and search' })

test('a speaker of a live meeting is renamed by pressing the name, and new lines follow without a reload', async () => {
  const { stage, service } = opened()
  const id = await startLive('live', 'Live names')
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await lines(page).getByText('The walrus is ready.').waitFor()
  await lines(page).getByText('Speaker 2').click()
  const dialog = page.getByRole('dialog', { name: 'Rename a speaker' })
  await dialog.getByLabel('New name').fill('Grace Hopper')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await dialog.waitFor({ state: 'detached' })
  await lines(page).getByText('Grace Hopper').waitFor()
  stage.room('live').emit(caption('c4', 'Speaker 2', 'And the penguin too.'))
  await lines(page).getByText('And the penguin too.').waitFor()
  await lines(page).getByText('Grace Hopper').nth(1).waitFor()
  assert.equal(await lines(page).getByText('Speaker 2').count(), 0)
  await end('live', id)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a meeting is renamed, two speakers become one, and the history undoes it', async () => {
  const { service } = opened()
  const id = await startLive('ended', 'Untidy title')
  await end('ended', id)
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await openFromMenu(page, 'Rename…')
  const title = page.getByRole('dialog', { name: 'Rename meeting' })
  await title.getByLabel('Title').fill('Weekly planning')
  await title.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Weekly planning' }).waitFor()

  await openFromMenu(page, 'Rename a speaker…')
  const speaker = page.getByRole('dialog', { name: 'Rename a speaker' })
  await speaker.getByLabel('Speaker').selectOption('Speaker 2')
  await speaker.getByLabel('New name').fill('Ben')
  await speaker.getByText('is already in this meeting').waitFor()
  await assertAccessible(page, 'rename-speaker')
  await speaker.getByRole('button', { name: 'Rename' }).click()
  await lines(page).getByText('Speaker 2').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Edited' }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await history.getByText('Speaker: Speaker 2 → Ben').waitFor()
  await history.getByText('Title: Untidy title → Weekly planning').waitFor()
  await assertAccessible(page, 'edit-history')
  await assertFitsPhone(page, 'edit-history')
  await history.getByRole('button', { name: 'Undo' }).first().click()
  await history.getByText('Speaker: Ben → Speaker 2').waitFor()
  await page.keyboard.press('Escape')
  await lines(page).getByText('Speaker 2').waitFor()
  await lines(page).getByText('Ben').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a deleted meeting shows its report and leads back to the list, by keyboard', async () => {
  const { service, ada } = opened()
  const id = await startLive('gone', 'Soon gone')
  await end('gone', id)
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
  const confirm = page.getByRole('dialog', { name: 'Delete “Soon gone”?' })
  await confirm.getByText('The transcript with 3 lines').waitFor()
  await assertAccessible(page, 'delete-meeting')
  await assertFitsPhone(page, 'delete-meeting')
  await confirm.getByRole('button', { name: 'Delete meeting' }).press('Enter')
  const report = page.getByRole('dialog', { name: 'Meeting deleted' })
  await report.getByText('3 lines of the transcript').waitFor()
  await report.getByText('1 document').waitFor()
  await report.getByRole('button', { name: 'Back to meetings' }).press('Enter')
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  assert.equal((await ada.get(`/web/meetings/${id}`)).status, 404)
  assert.equal(await page.getByText('Soon gone').count(), 0)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a recap that is made only on request, and a meeting without words, say so', async () => {
  const { service, stage, ada } = opened()
  stage.room('silent').emit({ kind: 'admitted' }, { kind: 'over', because: 'host_ended' })
  const { body } = await ada.post('/web/meetings/start', { url: 'stage://silent' })
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${String(body['meetingId'])}?tab=recap`)
  await page.getByText('no captions came in that time').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Recap' }).count(), 0)
  const id = await startLive('asked', 'Asked')
  await end('asked', id)
  await visitPage(page, `${service.url}/meetings/${id}`)
  await page.getByRole('button', { name: 'Make the recap' }).click()
  await page.getByText('Made by rules, without a language model').waitFor()
})
