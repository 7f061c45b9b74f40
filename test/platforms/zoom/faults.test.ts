import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '../../support/time/eventually.ts'
import { IS_FULL_SIZE } from '../../support/test-size.ts'
import { openReadingVisit, spoken, STREAM } from './open-visit.ts'

/** Fast enough for many faults. The bot never gives up. */
const PATIENT = { firstRetryMs: 1, longestRetryMs: 5, stableMs: 1 }
const ROUNDS = IS_FULL_SIZE ? 1_000 : 60

/** A small generator, so that a run can be repeated with TEST_SEED. */
function createRandom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('a stream with random faults is recorded completely, each utterance once', async (t) => {
  const seed = Number(process.env['TEST_SEED'] ?? 42)
  const random = createRandom(seed)
  await using open = await openReadingVisit({ timeouts: PATIENT })
  const { server, visit } = open
  // Zoom sends again what was under way when a connection was lost.
  server.options.resent = 200
  const said: string[] = []
  const faults = [
    () => server.drop(STREAM, 'media'),
    () => server.drop(STREAM, 'signalling'),
    () => server.event(STREAM, 7),
    () => void server.refusals.media.push(16),
    () => void server.refusals.signalling.push(8, 45),
    () => server.pause(STREAM),
    () => server.resume(STREAM),
    () => server.keepAlive(STREAM),
    () => server.send(STREAM, 'media', '{"msg_type":17,"content":7}'),
    () => server.join(STREAM, { user_id: said.length, user_name: `Guest ${said.length}` }),
    () => server.leave(STREAM, random(said.length + 1)),
  ]
  for (let round = 0; round < ROUNDS; round += 1) {
    const batch = Array.from({ length: 1 + random(4) }, () => {
      said.push(`Sentence ${said.length}.`)
      // Each speaker begins each utterance at another time.
      return spoken(['Ana', 'Ben', 'Cid'][random(3)] ?? '', said.at(-1) ?? '', {
        id: said.length,
        agoMs: 1 + random(300),
        lengthMs: 1,
      })
    })
    const doubled = random(3) === 0 ? batch : []
    server.say(STREAM, ...batch.toSorted(() => random(3) - 1), ...doubled)
    if (random(2) === 0) faults[random(faults.length)]?.()
    if (random(2) === 0) await server.waitForReady(STREAM)
    else await nextTurn()
  }
  server.resume(STREAM)
  const texts = () => visit.captions().map(({ text }) => text)
  await eventually(() => (new Set(texts()).size === said.length ? true : null))
  assert.deepEqual(texts().toSorted(), said.toSorted(), `TEST_SEED=${seed}`)
  const gaps = visit.record().filter((entry) => entry === 'lost').length
  const { signalling, media } = server.counts
  t.diagnostic(
    `${said.length} utterances, ${gaps} gaps, ${signalling} signalling and ${media} media connections`,
  )
})
