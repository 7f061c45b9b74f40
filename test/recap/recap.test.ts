import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertError } from '../support/http/raw-requests.ts'
import { eventually } from '../support/time/eventually.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openRecapService, type ApiAction } from './recap-client.ts'

const opened = openForFile(() => openRecapService())

test('an ended meeting gets a recap by rules, as data and in its document', async () => {
  const { runMeeting, waitForRecap, readDocument, program } = opened()
  const id = await runMeeting({ title: 'Weekly sync' })
  const recap = await waitForRecap(id)
  assert.partialDeepStrictEqual(recap, {
    status: 'completed',
    method: 'rules',
    model: null,
    error: null,
    documentState: 'written',
  })
  assert.ok(recap.summary.length >= 3 && recap.summary.length <= 6)
  assert.ok(recap.actions.length > 0)
  const { body } = await program.get(`/${id}/transcript`)
  const numbers = new Set(
    (body['segments'] as Array<{ segmentNumber: number }>).map(
      ({ segmentNumber }) => segmentNumber,
    ),
  )
  for (const { segmentNumbers } of [...recap.summary, ...recap.actions]) {
    assert.ok(segmentNumbers.length > 0 && segmentNumbers.every((number) => numbers.has(number)))
  }
  const text = await readDocument(id)
  const [before = '', after = ''] = text.split('\n## Transcript\n')
  const [head = '', part = ''] = before.split('\n## Recap\n')
  assert.ok(head.startsWith('---\n') && head.endsWith('\n# Weekly sync\n'))
  assert.match(part, /### Action items\n\n- \[ \] /)
  const { body: markdown } = await program.get(`/${id}/transcript/md`)
  const transcript = String(markdown['text']).replace(/\n## Insights\n[\s\S]*$/, '')
  assert.ok(after.startsWith(transcript.slice(transcript.indexOf('\n', 1) + 1)))
})

test('a meeting without words has no recap and says why', async () => {
  const { program } = opened()
  const id = await program.start('practice://denied?speed=1000')
  await program.waitForStatus(id)
  const response = await program.get(`/${id}/recap`)
  assertError(response, 404, 'recap_not_ready')
  assert.equal(response.body['error'], 'Nothing was said in this meeting')
  assertError(await program.ask('POST', `/meetings/${id}/recap`), 404, 'recap_not_ready')
})

test('a running meeting has no recap yet', async () => {
  const { program } = opened()
  const id = await program.start('practice://long')
  assertError(await program.get(`/${id}/recap`), 404, 'recap_not_ready')
  assertError(await program.ask('POST', `/meetings/${id}/recap`), 409, 'meeting_active')
  await program.post('/stop', { meetingId: id })
  assertError(await program.get('/meeting_1_a/recap'), 404, 'meeting_not_found')
})

test('action items of all meetings are listed page by page, and a changed one survives a new recap', async () => {
  const { runMeeting, waitForRecap, updateAction, readDocument, program } = opened()
  const id = await runMeeting({ project: 'actions-test' })
  const { actions } = await waitForRecap(id)
  assert.ok(actions.length >= 3)
  const [first, second, third] = actions as [ApiAction, ApiAction, ApiAction]
  const list = async (query: string) => {
    const { body } = await program.ask('GET', `/actions?project=actions-test${query}`)
    return body as { actions: ApiAction[]; nextCursor: string | null }
  }
  const page = await list('&limit=2')
  const rest = await list(`&limit=100&cursor=${page.nextCursor}`)
  assert.deepEqual(
    [...page.actions, ...rest.actions].map(({ actionId }) => actionId),
    actions.map(({ actionId }) => actionId),
  )
  const untouched = await updateAction(first.actionId, {})
  assert.partialDeepStrictEqual(untouched.body['action'], { text: first.text, editedAt: null })
  await updateAction(first.actionId, { state: 'done' })
  const edit = { text: 'Call the *customer*', owner: 'Zoë', dueDate: '2026-12-24' }
  const changed = await updateAction(second.actionId, edit)
  assert.partialDeepStrictEqual(changed.body['action'], { ...edit, project: 'actions-test' })
  await updateAction(third.actionId, { state: 'deleted' })
  await eventually(async () => {
    const text = await readDocument(id)
    return /- \[x\] /.test(text) &&
      text.includes('**Zoë**: Call the \\*customer\\* (due 2026-12-24')
      ? true
      : null
  })
  const { version } = await waitForRecap(id)
  const again = await program.ask('POST', `/meetings/${id}/recap`)
  assert.equal(again.status, 202)
  const recap = await waitForRecap(id, (now) => now.version > version && now.status === 'completed')
  assert.deepEqual(
    recap.actions.map(({ actionId }) => actionId),
    actions.filter((action) => action !== third).map(({ actionId }) => actionId),
  )
  assert.partialDeepStrictEqual(recap.actions.slice(0, 2), [{ state: 'done' }, edit])
  assert.deepEqual(
    (await list('&owner=zo')).actions.map(({ actionId }) => actionId),
    [second.actionId],
  )
  assert.deepEqual((await list('&dueBefore=2026-12-24&owner=Zo')).actions, [])
  assert.equal((await list('&state=deleted')).actions[0]?.actionId, third.actionId)
})

test('a change of an action item is validated', async () => {
  const { updateAction, program } = opened()
  assertError(await updateAction('action_none', { state: 'done' }), 404, 'action_not_found')
  assertError(await updateAction('action_none', { state: 'gone' }), 400, 'invalid_request')
  assertError(await updateAction('action_none', { text: ' ' }), 400, 'invalid_request')
  assertError(await updateAction('action_none', { dueDate: '2026-02-31' }), 400, 'invalid_request')
  assertError(await program.ask('GET', '/actions?cursor=abc'), 400, 'invalid_request')
  assertError(await program.ask('GET', '/actions?dueBefore=soon'), 400, 'invalid_request')
})
