import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { createRandomName } from '../support/access/random-name.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { openStream } from '../support/http/event-stream.ts'

type Person = Credentials & { userId: string }

let world: AccessWorld
let [editor, reader, outside]: Person[] = []
before(async () => {
  world = await startAccessWorld()
  ;[editor, reader, outside] = await Promise.all([
    world.addUser(),
    world.addUser(),
    world.addUser(),
  ])
})
after(() => world[Symbol.asyncDispose]())

/** A private project with an ended meeting of one line and its recap, an editor and a reader. */
async function openMeeting() {
  assert.ok(editor && reader && outside)
  const project = createRandomName()
  await world.setAccess(project, 'private')
  await world.addMember(project, editor.userId, 'editor')
  await world.addMember(project, reader.userId, 'reader')
  const { meeting, action_item: action } = await world.plant(project, createRandomName())
  const path = `/meetings/${meeting}/recap`
  const readDecision = async (): Promise<string> => {
    const { body } = await world.call(editor?.key ?? {}, 'GET', `/api/v1${path}`)
    return (body['decisions'] as Array<{ id: string }>)[0]?.id ?? ''
  }
  return { project, meeting, action, path, readDecision, editor, reader, outside }
}

const NEW_ITEM = { kind: 'decision', text: 'Blue it is', segmentNumbers: [1] }

test('editors correct a recap, readers only read it, and others learn nothing about it', async () => {
  const { meeting, action, path, readDecision, ...people } = await openMeeting()
  const decision = await readDecision()
  for (const [person, expected] of [
    [people.outside, [404, 404, 404, 404, 404]],
    [people.reader, [403, 403, 403, 403, 403]],
    [people.editor, [201, 200, 200, 204, 204]],
  ] as const) {
    for (const [surface, headers] of [
      ['/api/v1', person.key],
      ['/web', person.session],
    ] as const) {
      // What the editor deleted with the key is gone for the session.
      if (surface === '/web' && person === people.editor) continue
      const items = `${surface}${path}/items`
      const answers = [
        await world.call(headers, 'POST', items, NEW_ITEM),
        await world.call(headers, 'PATCH', `${items}/${decision}`, { text: 'Red it is' }),
        await world.call(headers, 'PATCH', `${items}/${action}`, { owner: 'Ada' }),
        await world.call(headers, 'DELETE', `${items}/${decision}`),
        await world.call(headers, 'DELETE', `${items}/${action}`),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        expected,
      )
    }
  }
  const listed = await world.call(
    people.outside.key,
    'GET',
    `/api/v1/decisions?meetingId=${meeting}`,
  )
  assert.deepEqual(listed.body['decisions'], [])
})

test('a change that waits while its meeting is moved needs the right in the other project', async () => {
  const { meeting, path, readDecision, editor: person } = await openMeeting()
  const item = `/api/v1${path}/items/${await readDecision()}`
  const elsewhere = createRandomName()
  await world.setAccess(elsewhere, 'private')
  const moving = await world.db.startTransaction().execute()
  await moving
    .updateTable('meeting')
    .set({ project: elsewhere })
    .where('id', '=', meeting)
    .execute()
  const changed = world.call(person.key, 'PATCH', item, { text: 'Red it is' })
  await waitForLockWaiters(world.db, 'transactionid', 1)
  await moving.commit().execute()
  assert.equal((await changed).status, 404)
  const stored = await world.db
    .selectFrom('recap_item')
    .select('id')
    .where('meeting_id', '=', meeting)
    .execute()
  assert.deepEqual(stored, [])
})

test('open consoles of readers learn that a recap was corrected, programs and others do not', async () => {
  const { meeting, action, path, ...people } = await openMeeting()
  const startForAll = async () => {
    const { body } = await world.call(people.editor.key, 'POST', '/api/v1/meetings/start', {
      url: 'practice://standup',
      callbackUrl: 'listen:nobody',
    })
    return String(body['meetingId'])
  }
  const open = (surface: string, headers: Record<string, string>) =>
    openStream(`http://127.0.0.1:${world.port}${surface}/events/stream?after=0.0.0`, headers)
  const earlier = await startForAll()
  using ofReader = await open('/web', people.reader.session)
  using ofOther = await open('/web', people.outside.session)
  using ofProgram = await open('/api/v1', people.reader.key)
  // A stream that has sent an event is subscribed to changes.
  for (const stream of [ofReader, ofOther, ofProgram])
    await stream.waitUntil((messages) => messages.some(({ data }) => data.meetingId === earlier))
  const changes: Array<() => Promise<{ status: number }>> = [
    () => world.call(people.editor.key, 'POST', `/api/v1${path}/items`, NEW_ITEM),
    () => world.call(people.editor.key, 'PATCH', `/api/v1/actions/${action}`, { state: 'done' }),
    () => world.call(people.editor.key, 'DELETE', `/api/v1${path}/items/${action}`),
  ]
  for (const [i, change] of changes.entries()) {
    await change()
    await ofReader.waitUntil(
      (messages) =>
        messages.filter(
          ({ event, data }) => event === 'recap_items_changed' && data.meetingId === meeting,
        ).length ===
        i + 1,
    )
  }
  // A meeting for all comes later. Its event shows that nothing was left out by chance.
  const later = await startForAll()
  for (const stream of [ofOther, ofProgram]) {
    await stream.waitUntil((messages) => messages.some(({ data }) => data.meetingId === later))
    assert.ok(!stream.messages.some(({ event }) => event === 'recap_items_changed'))
  }
})
