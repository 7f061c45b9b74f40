import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createFeedFetcher } from '../../src/calendars/sources/fetch-feed.ts'
import { createNetworkPolicy } from '../../src/network/network-policy.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { SECRET, startFeedServer, type FeedAnswer } from '../support/calendars/feed-server.ts'
import { openForFile } from '../support/open-for-file.ts'

const MAX_BYTES = 100_000
/** So long that, even on a busy machine, only the test of a server that never answers reaches it. */
const TIMEOUT_MS = 60_000
const SHORT_TIMEOUT_MS = 200

const opened = openForFile(async () => {
  const stack = new AsyncDisposableStack()
  const feeds = stack.use(await startFeedServer())
  const policy = createNetworkPolicy({
    level: 'private-ok',
    allow: [],
    deny: [],
    ownPorts: () => [],
  })
  const parts = { policy, secureContext: null, clock: systemClock }
  const fetcher = stack.use(
    createFeedFetcher({ ...parts, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }),
  )
  const impatient = stack.use(
    createFeedFetcher({ ...parts, timeoutMs: SHORT_TIMEOUT_MS, maxBytes: MAX_BYTES }),
  )
  return { feeds, fetcher, impatient, [Symbol.asyncDispose]: () => stack.disposeAsync() }
})

const SIGNAL = new AbortController().signal
const fetchUrl = (url: string) =>
  opened().fetcher.fetchFeed({ url, etag: null, lastModified: null }, SIGNAL)

async function fetchAnswer(path: string, answer: FeedAnswer) {
  const { feeds } = opened()
  feeds.answer(path, answer)
  return fetchUrl(feeds.urlOf(path))
}

test('a compressed feed is read, and its ETag is sent next time', async () => {
  const { feeds, fetcher } = opened()
  const headers = { 'content-encoding': 'gzip', etag: '"v1"', 'last-modified': 'yesterday' }
  const fetched = await fetchAnswer('/zip', (response, { 'if-none-match': known }) => {
    if (known === '"v1"') response.writeHead(304).end()
    else response.writeHead(200, headers).end(gzipSync('BEGIN'))
  })
  assert.equal(fetched.kind, 'content')
  if (fetched.kind !== 'content') return
  assert.equal(Buffer.from(fetched.content).toString(), 'BEGIN')
  const { etag, lastModified } = fetched
  const again = await fetcher.fetchFeed({ url: feeds.urlOf('/zip'), etag, lastModified }, SIGNAL)
  assert.deepEqual(again, { kind: 'unchanged' })
})

/** What a server does, and the sentence that people read. */
const FAILURES: ReadonlyArray<[title: string, answer: FeedAnswer, problem: RegExp]> = [
  ['refuses access', (response) => response.writeHead(403).end(), /refused access/],
  ['has the feed no more', (response) => response.writeHead(410).end(), /no calendar at this/],
  ['fails', (response) => response.writeHead(500).end('oops'), /answered 500/],
  [
    'stops in the middle',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('BEGIN:VCALENDAR', () => response.destroy())
    },
    /broke off|not valid HTTP/,
  ],
  [
    'sends more than is allowed',
    (response) => response.writeHead(200).end('x'.repeat(MAX_BYTES + 1)),
    /larger than/,
  ],
  [
    'sends little that becomes much',
    (response) => {
      const body = gzipSync('x'.repeat(50 * MAX_BYTES))
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    },
    /larger than/,
  ],
  [
    'sends text as if it were compressed',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    /not valid HTTP|broke off/,
  ],
  [
    'redirects to a blocked address',
    (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    /redirects to an address that the network rules/,
  ],
  [
    'redirects to something else than http',
    (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    /redirects to an address that the network rules/,
  ],
  ['redirects nowhere', (response) => response.writeHead(302).end(), /is not valid/],
  [
    'redirects in a circle',
    (response) => response.writeHead(301, { location: 'circle' }).end(),
    /too often|no calendar/,
  ],
]

for (const [i, [title, answer, problem]] of FAILURES.entries()) {
  test(`a server that ${title} gives a sentence without the address`, async () => {
    const fetched = await fetchAnswer(`/failure${i}`, answer)
    assert.equal(fetched.kind, 'failed')
    if (fetched.kind !== 'failed') return
    assert.match(fetched.problem, problem)
    assert.doesNotMatch(fetched.problem, new RegExp(`${SECRET}|127\\.0\\.0\\.1|169\\.254`))
  })
}

test('a server that never answers gives a sentence', async () => {
  const { feeds, impatient } = opened()
  feeds.answer('/silent', () => undefined)
  const feed = { url: feeds.urlOf('/silent'), etag: null, lastModified: null }
  const fetched = await impatient.fetchFeed(feed, SIGNAL)
  assert.match(fetched.kind === 'failed' ? fetched.problem : '', /did not answer in time/)
})

test('a redirect to an allowed address is followed', async () => {
  const { feeds } = opened()
  feeds.answer('/new', 'MOVED')
  const fetched = await fetchAnswer('/old', (response) =>
    response.writeHead(301, { location: feeds.urlOf('/new') }).end(),
  )
  assert.equal(fetched.kind === 'content' && Buffer.from(fetched.content).toString(), 'MOVED')
})

test('a server says how long to wait', async () => {
  const fetched = await fetchAnswer('/busy', (response) =>
    response.writeHead(503, { 'retry-after': '120' }).end(),
  )
  assert.equal(fetched.kind === 'failed' && fetched.retryAfterMs, 120_000)
})

test('a host that does not exist, a server that is gone and a forbidden port give a sentence', async () => {
  const closed = await startFeedServer()
  await closed[Symbol.asyncDispose]()
  const urls = [closed.urlOf('/x'), `http://nowhere.invalid/${SECRET}`, 'http://127.0.0.1:1/x']
  const problems: string[] = []
  for (const url of urls) {
    const fetched = await fetchUrl(url)
    problems.push(fetched.kind === 'failed' ? fetched.problem : '')
  }
  assert.match(problems[0] ?? '', /cannot be reached/)
  assert.match(problems[1] ?? '', /was not found/)
  assert.match(problems[2] ?? '', /network rules/)
})

test('a fetcher that is disposed ends its requests and starts no other', async () => {
  const { feeds } = opened()
  const policy = createNetworkPolicy({
    level: 'private-ok',
    allow: [],
    deny: [],
    ownPorts: () => [],
  })
  const fetcher = createFeedFetcher({ policy, secureContext: null, clock: systemClock })
  let requests = 0
  const arrived = Promise.withResolvers<void>()
  feeds.answer('/endless', () => {
    requests += 1
    arrived.resolve()
  })
  const state = { url: feeds.urlOf('/endless'), etag: null, lastModified: null }
  const refused = assert.rejects(fetcher.fetchFeed(state, SIGNAL), /are being closed/)
  await arrived.promise
  await fetcher[Symbol.asyncDispose]()
  await refused
  await assert.rejects(fetcher.fetchFeed(state, SIGNAL), /are being closed/)
  assert.equal(requests, 1)
})
