import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openConsoleAs, openPageAndSettle, visitPage } from '../support/browser/console-pages.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

const MEETINGS = 30
const WIDE = { width: 1280, height: 800 }
const TASK = 'digest'
/** The pages with tables whose columns disappear on narrow screens. */
const LISTS = ['/meetings', '/deliveries', '/tasks', `/tasks/${TASK}`]

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService())
  const ada = await service.adminClient()
  await fillLists(ada)
  const { page } = stack.use(await openConsoleAs(await openSharedBrowser(), ada))
  const moved = stack.move()
  return { service, ada, page, [Symbol.asyncDispose]: () => moved.disposeAsync() }
})

/** Scheduled meetings need no bot. One more meeting sends callbacks that fail, and one task has a run. */
async function fillLists(ada: HttpClient): Promise<void> {
  const joinAt = new Date(Date.now() + 86_400_000).toISOString()
  for (let i = 1; i <= MEETINGS; i += 1) {
    const title = `Meeting ${i}${i % 3 === 0 ? ' about the plans of the whole team for next year'.repeat(2) : ''}`
    await ada.post('/web/meetings/start', { url: 'practice://standup', title, joinAt })
  }
  const { id: tokenId } = await ada.createToken()
  const callbackUrl = 'http://127.0.0.1:9/hook'
  await ada.post('/web/meetings/start', {
    url: 'practice://standup?speed=1000',
    title: 'x',
    callbackUrl,
    tokenId,
  })
  await ada.post('/web/tasks', { name: TASK, promptName: 'daily-digest' })
  const { body } = await ada.post(`/web/tasks/${TASK}/run`)
  const run = `/web/executions/${String(body['executionId'])}`
  await eventually(async () => {
    const deliveries = (await ada.get('/web/deliveries')).body['deliveries'] as unknown[]
    const { status } = (await ada.get(run)).body['execution'] as { status: string }
    return deliveries.length > 0 && status !== 'running' ? true : null
  })
}

test('badges are whole and names have room at 1024 and 1440 pixels', async () => {
  const { service, page } = opened()
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of LISTS) {
      await visitPage(page, `${service.url}${path}`)
      await page.locator('.data-table .mantine-Badge-root').first().waitFor()
      const { cut, narrowNames } = await measureTable(page)
      assert.deepEqual(cut, [], `${path} at ${width}`)
      assert.deepEqual(narrowNames, [], `${path} at ${width}`)
    }
  }
})

test('tables with many columns fit their frame at 1024 pixels', async () => {
  const { service, page } = opened()
  await page.setViewportSize({ width: 1024, height: 900 })
  for (const path of ['/account?tab=tokens', '/system?tab=audit', '/system?tab=people']) {
    await visitPage(page, `${service.url}${path}`)
    await page.locator('.data-table tbody tr').first().waitFor()
    const tooWide = await page.evaluate<number>(
      `[...document.querySelectorAll('.table-frame')].filter((frame) => frame.scrollWidth > frame.clientWidth).length`,
    )
    assert.equal(tooWide, 0, path)
  }
})

test('the selected tab is on the screen of a phone', async () => {
  const { service, page } = opened()
  await page.setViewportSize({ width: 360, height: 780 })
  for (const path of ['/account?tab=sessions', '/system?tab=audit']) {
    await visitPage(page, `${service.url}${path}`)
    const box = await page.getByRole('tab', { selected: true }).boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 360, path)
  }
})

/** The badges that are cut off or extend beyond the table, and the widths of name cells below 240 pixels. */
function measureTable(page: Page): Promise<{ cut: string[]; narrowNames: number[] }> {
  return page.evaluate(`({
    cut: [...document.querySelectorAll('.data-table .mantine-Badge-root')]
      .filter((badge) => {
        const frame = badge.closest('.table-frame').getBoundingClientRect()
        const parts = [badge, ...badge.querySelectorAll('*')]
        const isInside = badge.getBoundingClientRect().right <= Math.min(frame.right, window.innerWidth)
        return !isInside || parts.some((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
      })
      .map((badge) => badge.textContent),
    narrowNames: [...document.querySelectorAll('.data-table tbody .row-name')]
      .map((name) => name.getBoundingClientRect().width)
      .filter((width) => width < 240),
  })`)
}

