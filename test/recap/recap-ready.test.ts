import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openRecapService } from './recap-client.ts'

test('recap_ready is sent after the end, only to meetings that list it', async () => {
  await using receiver = await openRecordingReceiver()
  await using opened = await openRecapService()
  const { program, runMeeting, waitForRecap } = opened
  receiver.trustSecrets(program.signingSecret)
  const callbackUrl = receiver.url
  const events = ['meeting_status', 'recap_ready']
  const listed = await runMeeting({ callbackUrl, events })
  const plain = await runMeeting({ callbackUrl })
  await waitForRecap(plain)
  await receiver.waitUntil((calls) => calls.some(({ event }) => event.type === 'recap_ready'))
  await program.waitForDelivery(plain)
  const typesOf = (id: string) => receiver.callsFor(id).map(({ event }) => event.type)
  assert.equal(typesOf(listed).at(-1), 'recap_ready')
  assert.ok(!typesOf(plain).includes('recap_ready'))
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
