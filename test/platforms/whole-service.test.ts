import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLog } from '../../src/log.ts'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { readScript } from '../../src/bots/platforms/practice/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import { newMeetUrl, openStageBrowser, newTeamsUrl } from '../stage/stage-browser.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createSingleBrowserPool } from '../support/browser/single-browser-pool.ts'

type Line = { speaker: string; text: string }

function wordsBySpeaker(lines: readonly Line[]): Record<string, string> {
  const words: Record<string, string> = {}
  for (const { speaker, text } of lines) words[speaker] = `${words[speaker] ?? ''} ${text}`.trim()
  return words
}

test('a meeting on either platform goes from start to a transcript that agrees with its script', async () => {
  await using house = await openStageBrowser()
  const pool = createSingleBrowserPool(house.browser)
  const log = createLog('silent')
  const platforms = [createGoogleMeet({ pool, log }), createMicrosoftTeams({ pool, log })]
  await using service = await startService({}, { platforms })
  const program = await openMeetingsClient(service)
  const script = readScript('standup')
  const expected = wordsBySpeaker(expectedTranscript(script))
  const play = async (address: string, knobs: { wires?: [] }) => {
    // Nobody opens before the bot has been seen to wait: a busy machine may look at the lobby late.
    const admission = Promise.withResolvers<void>()
    house.stage.perform({
      address,
      script,
      knobs: { speed: 6, waitsForCaptions: true, ...knobs },
      admission: admission.promise,
    })
    const meetingId = await program.start(address)
    await program.reaches(meetingId, ['lobby', 'ended', 'error'], 150_000)
    admission.resolve()
    const meeting = await program.reaches(meetingId, ['ended', 'error'], 150_000)
    assert.partialDeepStrictEqual(meeting, { status: 'ended', reason: 'host_ended' })
    const { body } = await program.get(`/${meetingId}/transcript`)
    assert.deepEqual(wordsBySpeaker(body['segments'] as Line[]), expected, address)
    const events = await program.events(meetingId)
    const statuses = events.filter(({ type }) => type === 'meeting_status')
    assert.deepEqual(
      statuses.map(({ payload }) => payload['status']),
      ['joining', 'lobby', 'live', 'leaving', 'ended'],
    )
    assert.ok(events.some(({ type }) => type === 'participant_joined'))
  }
  // Two at a time: captions are told by when they come, and four pages more than fill a small machine.
  for (const knobs of [{}, { wires: [] as [] }]) {
    await Promise.all([play(newMeetUrl(), knobs), play(newTeamsUrl(), knobs)])
  }
  assert.equal(pool.inUse().length, 0)
})
