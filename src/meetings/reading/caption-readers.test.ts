import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { NodeMessageData } from '../../db/nodes/node-messages.ts'
import { createCaptionReaders } from './caption-readers.ts'

type Announcement = NodeMessageData<'captions_read'>

/** Two nodes that get each other's messages. Each reads what its set says; null is all meetings. */
function openTwoNodes() {
  const setting = { isConnected: true, nowMs: 0, sent: 0 }
  const listeners = new Map<string, (message: Announcement) => void>()
  const createNode = (nodeId: string, other: string) => {
    const node: { read: Set<string> | null } = { read: new Set() }
    const readers = createCaptionReaders({
      membership: {
        nodeId,
        broadcast(_, data) {
          setting.sent += 1
          if (setting.isConnected) listeners.get(other)?.(data as Announcement)
        },
        onMessage: (_, listener) => void listeners.set(nodeId, listener as never),
      },
      readHere: () => node.read,
      now: () => setting.nowMs,
    })
    const read = (meetingIds: string[] | null) => {
      node.read = meetingIds === null ? null : new Set(meetingIds)
      readers.changed()
    }
    return { readers, read }
  }
  return { setting, bot: createNode('bot', 'api'), api: createNode('api', 'bot') }
}

test('partial captions go only to a node that reads the meeting, until it has read it', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { bot, api, setting } = openTwoNodes()
  assert.deepEqual(bot.readers.nodesReading('m1'), [])
  api.read(['m1'])
  api.read(['m1'])
  assert.equal(setting.sent, 1, 'nothing is sent if nothing has changed')
  assert.deepEqual(bot.readers.nodesReading('m1'), ['api'])
  assert.deepEqual(bot.readers.nodesReading('m2'), [])
  assert.deepEqual(api.readers.nodesReading('m1'), [], 'not to itself')
  api.read(null)
  assert.deepEqual(bot.readers.nodesReading('m2'), ['api'])
  api.read([])
  assert.deepEqual(bot.readers.nodesReading('m1'), [])
  t.mock.timers.tick(60_000)
  assert.equal(setting.sent, 3, 'a node without readers repeats nothing')
})

test('a lost message is repeated, and a node that repeats nothing is forgotten', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { bot, api, setting } = openTwoNodes()
  setting.isConnected = false
  api.read(['m1'])
  assert.deepEqual(bot.readers.nodesReading('m1'), [])
  setting.isConnected = true
  t.mock.timers.tick(5_000)
  assert.deepEqual(bot.readers.nodesReading('m1'), ['api'])
  setting.isConnected = false
  setting.nowMs += 15_001
  assert.deepEqual(bot.readers.nodesReading('m1'), [])
})

test('a node that reads more meetings than a message can list gets those of all', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { bot, api } = openTwoNodes()
  api.read(Array.from({ length: 151 }, (_, i) => `m${i}`))
  assert.deepEqual(bot.readers.nodesReading('other'), ['api'])
})