test('a click anywhere on a row opens it, but selecting its text does not', async () => {
  const { service, page } = opened()
  await page.setViewportSize(WIDE)
  await visitPage(page, `${service.url}/meetings?status=scheduled`)
  const row = page.getByRole('row', { name: /Meeting 1 / })
  const detail = await row.locator('.row-detail').boundingBox()
  assert.ok(detail)
  await page.mouse.move(detail.x + 1, detail.y + detail.height / 2)
  await page.mouse.down()
  await page.mouse.move(detail.x + 60, detail.y + detail.height / 2, { steps: 4 })
  await page.mouse.up()
  assert.match(await page.evaluate<string>('String(getSelection())'), /\w/)
  // The list is still open, so this click finds the row.
  await row.locator('td').nth(1).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByRole('heading', { name: 'Meeting 1', exact: true }).waitFor()

  const back = await page.locator('.back-link').boundingBox()
  assert.ok(back && back.width < 150 && back.height >= 24, JSON.stringify(back))
  await page.locator('.back-link').click()
  const title = await page.getByRole('link', { name: 'Meeting 2', exact: true }).boundingBox()
  assert.ok(title && title.height >= 24, JSON.stringify(title))
})

test('a delivery opens with a click on its row, and the arrow keys read the chart', async () => {
  const { service, page } = opened()
  await page.setViewportSize(WIDE)
  await visitPage(page, `${service.url}/deliveries`)
  const chart = page.getByRole('slider', { name: /^Delivery attempts per hour/ })
  await chart.focus()
  const last = await chart.getAttribute('aria-valuetext')
  assert.match(last ?? '', /Failed: \d+, Delivered: 0$/)
  await page.getByText(last ?? '').waitFor()
  await page.keyboard.press('ArrowLeft')
  assert.notEqual(await chart.getAttribute('aria-valuetext'), last)

  await page.locator('.data-table tbody tr').first().locator('td').nth(1).click()
  await page.getByRole('dialog').waitFor()
})

test('30 meetings are short cards on a phone', async () => {
  const { service, page } = opened()
  await page.setViewportSize({ width: 390, height: 800 })
  await visitPage(page, `${service.url}/meetings?status=scheduled`)
  const heights = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.short-card')].map((card) => card.offsetHeight)`,
  )
  assert.equal(heights.length, MEETINGS)
  assert.ok(Math.max(...heights) <= 76, String(heights))
  await page.locator('.short-card').first().locator('.short-card-line').click()
  await page.waitForURL(/\/meetings\/meeting_/)
})

test('filters are behind a button on a phone, and links and boxes are at least 24 pixels wide and high', async () => {
  const { service, page } = opened()
  await page.setViewportSize({ width: 390, height: 844 })
  const withFilters = [
    '/actions',
    '/decisions',
    '/search?q=none&speaker=Ana',
    '/system?tab=audit',
    '/deliveries',
  ]
  for (const path of ['/meetings', ...withFilters]) {
    await visitPage(page, `${service.url}${path}`)
    const filters = page.getByRole('group', { name: 'Filters' })
    const button = filters.getByRole('button', { name: /^Filters/ })
    await button.waitFor()
    const box = await filters.boundingBox()
    assert.ok(box && box.height < 50, `${path}: ${JSON.stringify(box)}`)
  }
  await visitPage(page, `${service.url}/search?q=none&speaker=Ana`)
  await page.getByRole('button', { name: 'Filters (1 set)' }).click()
  assert.equal(await page.getByLabel('Speaker').inputValue(), 'Ana')
  await visitPage(page, `${service.url}/deliveries`)
  await page.getByRole('link', { name: 'x', exact: true }).first().click()
  await page.locator('.transcript .line-time[href]').first().waitFor()
  assert.deepEqual(await findSmallTargets(page), [], 'a meeting on a phone')
  await page.setViewportSize(WIDE)
  const paths = [
    '/',
    '/meetings',
    '/prompts',
    '/ask',
    '/system?tab=projects',
    '/account?tab=profile',
    '/actions',
    '/decisions',
    '/account?tab=tokens',
  ]
  for (const path of paths) {
    await visitPage(page, `${service.url}${path}`)
    assert.deepEqual(await findSmallTargets(page), [], path)
  }
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Selected permissions').check()
  assert.deepEqual(await findSmallTargets(page), [], 'a new token')
})

