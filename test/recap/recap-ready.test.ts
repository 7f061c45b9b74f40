import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../src/meetings/event-types.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openRecapService } from './recap-client.ts'

const OTHER_EVENT_TYPES = [
  'meeting_status',
  'caption_partial',
  'segment_finalized',
  'coach_insight',
  'participant_joined',
  'participant_left',
  'document_saved',
]

/** Sent only to meetings that list them. */
const RECAP_EVENT_TYPES = ['recap_ready', 'decision_recorded', 'action_created', 'action_changed']

test('events about briefs, official transcripts and recaps are the only ones besides the seven that every meeting sends', () => {
  assert.deepEqual(EVENT_TYPES, [
    ...OTHER_EVENT_TYPES,
    'brief_ready',
    'transcript_changed',
    ...RECAP_EVENT_TYPES,
  ])
})

test('recap_ready is sent after the end, only to meetings that list it', async () => {
  await using receiver = await openRecordingReceiver()
  await using opened = await openRecapService()
  const { program, runMeeting, waitForRecap } = opened
  receiver.trustSecrets(program.signingSecret)
  const callbackUrl = receiver.url
  const events = ['meeting_status', 'recap_ready']
  const listed = await runMeeting({ callbackUrl, events })
  const onlyRecap = await runMeeting({ callbackUrl, events: ['recap_ready'] })
  const plain = await runMeeting({ callbackUrl })
  await waitForRecap(plain)
  await waitForRecap(onlyRecap)
  await receiver.waitUntil((calls) =>
    [listed, onlyRecap].every((id) =>
      calls.some(({ event }) => event.type === 'recap_ready' && event.meetingId === id),
    ),
  )
  await program.waitForDelivery(plain)
  await program.waitForDelivery(onlyRecap)
  const typesOf = (id: string) => receiver.callsFor(id).map(({ event }) => event.type)
  assert.equal(typesOf(listed).at(-1), 'recap_ready')
  assert.deepEqual(typesOf(onlyRecap), ['recap_ready'])
  assert.ok(typesOf(plain).every((type) => OTHER_EVENT_TYPES.includes(type)))
  assert.ok(!(await program.events(plain)).some(({ type }) => type === 'recap_ready'))
  const recap = await waitForRecap(listed)
  const stored = (await program.events(listed)).at(-1)
  assert.partialDeepStrictEqual(stored, {
    type: 'recap_ready',
    payload: {
      version: recap.version,
      method: 'rules',
      error: null,
      summary: recap.summary.map(({ text }) => text),
      actionCount: recap.actions.length,
    },
  })
  assert.deepEqual(receiver.problems, [])
})

test('decisions and actions are announced once, and then what changes in them', async () => {
  await using receiver = await openRecordingReceiver()
  await using opened = await openRecapService()
  const { program, makeRecap, updateAction } = opened
  receiver.trustSecrets(program.signingSecret)
  const id = await opened.runMeeting({ callbackUrl: receiver.url, events: RECAP_EVENT_TYPES })
  const recap = await opened.waitForRecap(id)
  const announced = async () =>
    (await program.events(id))
      .filter(({ type }) => RECAP_EVENT_TYPES.includes(type))
      .map(({ type, payload }) => ({ type, ...payload }))
  const first = await announced()
  assert.deepEqual(
    first.map(({ type }) => type),
    [
      'recap_ready',
      ...recap.decisions.map(() => 'decision_recorded'),
      ...recap.actions.map(() => 'action_created'),
    ],
  )
  const [action, other] = recap.actions
  assert.ok(action && other)
  assert.partialDeepStrictEqual(first.at(-recap.actions.length), {
    actionId: action.actionId,
    project: 'api',
    text: action.text,
    owner: action.owner,
    dueDate: action.dueDate,
    state: 'open',
    segmentNumbers: action.segmentNumbers,
  })
  const { url } = first.at(-1) as unknown as { url: string }
  assert.match(url, new RegExp(`^http://[^/]+/meetings/${id}#line-\\d+$`))

  await updateAction(action.actionId, { state: 'done' })
  await program.ask('PATCH', `/meetings/${id}/recap/items/${action.actionId}`, { owner: 'Zoë' })
  await updateAction(action.actionId, { state: 'done' })
  await program.ask('DELETE', `/meetings/${id}/recap/items/${other.actionId}`)
  const item = { kind: 'decision', text: 'Colours stay', segmentNumbers: [1] }
  const added = await program.ask('POST', `/meetings/${id}/recap/items`, item)
  assert.equal(added.status, 201)
  await makeRecap(id)
  const later = (await announced()).slice(first.length)
  assert.partialDeepStrictEqual(later, [
    { type: 'action_changed', actionId: action.actionId, previous: { state: 'open' } },
    { type: 'action_changed', owner: 'Zoë', previous: { owner: action.owner } },
    { type: 'action_changed', actionId: other.actionId, state: 'deleted' },
    { type: 'decision_recorded', text: 'Colours stay', state: 'recorded', previous: null },
    { type: 'recap_ready' },
  ])
  assert.equal(later.length, 5)
  await receiver.waitUntil((calls) => calls.length >= first.length + later.length)
  const received = receiver.callsFor(id).map(({ event }) => event.type)
  assert.deepEqual(
    received,
    (await announced()).map(({ type }) => type),
  )
  assert.deepEqual(receiver.problems, [])
})
