import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { NEW_LANE } from '../../../test/support/callbacks/new-lane.ts'
import { createBacklog } from './backlog.ts'
import type { LaneEvent, LaneRecord, LaneStore } from './lane-record.ts'

const event = (sequence: number, type = 'segment_finalized'): LaneEvent => {
  return { sequence, type, at: sequence, body: '{}' }
}
const eventRange = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => event(first + i))

/** A backlog on a store that counts its reads and can run code during a read. */
function createSetting(stored: LaneEvent[] = [], record: LaneRecord = NEW_LANE) {
  const setting = { stored, reads: 0, endedAt: null as number | null, duringRead: () => {} }
  const store: Pick<LaneStore, 'readEvents'> = {
    async readEvents(_, after, limit) {
      setting.reads += 1
      const events = setting.stored.filter(({ sequence }) => sequence > after).slice(0, limit)
      const { endedAt } = setting
      setting.duringRead()
      return { events, endedAt }
    },
  }
  const backlog = createBacklog(record, store, ({ type }) => type === 'last')
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

test('events pushed in order are sent without reading the store', async () => {
  const { setting, backlog, drain } = createSetting()
  assert.deepEqual(await drain(), [])
  backlog.push(eventRange(1, 3))
  assert.equal(backlog.noteUnstoredSequence(4), 'next')
  backlog.push([event(5)])
  assert.deepEqual(await drain(), [1, 2, 3, 5])
  assert.equal(setting.reads, 1)
})

test('a lane re-reads the store when an event is pushed during a read', async () => {
  const { setting, backlog, drain } = createSetting(eventRange(1, 2))
  setting.duringRead = () => {
    setting.duringRead = () => {}
    setting.stored = eventRange(1, 3)
    backlog.push([event(3)])
  }
  assert.deepEqual(await drain(), [1, 2, 3])
})

test('a lane re-reads the store when it is invalidated during a read', async () => {
  const { setting, backlog } = createSetting()
  setting.duringRead = () => {
    setting.duringRead = () => {}
    backlog.invalidate()
  }
  assert.equal(await backlog.readHead(), null)
  assert.equal(setting.reads, 2)
})

test('a pushed event that does not follow the last one makes the lane read the missing event', async () => {
  const { setting, backlog, drain } = createSetting([event(1)])
  assert.deepEqual(await drain(), [1])
  setting.stored = eventRange(1, 3)
  backlog.push([event(3)])
  assert.equal(backlog.isCaughtUp(), false)
  assert.deepEqual(await drain(), [2, 3])
})

test('a partial caption sequence that skips numbers makes the lane read the store', async () => {
  const { setting, backlog, drain } = createSetting([event(1)])
  await drain()
  setting.stored = eventRange(1, 2)
  assert.equal(backlog.noteUnstoredSequence(65), 'gap')
  assert.deepEqual(await drain(), [2])
  assert.equal(backlog.noteUnstoredSequence(66), 'next')
  assert.equal(backlog.noteUnstoredSequence(66), 'stale')
  assert.equal(backlog.noteUnstoredSequence(3), 'stale')
})

test('a backlog that exceeds the memory limit is read from the store in order', async () => {
  const { setting, backlog, drain } = createSetting(eventRange(1, 1))
  await backlog.readHead()
  for (let sequence = 2; sequence <= 700; sequence += 1) {
    setting.stored.push(event(sequence))
    backlog.push([event(sequence)])
  }
  assert.ok(backlog.queuedAfterHead().length < 300)
  assert.deepEqual(
    await drain(),
    eventRange(1, 700).map(({ sequence }) => sequence),
  )
})

test('a lane with a filter sends only the wanted types and reports how far it has read', async () => {
  const stored = [event(1, 'other'), event(2), event(3, 'other'), event(4, 'last')]
  const { backlog, drain } = createSetting(stored, { ...NEW_LANE, events: ['segment_finalized'] })
  assert.deepEqual(await drain(), [2])
  assert.deepEqual([backlog.readThrough(), backlog.isComplete()], [4, true])
})

test('a replay ends at its last sequence, also while the meeting is running', async () => {
  const range = { kind: 'replay', lastSequence: 5, requestedAt: 0, usesMeetingUrl: true } as const
  const replay = { ...NEW_LANE, ...range, deliveredThrough: 2 }
  const { backlog, drain } = createSetting(eventRange(1, 200), replay)
  assert.deepEqual(await drain(), [3, 4, 5])
  assert.deepEqual([backlog.readThrough(), backlog.isComplete()], [5, true])
})

test('a backlog is complete only after the last event of the meeting was read and removed', async () => {
  const { setting, backlog, drain } = createSetting(eventRange(1, 2))
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
