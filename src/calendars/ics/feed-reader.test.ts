import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createFeedReader, FEED_READER_LIMITS } from './feed-reader.ts'
import { FeedError } from './problems.ts'
import { readFeed } from './read-feed.ts'

const WINDOW = {
  from: new Date('2026-11-16T00:00:00Z'),
  to: new Date('2026-11-30T00:00:00Z'),
  defaultTimeZone: 'Europe/Berlin',
}

function createFeed(events: number, rule: string): Uint8Array {
  const lines = Array.from(
    { length: events },
    (_, index) =>
      `BEGIN:VEVENT\r\nUID:${index}\r\nDTSTART:20200106T090000Z\r\nRRULE:${rule}\r\nURL:https://meet.google.com/abc-defg-hij\r\nEND:VEVENT\r\n`,
  )
  return Buffer.from(`BEGIN:VCALENDAR\r\n${lines.join('')}END:VCALENDAR\r\n`)
}

function isTooComplex(error: unknown): boolean {
  return error instanceof FeedError && error.code === 'too_complex'
}

test('a worker thread reads the same as the calling thread, one feed after the other', async () => {
  await using reader = createFeedReader()
  const feeds = [createFeed(3, 'FREQ=DAILY'), createFeed(2, 'FREQ=WEEKLY')]
  const read = await Promise.all(feeds.map((feed) => reader.read(feed, WINDOW)))
  assert.deepEqual(
    read,
    feeds.map((feed) => readFeed(feed, WINDOW)),
  )
  assert.equal(read[0]?.occurrences.length, 3 * 14)
  // Equal lists of links are still one array after being sent between threads.
  assert.equal(new Set(read[0].occurrences.map(({ links }) => links)).size, 1)
})

test('the error of an unreadable feed comes from the thread, which reads the next one', async () => {
  await using reader = createFeedReader()
  const unreadable = reader.read(Buffer.from('<html>'), WINDOW)
  await assert.rejects(
    unreadable,
    (error) => error instanceof FeedError && error.code === 'not_a_calendar',
  )
  assert.equal((await reader.read(createFeed(1, 'FREQ=WEEKLY'), WINDOW)).eventCount, 1)
})

test('a feed that takes too long ends with an error, and the next feed is read', async () => {
  const limits = { ...FEED_READER_LIMITS, maxReadMs: 1 }
  await using reader = createFeedReader(limits)
  await assert.rejects(reader.read(createFeed(20_000, 'FREQ=DAILY'), WINDOW), isTooComplex)
  // On a slow machine the next feed may need longer, so it gets as much time as in the service.
  limits.maxReadMs = FEED_READER_LIMITS.maxReadMs
  assert.equal((await reader.read(createFeed(1, 'FREQ=WEEKLY'), WINDOW)).eventCount, 1)
})

test('a feed that needs too much memory ends the thread but not the process, and the next feed is read', async () => {
  const limits = { ...FEED_READER_LIMITS, maxMemoryMb: 16 }
  await using reader = createFeedReader(limits)
  await assert.rejects(reader.read(createFeed(40_000, 'FREQ=YEARLY'), WINDOW), isTooComplex)
  limits.maxMemoryMb = FEED_READER_LIMITS.maxMemoryMb
  assert.equal((await reader.read(createFeed(1, 'FREQ=WEEKLY'), WINDOW)).eventCount, 1)
})

test('a disposed reader reads neither a feed that waits nor a new one', async () => {
  const reader = createFeedReader()
  const read = () => assert.rejects(reader.read(createFeed(1, 'FREQ=WEEKLY'), WINDOW), /thread/)
  const [running, waiting] = [read(), read()]
  await reader[Symbol.asyncDispose]()
  await Promise.all([running, waiting, read()])
})

test('the event loop goes on while a large feed is read', async () => {
  await using reader = createFeedReader()
  let turns = 0
  const count = () => {
    turns += 1
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  await reader.read(createFeed(5_000, 'FREQ=WEEKLY'), WINDOW)
  clearImmediate(immediate)
  // On this thread, the work would end before the first turn.
  assert.ok(turns > 0)
})
