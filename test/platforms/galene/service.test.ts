import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openMeetingsClient, startService } from '../../support/meetings/meetings-client.ts'

test('a service with a listed Galène server accepts its groups, and refuses those of other servers', async () => {
  // No server listens there. Without speech recognition, the bot does not try it.
  await using service = await startService({ HANSARD_GALENE_HOSTS: '127.0.0.1:9' })
  const program = await openMeetingsClient(service)
  const meetingId = await program.start('http://127.0.0.1:9/group/talk/?token=x')
  const meeting = await program.waitForStatus(meetingId, ['ended', 'error'])
  assert.partialDeepStrictEqual(meeting, {
    status: 'error',
    platform: 'galene',
    reason: 'captions_unavailable',
  })
  await assert.rejects(
    program.start('https://meet.example.com/group/talk/'),
    /HANSARD_GALENE_HOSTS/,
  )
})
