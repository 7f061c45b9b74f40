import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { BrowserPool, Seat } from '../../src/browser/seat.ts'
import { createGoogleMeet } from '../../src/platforms/google-meet/index.ts'
import { createMicrosoftTeams } from '../../src/platforms/microsoft-teams/index.ts'
import { openStage } from '../../stage/stage.ts'
import { onStage, openPool } from '../browser/pool.ts'
import { CAST, meetAddress, teamsAddress } from '../stage/house.ts'
import { processOf } from '../support/browser-process.ts'
import { eventually } from '../support/eventually.ts'
import { openProgram, startService } from '../support/practice.ts'

const BOTS = 10
const PATIENCE_MS = 150_000
const BEFORE = 'This was said before the browser died.'
const AFTER = 'And this was said after it.'

/** Longer than each of its steps may take. */
const TIME_LIMIT_MS = 900_000

test(
  'of ten bots in two browsers, five rejoin when one is killed, and five never notice',
  { timeout: TIME_LIMIT_MS },
  async () => {
    await using stage = await openStage()
    await using pool = counting(
      await openPool({ ...onStage(stage), settings: { botsPerBrowser: 5 } }),
    )
    const platforms = [createGoogleMeet({ pool }), createMicrosoftTeams({ pool })]
    await using service = await startService({ HANSARD_MAX_BOTS: '20' }, { platforms })
    const program = await openProgram(service)
    const rooms = await Promise.all(
      Array.from({ length: BOTS }, async (_, i) => {
        const address = i % 2 === 0 ? meetAddress() : teamsAddress()
        const show = stage.open(address, { cast: CAST, knobs: { speed: 20, door: 'call' } })
        show.join('ana', 'ben')
        return { show, id: await program.start(address, { saveTranscript: false }) }
      }),
    )
    const textsOf = async (id: string) => {
      const { segments } = (await program.get(`/${id}/transcript`)).body as { segments: Line[] }
      return segments.map(({ speaker, text }) => `${speaker}: ${text}`)
    }
    const hear = (id: string, lines: readonly string[]) =>
      eventually(
        async () => ((await textsOf(id)).length >= lines.length ? true : null),
        PATIENCE_MS,
      )
    await Promise.all(
      rooms.map(async ({ show, id }) => {
        await show.until('captions on')
        await show.say('ana', BEFORE)
        await hear(id, [BEFORE])
      }),
    )
    const [victim] = pool.browsers()
    assert.deepEqual([pool.browsers().length, pool.taken()], [2, BOTS])

    process.kill(await processOf(victim ?? null), 'SIGKILL')
    await eventually(() => (pool.taken() === BOTS + 5 ? true : null), PATIENCE_MS)
    await Promise.all(
      rooms.map(async ({ show, id }) => {
        // The guests of the dead browser have left their deeds behind.
        await eventually(() => {
          const here = show.audience.guests.filter(({ deeds }) => !deeds.has('left'))
          return here.some(({ deeds }) => deeds.has('captions on')) ? true : null
        }, PATIENCE_MS)
        await show.say('ben', AFTER)
        await hear(id, [BEFORE, AFTER])
        assert.deepEqual(await textsOf(id), [`Ana Ribeiro: ${BEFORE}`, `Ben Carter: ${AFTER}`])
        const { status } = (await program.get(`/${id}`)).body['meeting'] as { status: string }
        assert.equal(status, 'live')
      }),
    )
    assert.equal(pool.taken(), BOTS + 5)
    for (const { id } of rooms) await program.post('/stop', { meetingId: id })
    for (const { id } of rooms) await program.reaches(id, ['ended'], PATIENCE_MS)
  },
)

type Line = { speaker: string; text: string }

/** A pool that knows how many seats were ever taken, and in which browsers those are that are taken now. */
function counting(pool: BrowserPool) {
  const seats = new Set<Seat>()
  let taken = 0
  return {
    async take(...given: Parameters<BrowserPool['take']>) {
      const seat = await pool.take(...given)
      taken += 1
      seats.add(seat)
      seat.lost.addEventListener('abort', () => seats.delete(seat), { once: true })
      return seat
    },
    taken: () => taken,
    browsers: () => [...new Set([...seats].map(({ context }) => context.browser()))],
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
