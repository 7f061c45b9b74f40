import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { seedMeetingsWithRecaps } from '../support/meetings/seed-recap.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'
import { withDatabase } from './mail-client.ts'

const DAY_MS = 86_400_000
const HOSTILE = ']]><script>alert(1)</script>&amp; "quoted" \u202E\uFFFE'

type Entry = { id: string; title: string; updated: string; texts: string; scripts: number }
type Feed = { id: string; updated: string; entries: Entry[]; error: string | null }

/** Parses the feed with the XML parser of a browser, and the content of each entry with its HTML parser. */
const PARSE = `(xml) => {
  const feed = new DOMParser().parseFromString(xml, 'application/xml').documentElement
  const error = feed.querySelector('parsererror')
  const own = (parent, name) => [...parent.children].find((child) => child.localName === name)
  const text = (parent, name) => own(parent, name)?.textContent ?? ''
  const entries = [...feed.children].filter(({ localName }) => localName === 'entry').map((entry) => {
    const html = new DOMParser().parseFromString(text(entry, 'content'), 'text/html')
    return { id: text(entry, 'id'), title: text(entry, 'title'), updated: text(entry, 'updated'),
      texts: html.body.textContent, scripts: html.querySelectorAll('script, img, [onerror]').length }
  })
  return { id: text(feed, 'id'), updated: text(feed, 'updated'), entries, error: error && error.textContent }
}`

async function parseFeed(xml: string): Promise<Feed> {
  await using context = await (await openSharedBrowser()).newContext()
  const page = await context.newPage()
  return await page.evaluate(`(${PARSE})(${JSON.stringify(xml)})`)
}

test('a feed has the digests of its person without a sign-in, and only what they may read', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  const ben = await invitePerson(service, ada, { name: 'Ben' })
  const now = Date.now()
  const meetingOf = (days: number, title: string, project: string) => ({
    title,
    project,
    startedAt: new Date(now - days * DAY_MS),
    summary: ['Said.'],
    decisions: [{ text: `Decided ${HOSTILE}`, speaker: HOSTILE }],
  })
  await seedMeetingsWithRecaps(service.databaseUrl, [
    meetingOf(1.5, `Planning ${HOSTILE}`, 'api'),
    meetingOf(3.5, 'Secret plan', 'plans'),
    meetingOf(30, 'Long ago', 'api'),
  ])
  const wrong = await ben.client.post('/web/notifications/feed', { timeZone: 'Nowhere' })
  assert.equal(wrong.status, 400)
  const created = await ben.client.post('/web/notifications/feed', { timeZone: 'Europe/Berlin' })
  assert.equal(created.status, 201)
  const { pathname } = new URL(String(created.body['url']))
  const url = `http://127.0.0.1:${service.port}${pathname}`
  const read = (headers: Record<string, string> = {}) => fetch(url, { headers })

  const response = await read()
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'private, no-cache')
  const feed = await parseFeed(await response.text())
  assert.equal(feed.error, null)
  assert.equal(feed.entries.length, 2)
  const [newest, older] = feed.entries
  assert.match(newest?.title ?? '', /^\d+ \w+ \d{4}: 1 meeting, 1 decision$/)
  assert.match(newest?.texts ?? '', /Planning \]\]><script>alert\(1\)<\/script>&amp; "quoted"/)
  assert.match(older?.texts ?? '', /Secret plan/)
  for (const { id, updated, scripts } of feed.entries) {
    assert.match(
      id,
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    assert.equal(new Date(updated).toISOString(), updated)
    assert.equal(scripts, 0)
  }

  const etag = response.headers.get('etag') ?? ''
  const modified = response.headers.get('last-modified') ?? ''
  assert.equal(new Date(feed.updated).toUTCString(), modified)
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `"other", W/${etag}` },
    { 'if-modified-since': modified },
  ])
    assert.equal((await read(headers)).status, 304)
  assert.equal((await read({ 'if-none-match': '"x"', 'if-modified-since': modified })).status, 200)

  // What the person may not read any more is gone at the next request, and counts as a change.
  const access = await ada.put('/web/projects/plans/access', { access: 'private' })
  assert.equal(access.status, 200)
  assert.equal((await read({ 'if-none-match': etag })).status, 200)
  const changed = await read({ 'if-modified-since': modified })
  assert.equal(changed.status, 200)
  const reduced = await parseFeed(await changed.text())
  assert.deepEqual(
    reduced.entries.map(({ id }) => id),
    [newest?.id],
  )
  assert.equal(reduced.id, feed.id)

  // Another address replaces the first one and keeps the ids.
  const next = await ben.client.post('/web/notifications/feed', { timeZone: 'Asia/Tokyo' })
  assert.equal((await read()).status, 404)
  assert.equal((await ben.client.get('/web/notifications')).body['recapMail'], 'all')
  const nextUrl = `http://127.0.0.1:${service.port}${new URL(String(next.body['url'])).pathname}`
  const again = await parseFeed(await (await fetch(nextUrl)).text())
  assert.deepEqual(again.entries, reduced.entries)
  const rows = await withDatabase(service, (db) =>
    db.selectFrom('digest_feed').selectAll().execute(),
  )
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(nextUrl.split('/').at(-1) ?? ''))

  // A removed user has no feed.
  assert.equal((await ada.delete(`/web/users/${ben.id}`)).status, 200)
  assert.equal((await fetch(nextUrl)).status, 404)
  for (const unknown of ['x', 'A'.repeat(43), '%00'])
    assert.equal(
      (await fetch(`http://127.0.0.1:${service.port}/feeds/digest/${unknown}`)).status,
      404,
    )
})

test('a weekly choice makes a weekly feed, and many requests are refused for a while', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  const digest = { frequency: 'weekly', weekday: 'friday', hour: 9, timeZone: 'UTC' }
  await ada.put('/web/notifications', { digest })
  const now = Date.now()
  await seedMeetingsWithRecaps(
    service.databaseUrl,
    [8, 9, 15, 16].map((days) => ({
      title: `Meeting ${days}`,
      startedAt: new Date(now - days * DAY_MS),
      summary: ['Said.'],
    })),
  )
  const { body } = await ada.post('/web/notifications/feed', { timeZone: 'Asia/Tokyo' })
  const url = `http://127.0.0.1:${service.port}${new URL(String(body['url'])).pathname}`
  const { entries } = await parseFeed(await (await fetch(url)).text())
  for (const { updated } of entries) {
    const at = new Date(updated)
    assert.deepEqual([at.getUTCDay(), at.getUTCHours()], [5, 9])
  }
  assert.equal(entries.map(({ texts }) => texts.match(/Meeting \d+/g)?.length).reduce(sum, 0), 4)
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async () => (await fetch(url)).status),
  )
  assert.ok(statuses.includes(429))
  assert.ok(statuses.every((status) => status === 200 || status === 429))
})

function sum(total: number, count: number | undefined): number {
  return total + (count ?? 0)
}
