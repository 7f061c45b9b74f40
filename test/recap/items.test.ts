import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertError } from '../support/http/raw-requests.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import { openRecapService, type ApiRecap, type SpokenLine } from './recap-client.ts'

const opened = openForFile(() => openRecapService())

type Item = { id: string; kind: string; text: string; speaker: string | null; editedAt: string }

const LINES: SpokenLine[] = [
  ['Ada', 'We decided to ship the new search page on Friday.'],
  ['Ben', 'I will fix the search page by Wednesday.'],
  ['Ada', 'The customers like the new colours of the start page very much.'],
  ['Ben', 'We agreed to pay the printing company in advance from now on.'],
  ['Zoë', 'How much does the second server cost per month?'],
  ['Ben', 'Nobody knows that.'],
]

/** Calls of the routes under test. */
function createItemCalls(meetingId: string) {
  const { program } = opened()
  const url = `/meetings/${meetingId}/recap/items`
  return {
    add: (body: object) => program.ask('POST', url, body),
    update: (id: string, body: object) => program.ask('PATCH', `${url}/${id}`, body),
    remove: (id: string) => program.ask('DELETE', `${url}/${id}`),
  }
}

async function openMeeting() {
  const { seedEndedMeeting, makeRecap } = opened()
  const id = await seedEndedMeeting(LINES)
  const recap = await makeRecap(id)
  return { id, recap, ...createItemCalls(id) }
}

const textsOf = (statements: ReadonlyArray<{ text: string }>) => statements.map(({ text }) => text)

test('what people add, change and delete is in the recap, in its document, and survives a new recap', async () => {
  const { id, recap, add, update, remove } = await openMeeting()
  const { makeRecap, readDocument } = opened()
  assert.equal(recap.decisions.length, 2)
  const [first, second] = recap.decisions as [Item, Item]
  assert.partialDeepStrictEqual(first, { speaker: 'Ada', editedAt: null })
  assert.match(first.id, /^item_/)

  const changed = await update(first.id, { text: 'The search page ships on Friday', speaker: null })
  assert.equal(changed.status, 200)
  assert.partialDeepStrictEqual(changed.body['item'], {
    id: first.id,
    kind: 'decision',
    text: 'The search page ships on Friday',
    speaker: null,
    segmentNumbers: [1],
  })
  assert.equal((await remove(second.id)).status, 204)
  const added = await add({ kind: 'decision', text: 'Blue it is', segmentNumbers: [3, 3] })
  assert.equal(added.status, 201)
  const { item } = added.body as { item: Item }
  assert.partialDeepStrictEqual(item, { speaker: 'Ada', segmentNumbers: [3], owner: null })
  const task = await add({
    kind: 'action',
    text: 'Ask for the price',
    segmentNumbers: [5, 6],
    owner: 'Ben',
    dueDate: '2026-12-24',
  })
  const { item: action } = task.body as { item: Item }
  assert.match(action.id, /^action_/)
  assert.equal(
    (await add({ kind: 'summary', text: 'All about pages', segmentNumbers: [6] })).status,
    201,
  )

  const expectEdited = (now: ApiRecap) => {
    assert.deepEqual(textsOf(now.decisions), ['The search page ships on Friday', 'Blue it is'])
    assert.deepEqual(
      now.decisions.map((decision) => (decision as Item).id),
      [first.id, item.id],
    )
    assert.equal(textsOf(now.summary).at(-1), 'All about pages')
    assert.partialDeepStrictEqual(now.actions.at(-1), {
      actionId: action.id,
      owner: 'Ben',
      dueDate: '2026-12-24',
      source: 'person',
    })
  }
  expectEdited(await opened().recap(id))
  await eventually(async () => {
    const text = await readDocument(id)
    return text.includes('- Blue it is (00:00:03)') &&
      text.includes('**Ben**: Ask for the price (due 2026-12-24') &&
      !text.split('## Transcript')[0]?.includes('printing company in advance')
      ? true
      : null
  })
  expectEdited(await makeRecap(id))
})

test('an action item can be changed and deleted as an item of its recap', async () => {
  const { id, recap, update, remove } = await openMeeting()
  const [action] = recap.actions
  assert.ok(action)
  const change = { text: 'Mend the page', owner: 'Zoë', segmentNumbers: [6, 2] }
  const { body } = await update(action.actionId, change)
  assert.partialDeepStrictEqual(body['item'], {
    kind: 'action',
    text: 'Mend the page',
    owner: 'Zoë',
    speaker: null,
    segmentNumbers: [2, 6],
  })
  const again = await opened().makeRecap(id)
  assert.deepEqual(textsOf(again.actions), ['Mend the page'])
  assert.equal((await remove(action.actionId)).status, 204)
  assertError(await remove(action.actionId), 404, 'recap_item_not_found')
  assert.deepEqual((await opened().makeRecap(id)).actions, [])
})