/** The visible links and boxes that a pointer hits on less than 24 pixels in width or height. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const isSmall = (boxes) => ['width', 'height'].some((side) =>
      Math.max(...boxes.map((box) => box[side])) < 24)
    const links = [...document.querySelectorAll('a, summary')]
      .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height > 1)
      .filter((link) => isSmall([...link.getClientRects()]))
    const isHit = (input, x, y) => {
      const hit = document.elementFromPoint(x, y)
      return hit === input || hit?.closest('label')?.control === input
    }
    const inputs = [...document.querySelectorAll('[type=checkbox], [type=radio]')]
      .filter((input) => {
        const [part] = [input, ...input.labels].filter((one) => one.getBoundingClientRect().height > 1)
        part.scrollIntoView({ block: 'center' })
        const box = part.getBoundingClientRect()
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
        return ![[x - 11.5, y], [x + 11.5, y], [x, y - 11.5], [x, y + 11.5]]
          .every(([x, y]) => isHit(input, x, y))
      })
    return [...links, ...inputs].map((target) => target.outerHTML)
  })()`)
}

test('pages ask for nothing that does not exist', async () => {
  const { service, page } = opened()
  await visitPage(page, `${service.url}/deliveries`)
  const ended = await page
    .getByRole('link', { name: 'x', exact: true })
    .first()
    .getAttribute('href')
  assert.ok(ended)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  const paths = [
    '/',
    '/upcoming',
    '/actions',
    '/decisions',
    '/ask',
    '/search',
    '/projects',
    '/prompts',
  ]
  const others = ['/account', '/system', '/deliveries/inbox', ended]
  for (const path of [...LISTS, ...paths, ...others]) {
    await openPageAndSettle(page, `${service.url}${path}`)
  }
  assert.deepEqual(refused, [])
})

test('the menu of a phone takes the focus when it opens and gives it back when it closes', async () => {
  const { service, page } = opened()
  await page.setViewportSize({ width: 390, height: 800 })
  await visitPage(page, `${service.url}/`)
  const more = page.getByRole('button', { name: 'More', exact: true })
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()')
  await more.focus()
  await page.keyboard.press('Enter')
  await page.locator('.sidebar .sidebar-link:focus').waitFor()
  assert.equal(await page.locator('main').getAttribute('inert'), '')
  await page.keyboard.press('Escape')
  await page.locator('.bottom-bar-item:focus').waitFor()
  assert.equal(await focused(), 'More')
  assert.equal(await page.locator('main').getAttribute('inert'), null)
  await more.click()
  await page.locator('.sidebar').getByRole('link', { name: 'Meetings' }).click()
  await page.waitForURL('**/meetings')
  await page.locator('main:focus').waitFor()
})

test('the typeface comes from the console itself and may be cached forever', async () => {
  const { service, ada } = opened()
  await using consoleWindow = await openConsoleAs(await openSharedBrowser(), ada)
  const { page } = consoleWindow
  const font = page.waitForResponse((response) => response.url().endsWith('.woff2'))
  await openPageAndSettle(page, `${service.url}/`)
  const response = await font
  assert.ok(response.url().startsWith(`${service.url}/assets/inter-latin-`), response.url())
  assert.equal(response.headers()['content-type'], 'font/woff2')
  assert.match(response.headers()['cache-control'] ?? '', /max-age=31536000, immutable/)
  const fonts = await page.evaluate<string[]>(
    `document.fonts.ready.then((fonts) => [...fonts].filter((face) => face.status === 'loaded').map((face) => face.family))`,
  )
  assert.ok(fonts.length > 0 && fonts.every((family) => family.includes('Inter')), String(fonts))
  assert.deepEqual(consoleWindow.blockedRequests, [])
  assert.deepEqual(consoleWindow.pageErrors, [])
})
