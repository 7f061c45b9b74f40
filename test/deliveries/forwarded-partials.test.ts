import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { channelOfNode, NODE_MESSAGE_CHANNEL } from '../../src/db/nodes/heartbeats.ts'
import { decodeNodeMessage, splitMessages } from '../../src/db/nodes/node-messages.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** Each is a new text of the same caption, so that nothing becomes final. */
const CAPTION = { kind: 'caption', captionId: 'one', speaker: 'Ana', isFinal: false } as const

/** Partial captions for callbacks that were sent between nodes, by channel and meeting. */
async function listenToNodes(databaseUrl: string, nodeIds: readonly string[]) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const heard: Array<{ channel: string; meetingId: string; captionText: string }> = []
  client.on('notification', ({ channel, payload = '' }) => {
    for (const message of splitMessages(payload).map(decodeNodeMessage)) {
      if (message?.kind !== 'callback_partial') continue
      const { meetingId, body } = message.data as { meetingId: string; body: string }
      const { payload } = JSON.parse(body) as { payload: { text: string } }
      heard.push({ channel, meetingId, captionText: payload.text })
    }
  })
  for (const channel of [NODE_MESSAGE_CHANNEL, ...nodeIds.map(channelOfNode)])
    await client.query(`listen "${channel}"`)
  return { heard, client, [Symbol.asyncDispose]: () => client.end() }
}

test('a node that only attends meetings sends partial captions to the node that delivers them, and to no other', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const receiver = stack.use(await openRecordingReceiver())
  const platform = createScriptedPlatform()
  const start = async (roles: string) => {
    const env = { DATABASE_URL: database.url, HANSARD_MASTER_KEY: MASTER_KEY, HANSARD_ROLES: roles }
    return startService(env, { platforms: [platform] })
  }
  stack.use(await start('bots'))
  const api = stack.use(await start('api,tasks'))
  await using tasks = await start('tasks')
  const program = await openMeetingsClient(api)
  receiver.trustSecrets(program.signingSecret)
  const { body } = await program.admin.get('/web/system/nodes')
  const nodeIds = (body['nodes'] as Array<{ id: string }>).map(({ id }) => id)
  assert.equal(nodeIds.length, 3)
  const nodes = stack.use(await listenToNodes(database.url, nodeIds))

  /** Each node gets a lane sooner or later, because both look for due lanes. */
  const join = async (name: string, more: object = {}) => {
    const room = platform.room(name)
    room.emit({ kind: 'admitted' })
    const meetingId = await program.start(`stage://${name}`, { callbackUrl: receiver.url, ...more })
    await program.waitForStatus(meetingId, ['live'])
    let version = 0
    const speak = () =>
      room.emit({ ...CAPTION, text: `words of ${name} ${(version += 1)}`, version })
    const findOwner = async () =>
      eventually(async () => {
        const { rows } = await nodes.client.query<{ owner: string | null }>(
          'select owner from lane where meeting_id = $1',
          [meetingId],
        )
        return rows[0]?.owner ?? null
      })
    const countReceived = () =>
      receiver.callsFor(meetingId).filter(({ event }) => event.type === 'caption_partial').length
    const speakUntilReceived = async (more: number) => {
      const wanted = countReceived() + more
      await eventually(() => {
        if (countReceived() >= wanted) return true
        speak()
        return null
      })
    }
    const channels = (from = 0) =>
      new Set(
        nodes.heard.slice(from).flatMap((one) => (one.meetingId === meetingId ? one.channel : [])),
      )
    return { meetingId, speak, findOwner, speakUntilReceived, countReceived, channels }
  }

  const first = await join('one')
  const owner = await first.findOwner()
  await first.speakUntilReceived(3)
  assert.deepEqual([...first.channels()], [channelOfNode(owner)])
  const forwarded = nodes.heard.length
  assert.ok(forwarded >= first.countReceived(), 'each partial caption is one message')

  const unwanted = await join('two', { events: ['meeting_status'] })
  await unwanted.findOwner()
  unwanted.speak()
  await first.speakUntilReceived(2)
  assert.deepEqual([...unwanted.channels()], [], 'the receiver wants no partial captions')

  // A lane that moves to another node gets its captions there.
  const all = [first, unwanted, ...(await Promise.all(['three', 'four'].map((name) => join(name))))]
  const [tasksNode] = await nodes.client
    .query<{ id: string }>(`select id from node where roles = '{tasks}'`)
    .then(({ rows }) => rows.map(({ id }) => id))
  const apiNode = nodeIds.find((id) => id !== tasksNode && id !== undefined)
  assert.ok(apiNode)
  await tasks[Symbol.asyncDispose]()
  for (const meeting of all.filter((one) => one !== unwanted)) {
    const before = nodes.heard.length
    await eventually(async () => ((await meeting.findOwner()) === tasksNode ? null : true))
    await meeting.speakUntilReceived(2)
    assert.ok(meeting.channels(before).has(channelOfNode(await meeting.findOwner())))
  }
  assert.ok(nodes.heard.every(({ channel }) => channel !== NODE_MESSAGE_CHANNEL))
  assert.deepEqual(receiver.problems, [])
})
