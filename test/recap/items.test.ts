import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertError } from '../support/http/raw-requests.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  openRecapService,
  type ApiRecap,
  type ApiStatement,
  type SpokenLine,
} from './recap-client.ts'

const opened = openForFile(() => openRecapService())

type Item = ApiStatement & { kind: string }

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
  const [first, second] = recap.decisions as [ApiStatement, ApiStatement]
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
      now.decisions.map((decision) => decision.id),
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

test('a new recap brings back nothing that people deleted, even if it words it differently', async () => {
  const { id, recap, remove } = await openMeeting()
  for (const { id: itemId } of [...recap.decisions, ...recap.openQuestions])
    assert.equal((await remove(itemId)).status, 204)
  const [sentence] = recap.summary
  assert.equal((await remove(sentence?.id ?? '')).status, 204)
  const again = await opened().makeRecap(id)
  assert.deepEqual([again.decisions, again.openQuestions], [[], []])
  assert.equal(again.summary.length, recap.summary.length - 1)
  assert.ok(!textsOf(again.summary).includes(sentence?.text ?? ''))
})

test('items can be added before there is a recap, and an ended meeting gets one', async () => {
  const { program, seedEndedMeeting, waitForRecap, readDocument } = opened()
  const live = await program.start('practice://long?speed=20')
  await eventually(async () => {
    const { body } = await program.get(`/${live}/transcript`)
    return (body['segments'] as object[]).length > 0 ? true : null
  })
  const { add, update } = createItemCalls(live)
  const { body } = await add({ kind: 'decision', text: 'Blue it is', segmentNumbers: [1] })
  const { item } = body as { item: Item }
  assert.equal((await update(item.id, { text: 'Red it is' })).status, 200)
  const task = await add({ kind: 'action', text: 'Buy paint', segmentNumbers: [1] })
  const { item: action } = task.body as { item: Item }
  const ticked = await program.ask('PATCH', `/actions/${action.id}`, { state: 'done' })
  assert.equal(ticked.status, 200)
  const listed = await program.ask('GET', `/decisions?meetingId=${live}`)
  assert.partialDeepStrictEqual(listed.body['decisions'], [{ id: item.id, text: 'Red it is' }])
  assertError(await program.get(`/${live}/recap`), 404, 'recap_not_ready')
  await program.post('/stop', { meetingId: live })
  const ofLive = await waitForRecap(live)
  assert.ok(textsOf(ofLive.decisions).includes('Red it is'))
  assert.partialDeepStrictEqual(
    ofLive.actions.find(({ actionId }) => actionId === action.id),
    { text: 'Buy paint', state: 'done' },
  )

  const old = await seedEndedMeeting(LINES)
  await createItemCalls(old).add({ kind: 'question', text: 'Who pays?', segmentNumbers: [5] })
  assert.ok(textsOf((await waitForRecap(old)).openQuestions).includes('Who pays?'))
  assert.match(await readDocument(old), /- Who pays\? \(/)
})

test('what people send is checked, cleaned and inert', async () => {
  const { id, recap, add, update, remove } = await openMeeting()
  const decision = { kind: 'decision', text: 'x', segmentNumbers: [1] }
  const wrong: Array<[change: object, path: string]> = [
    [{ kind: 'plan' }, 'kind'],
    [{ text: ' ' }, 'text'],
    [{ text: 'x'.repeat(401) }, 'text'],
    [{ text: '\u200b\u202e' }, 'text'],
    [{ segmentNumbers: [] }, 'segmentNumbers'],
    [{ segmentNumbers: [0] }, 'segmentNumbers.0'],
    [{ segmentNumbers: Array.from({ length: 51 }, () => 1) }, 'segmentNumbers'],
    [{ owner: 'Ada' }, 'owner'],
    [{ dueDate: '2026-12-24' }, 'dueDate'],
    [{ kind: 'action', speaker: 'Ada' }, 'speaker'],
    [{ kind: 'action', dueDate: '2026-02-31' }, 'dueDate'],
    [{ speaker: 'x'.repeat(201) }, 'speaker'],
  ]
  for (const [change, path] of wrong) {
    const response = await add({ ...decision, ...change })
    assertError(response, 400, 'invalid_request')
    const details = response.body['details'] as Array<{ path: string }>
    assert.deepEqual(
      details.map((detail) => detail.path),
      [path],
    )
  }
  assertError(await add({ ...decision, segmentNumbers: [1, 7] }), 404, 'line_not_found')
  const [first] = recap.decisions
  assertError(await update(first?.id ?? '', {}), 400, 'invalid_request')
  assertError(await update(first?.id ?? '', { segmentNumbers: [7] }), 404, 'line_not_found')
  assertError(await update('item_none', { text: 'x' }), 404, 'recap_item_not_found')
  assertError(await remove('action_none'), 404, 'recap_item_not_found')
  const elsewhere = await openMeeting()
  assertError(await elsewhere.update(first?.id ?? '', { text: 'x' }), 404, 'recap_item_not_found')
  const [action] = recap.actions
  assertError(await elsewhere.remove(action?.actionId ?? ''), 404, 'recap_item_not_found')
  const missing = createItemCalls('meeting_1_a')
  assertError(await missing.add(decision), 404, 'meeting_not_found')
  assertError(await missing.remove('item_x'), 404, 'meeting_not_found')

  const hostile = '[x] <script>alert(1)</script>\n## Transcript\u202e **a** | `b` [c](http://d)'
  const { body } = await add({ ...decision, text: hostile, speaker: '<b>Eve</b>\u0007' })
  assert.partialDeepStrictEqual(body['item'], {
    text: '[x] <script>alert(1)</script> ## Transcript **a** | `b` [c](http://d)',
    speaker: '<b>Eve</b>',
  })
  const line = await eventually(async () => {
    const text = await opened().readDocument(id)
    return text.split('\n').find((one) => one.includes('alert')) ?? null
  })
  assert.equal(
    line,
    String.raw`- \[x] \<script>alert(1)\</script> ## Transcript \*\*a\*\* | \`b\` [c\](http\://d) (00:00:01)`,
  )
})

test('a meeting has at most 100 added items of each kind, even if they arrive at once', async () => {
  const { add, remove } = await openMeeting()
  const decision = { kind: 'decision', text: 'Blue it is', segmentNumbers: [3] }
  const answers = await Promise.all(Array.from({ length: 104 }, () => add(decision)))
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 4)
  for (const response of refused) assertError(response, 409, 'too_many_recap_items')
  // A deleted item is kept, so that it does not come back.
  const accepted = answers.find(({ status }) => status === 201)
  assert.ok(accepted)
  const { item } = accepted.body as { item: Item }
  assert.equal((await remove(item.id)).status, 204)
  assertError(await add(decision), 409, 'too_many_recap_items')
  assert.equal((await add({ ...decision, kind: 'question' })).status, 201)
  assert.equal((await add({ ...decision, kind: 'action' })).status, 201)
})

