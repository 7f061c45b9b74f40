import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createBacklog } from './backlog.ts'
import type { LaneRecord, LaneStore } from './lane.ts'
import type { LaneEvent } from './lane-transition.ts'

const RECORD: LaneRecord = {
  id: 'lane_1',
  fence: 1,
  meetingId: 'meeting_1',
  kind: 'meeting',
  url: 'http://a.test/',
  tokenId: 'token_1',
  events: null,
  lastSequence: null,
  meetingEndedAt: null,
  replayRequestedAt: null,
  usesMeetingUrl: true,
  state: 'open',
  deliveredThrough: 0,
  previousSequence: 0,
  failures: 0,
  rejections: 0,
  rejectedSince: null,
  dueAt: 0,
  lastError: null,
}
const event = (sequence: number, type = 'segment_finalized'): LaneEvent => {
  return { sequence, type, at: sequence, body: '{}' }
}
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => event(first + i))

/** A backlog on a store whose reads can be counted, and disturbed while they are under way. */
function createSetting(record: Partial<LaneRecord> = {}, stored: LaneEvent[] = []) {
  const setting = { stored, reads: 0, endedAt: null as number | null, during: () => {} }
  const store = {
    async readEvents(_: LaneRecord, after: number, limit: number) {
      setting.reads += 1
      const events = setting.stored.filter(({ sequence }) => sequence > after).slice(0, limit)
      const { endedAt } = setting
      setting.during()
      return { events, endedAt }
    },
  } satisfies Pick<LaneStore, 'readEvents'>
  const isLast = ({ type }: LaneEvent) => type === 'last'
  const backlog = createBacklog({ ...RECORD, ...record }, store as unknown as LaneStore, isLast)
  const drain = async () => {
    const sequences: number[] = []
    for (let head = await backlog.readHead(); head !== null; head = await backlog.readHead()) {
      sequences.push(head.sequence)
      backlog.removeThrough(head.sequence)
    }
    return sequences
  }
  return { setting, backlog, drain }
}

test('what is told in order is sent without a look into the store', async () => {
  const { setting, backlog, drain } = createSetting()
  assert.deepEqual(await drain(), [])
  backlog.push(numbers(1, 3))
  assert.equal(backlog.noteUnstoredSequence(4), 'next')
  backlog.push([event(5)])
  assert.deepEqual(await drain(), [1, 2, 3, 5])
  assert.equal(setting.reads, 1)
})

test('an event that was told while the store was read is not missed', async () => {
  const { setting, backlog, drain } = createSetting({}, numbers(1, 2))
  setting.during = () => {
    setting.during = () => {}
    setting.stored = numbers(1, 3)
    backlog.push([event(3)])
  }
  assert.deepEqual(await drain(), [1, 2, 3])
})

test('a doubt that comes while the store is read is not forgotten', async () => {
  const { setting, backlog } = createSetting()
  setting.during = () => {
    setting.during = () => {}
    backlog.invalidate()
  }
  assert.equal(await backlog.readHead(), null)
  assert.equal(setting.reads, 2)
})

test('an event that nobody told of is found when the next one is told', async () => {
  const { setting, backlog, drain } = createSetting({}, [event(1)])
  assert.deepEqual(await drain(), [1])
  setting.stored = numbers(1, 3)
  backlog.push([event(3)])
  assert.equal(backlog.isCaughtUp(), false)
  assert.deepEqual(await drain(), [2, 3])
})

test('a number that is not the next one shows that something may have been missed', async () => {
  const { setting, backlog, drain } = createSetting({}, [event(1)])
  await drain()
  setting.stored = numbers(1, 2)
  assert.equal(backlog.noteUnstoredSequence(65), 'gap')
  assert.deepEqual(await drain(), [2])
  assert.equal(backlog.noteUnstoredSequence(66), 'next')
  assert.equal(backlog.noteUnstoredSequence(66), 'stale')
  assert.equal(backlog.noteUnstoredSequence(3), 'stale')
})

test('a backlog that grows beyond memory is read from the store in order', async () => {
  const { setting, backlog, drain } = createSetting({}, numbers(1, 1))
  await backlog.readHead()
  for (let sequence = 2; sequence <= 700; sequence += 1) {
    setting.stored.push(event(sequence))
    backlog.push([event(sequence)])
  }
  assert.ok(backlog.queuedAfterHead().length < 300)
  assert.deepEqual(
    await drain(),
    numbers(1, 700).map(({ sequence }) => sequence),
  )
})

test('a lane with a filter sends only what is wanted, and knows how far it has read', async () => {
  const stored = [event(1, 'other'), event(2), event(3, 'other'), event(4, 'last')]
  const { backlog, drain } = createSetting({ events: ['segment_finalized'] }, stored)
  assert.deepEqual(await drain(), [2])
  assert.deepEqual([backlog.readThrough(), backlog.isComplete()], [4, true])
})

test('a replay ends where it should, also when the meeting goes on', async () => {
  const { backlog, drain } = createSetting(
    { deliveredThrough: 2, lastSequence: 5 },
    numbers(1, 200),
  )
  assert.deepEqual(await drain(), [3, 4, 5])
  assert.deepEqual([backlog.readThrough(), backlog.isComplete()], [5, true])
})

test('a meeting that goes on is never complete; one that is over is once all is read', async () => {
  const { setting, backlog, drain } = createSetting({}, numbers(1, 2))
  await drain()
  assert.equal(backlog.isComplete(), false)
  backlog.push([event(3, 'last')])
  assert.equal(backlog.isComplete(), false)
  assert.equal(backlog.meetingEndedAt(), 3)
  await drain()
  assert.equal(backlog.isComplete(), true)
  setting.endedAt = 9
  backlog.invalidate()
  assert.equal(backlog.isComplete(), false)
})
