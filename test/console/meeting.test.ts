import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { linesOf, settle, visitAs } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import type { Person } from '../support/person.ts'
import { startService } from '../support/service.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser.close())

async function start(person: Person, wish: Record<string, unknown>): Promise<string> {
  const { status, body } = await person.post('/web/meetings/start', wish)
  assert.equal(status, 201, JSON.stringify(body))
  return body['meetingId'] as string
}

async function storedLines(person: Person, meetingId: string) {
  const { body } = await person.get(`/web/meetings/${meetingId}/transcript`)
  return (body['segments'] as Array<{ segmentNumber: number; text: string }>).map(
    ({ segmentNumber: number, text }) => ({ number, text }),
  )
}

/** How far the transcript is from its end, and from its top. */
function placeOf(page: Page): Promise<{ below: number; top: number }> {
  return page.evaluate(`(() => {
    const box = document.querySelector('.transcript')
    return { below: box.scrollHeight - box.scrollTop - box.clientHeight, top: box.scrollTop }
  })()`)
}

test('one click on the home page leads to a live practice meeting, which can be stopped by name', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visitAs(browser, ada)
  const { page } = seen
  await settle(page, `${service.url}/`)
  await page.getByRole('button', { name: 'Start a practice meeting' }).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByText('Good morning', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop “Practice stand-up”?' })
  await dialog.getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByText('Ended', { exact: true }).waitFor()
  assert.deepEqual(seen.outside, [])
  assert.deepEqual(seen.complaints, [])
})

test('a reader who scrolls up is left alone until they jump back, and reads the meeting to its end', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visitAs(browser, ada)
  const { page } = seen
  const meetingId = await start(ada, { url: 'practice://standup?speed=12', title: 'Stand-up' })
  await settle(page, `${service.url}/meetings/${meetingId}`)
  await page.locator('#line-12').waitFor()
  await eventually(async () => ((await placeOf(page)).below < 60 ? true : null))
  await page.locator('.transcript').hover()
  await page.mouse.wheel(0, -400)
  await page.getByRole('button', { name: /ump to live/ }).waitFor()
  const { top } = await placeOf(page)
  await page.getByRole('button', { name: /new lines? · jump to live/ }).waitFor()
  assert.equal((await placeOf(page)).top, top)
  await page.getByRole('button', { name: /jump to live/ }).click()
  await eventually(async () => ((await placeOf(page)).below < 60 ? true : null))
  await page.getByText('Ended', { exact: true }).waitFor()
  const stored = await storedLines(ada, meetingId)
  await page.locator(`#line-${stored.length}`).waitFor({ state: 'attached' })
  assert.deepEqual(await linesOf(page), stored)
  await page.getByText('Talk time').waitFor()

  const download = page.waitForEvent('download')
  await page.keyboard.press('e')
  await page.getByRole('menuitem', { name: /\.srt/ }).click()
  assert.equal((await download).suggestedFilename(), 'Stand-up.srt')
  await page.getByRole('tab', { name: 'Document' }).click()
  await page.locator('.markdown').getByText('Ana Ribeiro').first().waitFor()
  await page.goto(`${service.url}/meetings/${meetingId}#line-3`)
  await page.locator('#line-3.target').waitFor()
})

test('a failed join says what happened and who must do what', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visitAs(browser, ada)
  const { page } = seen
  const denied = await start(ada, { url: 'practice://denied?speed=50', title: 'Board' })
  await settle(page, `${service.url}/meetings/${denied}`)
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.getByRole('note').getByText('refused to let the bot in').waitFor()
  await page.getByRole('note').getByText('Tell the host that the bot is wanted').waitFor()
  const waiting = await start(ada, { url: 'practice://lobby-timeout', title: 'Customer' })
  await settle(page, `${service.url}/meetings/${waiting}`)
  await page.getByRole('note').getByText('ask the host to admit').waitFor()
})

test('a link that leads to no meeting is explained before anybody presses start', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visitAs(browser, ada)
  const { page } = seen
  await settle(page, `${service.url}/meetings`)
  const field = page.getByLabel('Meeting link')
  await field.fill('https://example.zoom.us/j/123456789')
  await page.getByText('Zoom meetings are not supported').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled(), true)
  await field.fill('https://meet.google.com/')
  await page.getByText('names no meeting').waitFor()
  await field.fill('practice://denied?speed=50')
  await page.getByRole('status').getByText('Practice denied').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.goto(`${service.url}/meetings?status=error`)
  await page.getByRole('link', { name: 'Practice denied' }).waitFor()
  await page.goto(`${service.url}/meetings?q=nothing+like+it`)
  await page.getByText('No meeting fits these filters.').waitFor()
})
