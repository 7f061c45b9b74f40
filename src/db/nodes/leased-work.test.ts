import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLog } from '../../log.ts'
import { startLeasedWork } from './leased-work.ts'

type Claim = { id: string; fence: number }

/** Leased work over rows in memory that the test changes. */
function openWork(run: (claim: Claim, signal: AbortSignal) => Promise<void>) {
  const owned = new Map<string, Claim>()
  const claimable: Claim[] = []
  const said: string[] = []
  let roundEnded = Promise.withResolvers<readonly string[]>()
  const loop = startLeasedWork<Claim>({
    what: 'rows',
    log: createLog('silent'),
    membership: { onNodeLost: () => {}, hasFreshHeartbeat: () => true },
    pollMs: 3_600_000,
    idOf: ({ id }) => id,
    findOwned: async () => [...owned.values()],
    async claim(running, start) {
      for (const claim of claimable.splice(0)) {
        owned.set(claim.id, claim)
        start(claim)
      }
      roundEnded.resolve(running.map(({ id }) => id))
      roundEnded = Promise.withResolvers()
    },
    run,
    async release({ id, fence }) {
      said.push(`released ${id} ${fence}`)
      if (owned.get(id)?.fence === fence) owned.delete(id)
    },
    async postpone({ id, fence }) {
      said.push(`postponed ${id} ${fence}`)
      owned.delete(id)
    },
  })
  /** Resolves with the ids that ran when the next round claimed. */
  const nextRound = async () => {
    const { promise } = roundEnded
    loop.wake()
    return promise
  }
  return { loop, owned, claimable, said, nextRound }
}

function untilAborted(_: Claim, signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
}

test('disposing leased work aborts it, releases its rows and waits for both', async () => {
  const { loop, claimable, said, nextRound } = openWork(untilAborted)
  claimable.push({ id: 'a', fence: 1 }, { id: 'b', fence: 4 })
  await nextRound()
  assert.deepEqual(await nextRound(), ['a', 'b'])
  await loop[Symbol.asyncDispose]()
  assert.deepEqual(said, ['released a 1', 'released b 4'])
})

test('work whose row was claimed again is aborted and gives back only its own claim', async () => {
  const { loop, owned, claimable, said, nextRound } = openWork(untilAborted)
  await using _ = loop
  claimable.push({ id: 'a', fence: 1 })
  await nextRound()
  claimable.push({ id: 'a', fence: 2 })
  await nextRound()
  assert.deepEqual(await nextRound(), ['a'])
  assert.deepEqual(said, ['released a 1'])
  assert.deepEqual([...owned.values()], [{ id: 'a', fence: 2 }])
})

test('work stops when the row has another fence or another owner', async () => {
  const { loop, owned, claimable, said, nextRound } = openWork(untilAborted)
  await using _ = loop
  claimable.push({ id: 'changed', fence: 1 }, { id: 'lost', fence: 1 })
  await nextRound()
  owned.set('changed', { id: 'changed', fence: 2 })
  owned.delete('lost')
  await nextRound()
  assert.deepEqual(said.slice(0, 2), ['released changed 1', 'released lost 1'])
})

test('a row whose work failed is postponed, and a row without work is released', async () => {
  const { loop, owned, claimable, said, nextRound } = openWork(async () => {
    throw new Error('no database')
  })
  await using _ = loop
  claimable.push({ id: 'failing', fence: 1 })
  owned.set('orphan', { id: 'orphan', fence: 7 })
  await nextRound()
  await nextRound()
  assert.deepEqual(said, ['released orphan 7', 'postponed failing 1'])
})

test('finished work is not released, and makes room at once', async () => {
  const { loop, owned, claimable, said, nextRound } = openWork(async ({ id }) => {
    owned.delete(id)
  })
  await using _ = loop
  claimable.push({ id: 'a', fence: 1 })
  await nextRound()
  assert.deepEqual(await nextRound(), [])
  assert.deepEqual(said, [])
})
