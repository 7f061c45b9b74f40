import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { BrowserPool, BrowserSlot } from '../../src/bots/browser/pool/browser-slot.ts'
import { createLog } from '../../src/log.ts'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { openStage } from '../../stage/stage.ts'
import { stageNetworkOptions, openTestPool } from '../browser/open-test-pool.ts'
import { CAST, newMeetUrl, newTeamsUrl } from '../stage/stage-browser.ts'
import { findBrowserProcess } from '../support/browser/browser-process.ts'
import { eventually } from '../support/time/eventually.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/** `TEST_SIZE=full` has more bots. */
const BOTS_PER_BROWSER = IS_FULL_SIZE ? 5 : 2
const BOTS = 2 * BOTS_PER_BROWSER
const WAIT_MS = 150_000
const BEFORE = 'This was said before the browser died.'
const AFTER = 'And this was said after it.'

/** Only ends a test that would otherwise hang. */
const TIME_LIMIT_MS = 900_000

test(
  'when one of two browsers is killed, its bots rejoin and the others continue undisturbed',
  { timeout: TIME_LIMIT_MS },
  async () => {
    await using stage = await openStage()
    await using pool = counting(
      await openTestPool({
        ...stageNetworkOptions(stage),
        settings: { botsPerBrowser: BOTS_PER_BROWSER },
      }),
    )
    const log = createLog('silent')
    const platforms = [createGoogleMeet({ pool, log }), createMicrosoftTeams({ pool, log })]
    await using service = await startService({ HANSARD_MAX_BOTS: '20' }, { platforms })
    const program = await openMeetingsClient(service)
    const rooms = await Promise.all(
      Array.from({ length: BOTS }, async (_, i) => {
        const address = i % 2 === 0 ? newMeetUrl() : newTeamsUrl()
        const show = stage.open(address, { cast: CAST, knobs: { speed: 20, door: 'call' } })
        show.join('ana', 'ben')
        return { show, id: await program.start(address, { saveTranscript: false }) }
      }),
    )
    const textsOf = async (id: string) => {
      const { segments } = (await program.get(`/${id}/transcript`)).body as { segments: Line[] }
      return segments.map(({ speaker, text }) => `${speaker}: ${text}`)
    }
    const waitForLines = (id: string, lines: readonly string[]) =>
      eventually(async () => ((await textsOf(id)).length >= lines.length ? true : null), WAIT_MS)
    await Promise.all(
      rooms.map(async ({ show, id }) => {
        await show.waitFor('captions on')
        await show.say('ana', BEFORE)
        await waitForLines(id, [BEFORE])
      }),
    )
    const [victim] = pool.browsers()
    assert.deepEqual([pool.browsers().length, pool.taken()], [2, BOTS])

    process.kill(await findBrowserProcess(victim ?? null), 'SIGKILL')
    await eventually(() => (pool.taken() === BOTS + BOTS_PER_BROWSER ? true : null), WAIT_MS)
    await Promise.all(
      rooms.map(async ({ show, id }) => {
        // The stage keeps the pages of the dead browser in its list.
        await eventually(() => {
          const here = show.pages.all.filter(({ actions }) => !actions.has('left'))
          return here.some(({ actions }) => actions.has('captions on')) ? true : null
        }, WAIT_MS)
        await show.say('ben', AFTER)
        await waitForLines(id, [BEFORE, AFTER])
        assert.deepEqual(await textsOf(id), [`Ana Ribeiro: ${BEFORE}`, `Ben Carter: ${AFTER}`])
        const { status } = (await program.get(`/${id}`)).body['meeting'] as { status: string }
        assert.equal(status, 'live')
      }),
    )
    assert.equal(pool.taken(), BOTS + BOTS_PER_BROWSER)
    for (const { id } of rooms) await program.post('/stop', { meetingId: id })
    for (const { id } of rooms) await program.waitForStatus(id, ['ended'], WAIT_MS)
  },
)

type Line = { speaker: string; text: string }

/** A pool that counts all acquired slots, and lists the browsers of those in use. */
function counting(pool: BrowserPool) {
  const slots = new Set<BrowserSlot>()
  let taken = 0
  return {
    async acquire(...given: Parameters<BrowserPool['acquire']>) {
      const slot = await pool.acquire(...given)
      taken += 1
      slots.add(slot)
      slot.lostSignal.addEventListener('abort', () => slots.delete(slot), { once: true })
      return slot
    },
    taken: () => taken,
    browsers: () => [...new Set([...slots].map(({ context }) => context.browser()))],
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
