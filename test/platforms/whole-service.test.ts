import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { readScript } from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import { createLog } from '../../src/log.ts'
import { newMeetUrl, newTeamsUrl, openSharedStageBrowser } from '../stage/stage-browser.ts'
import { createSingleBrowserPool } from '../support/browser/single-browser-pool.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/** `TEST_SIZE=full` plays a longer meeting. */
const { name, reason } = IS_FULL_SIZE
  ? ({ name: 'standup', reason: 'host_ended' } as const)
  : ({ name: 'removed', reason: 'removed' } as const)

type Line = { speaker: string; text: string }

function wordsBySpeaker(lines: readonly Line[]): Record<string, string> {
  const words: Record<string, string> = {}
  for (const { speaker, text } of lines) words[speaker] = `${words[speaker] ?? ''} ${text}`.trim()
  return words
}

test('a staged meeting on either platform gives a transcript that matches its script', async () => {
  const stageBrowser = await openSharedStageBrowser()
  const pool = createSingleBrowserPool(stageBrowser.browser)
  const log = createLog('silent')
  const platforms = [createGoogleMeet({ pool, log }), createMicrosoftTeams({ pool, log })]
  await using service = await startService({}, { platforms })
  const program = await openMeetingsClient(service)
  const script = readScript(name)
  const expected = wordsBySpeaker(expectedTranscript(script))
  const play = async (address: string, knobs: { wires?: [] }) => {
    // Admits the bot only after it has reported the lobby.
    const admission = Promise.withResolvers<void>()
    stageBrowser.stage.perform({
      address,
      script,
      knobs: { speed: 6, waitsForCaptions: true, ...knobs },
      admission: admission.promise,
    })
    const meetingId = await program.start(address)
    await program.waitForStatus(meetingId, ['lobby', 'ended', 'error'], 150_000)
    admission.resolve()
    const meeting = await program.waitForStatus(meetingId, ['ended', 'error'], 150_000)
    assert.partialDeepStrictEqual(meeting, { status: 'ended', reason })
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
  // One with captions from the wire, one with captions from the page.
  await Promise.all([play(newMeetUrl(), {}), play(newTeamsUrl(), { wires: [] })])
  assert.equal(pool.inUse().length, 0)
})
