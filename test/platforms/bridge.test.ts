import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openPageBridge } from '../../src/bots/platforms/bridge/bridge.ts'
import type { BridgeMessage } from '../../src/bots/platforms/bridge/messages.ts'
import { GOOGLE_MEET_PAGE_MODEL } from '../../src/bots/platforms/google-meet/page-model.ts'
import { GOOGLE_MEET_TRAFFIC_FILTER } from '../../src/bots/platforms/google-meet/wire/wire-reader.ts'
import { toPageWatcherConfig } from '../../src/bots/platforms/bridge/watch-config.ts'
import { openBrowser } from '../support/browser/open-browser.ts'
import { createSingleBrowserPool } from '../support/browser/single-browser-pool.ts'
import { waitFor } from './stage-run.ts'

const ADDRESS = 'https://meet.google.com/abc-defg-hij'
const CALL = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections'
const PAGE = `<!doctype html><html lang="en"><title>Page</title><body>
<h1>Secret heading</h1><button aria-label="Leave call">x</button><script>
  const names = () => Object.getOwnPropertyNames(window)
  const frame = document.body.appendChild(document.createElement('iframe'))
  window.report = {
    atStart: names().filter((name) => /^h\\w{24}$/.test(name)),
    inFrame: Object.getOwnPropertyNames(frame.contentWindow).filter((name) => /^h\\w{24}$/.test(name)),
    errors: [],
  }
  window.onerror = (message) => void report.errors.push(message)
</script>`

/** Opens a browser slot in which only the given pages and responses exist. */
async function openSlotWithPages(
  pages: Record<string, string>,
  { hosts = GOOGLE_MEET_TRAFFIC_FILTER.hosts, pollIntervalMs = 50 } = {},
) {
  const browser = await openBrowser()
  const pool = createSingleBrowserPool(browser)
  const slot = await pool.acquire(
    { locale: 'en-US', mediaOrigins: [] },
    new AbortController().signal,
  )
  await slot.context.route('**', (route) => {
    const { pathname } = new URL(route.request().url())
    const body = pages[pathname]
    return body === undefined ? route.abort() : route.fulfill({ body, contentType: 'text/html' })
  })
  const messages: BridgeMessage[] = []
  const bridge = await openPageBridge(slot, {
    trafficFilter: { ...GOOGLE_MEET_TRAFFIC_FILTER, hosts },
    watchConfig: toPageWatcherConfig(GOOGLE_MEET_PAGE_MODEL, pollIntervalMs),
    onMessage: (message) => void messages.push(message),
  })
  await slot.page.goto(ADDRESS)
  const words = () => {
    const last = messages.findLast(({ kind }) => kind === 'observation')
    return last?.kind === 'observation' ? last.observation.words : ''
  }
  return { slot, bridge, messages, words, [Symbol.asyncDispose]: () => browser.close() }
}

test('the hooks report HTTP calls, change nothing for the page and leave no trace', async () => {
  await using opened = await openSlotWithPages({
    '/abc-defg-hij': PAGE,
    [CALL]: 'YW5zd2Vy',
    '/other': 'no',
  })
  const { page } = opened.slot
  const answers = await page.evaluate(`(async () => {
    const byRequest = await new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('POST', '${CALL}')
      request.onload = () => resolve(request.responseText)
      request.send()
    })
    const byFetch = await (await fetch('${CALL}', { method: 'POST' })).text()
    const byObject = await (await fetch(new Request('${CALL}', { method: 'POST' }))).text()
    await (await fetch('/other')).text()
    const failed = await fetch('/nowhere').catch(() => 'failed')
    const odd = await Promise.resolve(fetch({ toString() { throw new Error('odd') } })).catch(() => 'odd')
    return [byRequest, byFetch, byObject, failed, odd]
  })()`)
  assert.deepEqual(answers, ['YW5zd2Vy', 'YW5zd2Vy', 'YW5zd2Vy', 'failed', 'odd'])
  const heard = () =>
    opened.messages.flatMap((message) => (message.kind === 'traffic' ? [message.traffic] : []))
  await waitFor(() => (heard().length === 3 ? true : null))
  for (const { via, name, data } of heard()) {
    assert.deepEqual([via, name, data], ['call', 'SyncMeetingSpaceCollections', 'YW5zd2Vy'])
  }
  const report = await page.evaluate('report')
  assert.deepEqual(report, { atStart: [], inFrame: [], errors: [] })
})

test('the page is observed from a world that its scripts cannot reach', async () => {
  await using opened = await openSlotWithPages({ '/abc-defg-hij': PAGE })
  await opened.slot.page.evaluate(`(() => {
    const fail = () => { throw new Error('broken by the page') }
    for (const object of [document, Document.prototype, Element.prototype]) {
      object.querySelectorAll = fail
      object.querySelector = fail
    }
    JSON.stringify = fail
    document.querySelector = fail
    document.body.append('Asking to be let in')
  })()`)
  await waitFor(() => (opened.words().includes('Asking to be let in') ? true : null))
  assert.deepEqual(await opened.bridge.request('summarizePage'), [
    {
      address: ADDRESS,
      title: 'Page',
      language: 'en',
      headings: ['Secret heading'],
      buttons: ['Leave call'],
    },
  ])
  assert.ok(!opened.messages.some(({ kind }) => kind === 'error'))
})

test('a frame in another process is read once, until it leaves the hosts of the platform', async () => {
  const frame = '<!doctype html><title>Frame</title>In the frame<script>'
  await using opened = await openSlotWithPages(
    {
      '/abc-defg-hij':
        '<!doctype html><title>Page</title>Outside<iframe src="https://frame.test/in">',
      // The frame navigates again while our scripts are being injected.
      '/in': `${frame}for (const hash of 'abcdef') location.hash = hash</script>`,
      '/away': '<!doctype html><title>Away</title>Elsewhere',
    },
    { hosts: ['meet.google.com', 'frame.test'] },
  )
  const titles = async () => {
    const answers = (await opened.bridge.request('summarizePage')) as Array<{ title: string }>
    return answers.map(({ title }) => title)
  }
  await waitFor(() => (opened.words().includes('In the frame') ? true : null))
  // More steps in the frame than an injection has, so that a second injection would have finished.
  const [, inner] = opened.slot.page.frames()
  for (let step = 0; step < 30; step += 1) await inner?.evaluate('0')
  assert.deepEqual(await titles(), ['Page', 'Frame'])
  await opened.slot.page.evaluate(
    `document.querySelector('iframe').src = 'https://elsewhere.test/away'`,
  )
  await waitFor(() => (opened.words() === 'Outside' ? true : null))
  assert.deepEqual(await titles(), ['Page'])
  assert.deepEqual(
    opened.messages.filter(({ kind }) => kind === 'error'),
    [],
  )
})

test('the poll interval that was set applies to pages that are opened later', async () => {
  await using opened = await openSlotWithPages(
    { '/abc-defg-hij': PAGE },
    { pollIntervalMs: 3_600_000 },
  )
  await opened.bridge.setPollInterval(20)
  await opened.slot.page.reload()
  const before = opened.messages.length
  const polls = () =>
    opened.messages.slice(before).filter(({ kind }) => kind === 'unchanged').length
  await waitFor(() => (polls() >= 3 ? true : null))
})