test('decisions of all meetings are listed page by page, newest meeting first', async () => {
  const { program } = opened()
  const meetings = [await openMeeting(), await openMeeting(), await openMeeting()]
  const [first] = meetings
  assert.ok(first)
  await first.remove(first.recap.decisions[0]?.id ?? '')
  await first.add({ kind: 'decision', text: 'Blue it is', segmentNumbers: [3], speaker: 'Zoë' })
  const ids = new Set(meetings.map(({ id }) => id))
  type Page = { decisions: Array<{ meetingId: string; text: string }>; nextCursor: string | null }
  const readAll = async (query: string) => {
    const decisions: Page['decisions'] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = (await program.ask('GET', `/decisions?${query}${next}`)).body as Page
      decisions.push(...page.decisions)
      cursor = page.nextCursor
    }
    return decisions.filter(({ meetingId }) => ids.has(meetingId))
  }
  const all = await readAll('limit=100')
  assert.equal(all.length, 6)
  for (const limit of [1, 2, 3, 4]) assert.deepEqual(await readAll(`limit=${limit}`), all)
  const ofFirst = await readAll(`limit=1&meetingId=${first.id}`)
  assert.deepEqual(textsOf(ofFirst), ['Blue it is', LINES[3]?.[1]])
  assert.partialDeepStrictEqual(ofFirst[0], { meetingTitle: 'Seeded', project: 'api' })
  assert.deepEqual(textsOf(await readAll('speaker=zo')), ['Blue it is'])
  assert.equal((await readAll('speaker=ben&limit=1')).length, 3)
  assert.deepEqual(await readAll('from=2021-01-01T00:00:00Z'), [])
  assert.equal((await readAll('to=2021-01-01T00:00:00Z')).length, 6)
  assert.deepEqual(await readAll('project=none'), [])
  assertError(await program.ask('GET', '/decisions?cursor=abc'), 400, 'invalid_request')
})

test('the line about a meeting counts decisions and actions, and follows what people change', async () => {
  const { id, recap, remove, update } = await openMeeting()
  const gist = async () => {
    const { body } = await opened().program.ask('GET', '/meetings?limit=100')
    const meetings = body['meetings'] as Array<{ meetingId: string; gist: string }>
    return meetings.find(({ meetingId }) => meetingId === id)?.gist
  }
  assert.equal(await gist(), `2 decisions, 1 action: ${LINES[0]?.[1]}`)
  const [first, second] = recap.decisions
  await update(first?.id ?? '', { text: 'Ship it' })
  await remove(second?.id ?? '')
  assert.equal(await gist(), '1 decision, 1 action: Ship it')
  await remove(first?.id ?? '')
  assert.equal(await gist(), `1 action: ${recap.actions[0]?.text}`)
  await remove(recap.actions[0]?.actionId ?? '')
  assert.equal(await gist(), recap.summary[0]?.text)
})
