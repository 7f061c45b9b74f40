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

test('recap_ready is the only event type besides the seven that are sent without being listed', () => {
  assert.deepEqual(EVENT_TYPES, [...OTHER_EVENT_TYPES, 'recap_ready'])
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
