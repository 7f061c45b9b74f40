import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { systemTimers } from '../../lib/time/clock.ts'
import { createLog } from '../../log.ts'
import { startClaimLoop, startLeasedWork } from './claim-loop.ts'

type Row = { id: string; isStopping: boolean }

/** A claim loop over rows in memory that the test changes. */
function openLoop(
  options: {
    findOwned?: () => Promise<Row[]>
    hasFreshHeartbeat?: () => boolean
    now?: () => number
  } = {},
) {
  const owned: Row[] = []
  const claimable: string[] = []
  const running = new Map<string, { log: string[] }>()
  const released: string[] = []
  const nodeLost: Array<() => void> = []
  let rounds = 0
  let roundEnded = Promise.withResolvers<void>()
  const loop = startClaimLoop<Row, { log: string[] }>({
    what: 'rows',
    log: createLog('silent'),
    membership: {
      onNodeLost: (listener) => void nodeLost.push(listener),
      hasFreshHeartbeat: options.hasFreshHeartbeat ?? (() => true),
    },
    pollMs: 3_600_000,
    timers: { ...systemTimers, now: options.now ?? systemTimers.now },
    running,
    findOwned: options.findOwned ?? (async () => [...owned]),
    update(work, row) {
      if (row.isStopping) work.log.push('stopping')
    },
    stop: (work) => void work.log.push('stopped'),
    async releaseOrphans(rows) {
      released.push(...rows.map(({ id }) => id))
    },
    async claim() {
      for (const id of claimable.splice(0)) {
        owned.push({ id, isStopping: false })
        running.set(id, { log: [] })
      }
      rounds += 1
      roundEnded.resolve()
      roundEnded = Promise.withResolvers()
    },
  })
  const nextRound = async (start: () => void = loop.wake) => {
    const ended = roundEnded.promise
    start()
    await ended
  }
  return { loop, owned, claimable, running, released, nodeLost, nextRound, rounds: () => rounds }
}

test('a claim loop starts what it claims, updates what it owns and stops what it lost', async () => {
  const { loop, owned, claimable, running, nextRound } = openLoop()
  await using _ = loop
  claimable.push('kept', 'stopping', 'lost')
  await nextRound()
  const stopping = owned.find(({ id }) => id === 'stopping')
  assert.ok(stopping)
  stopping.isStopping = true
  owned.splice(
    owned.findIndex(({ id }) => id === 'lost'),
    1,
  )
  await nextRound()
  assert.deepEqual(Object.fromEntries([...running].map(([id, work]) => [id, work.log])), {
    kept: [],
    stopping: ['stopping'],
    lost: ['stopped'],
  })
})

test('a claim loop releases rows it owns but does not run', async () => {
  const { loop, owned, released, nextRound } = openLoop()
  await using _ = loop
  owned.push({ id: 'orphan', isStopping: false })
  await nextRound()
  assert.ok(released.includes('orphan'))
})

test('a claim loop without work reads its rows every five seconds, and at once after a failed round', async () => {
  let reads = 0
  let time = 0
  let isFailing = false
  const failed = Promise.withResolvers<void>()
  const { loop, running, claimable, nextRound } = openLoop({
    now: () => time,
    async findOwned() {
      reads += 1
      if (isFailing) {
        failed.resolve()
        throw new Error('the database is gone')
      }
      return [...running.keys()].map((id) => ({ id, isStopping: false }))
    },
  })
  await using _ = loop
  await nextRound()
  for (const expected of [1, 1, 2]) {
    time = expected === 2 ? 5_000 : 4_999
    await nextRound()
    assert.equal(reads, expected)
  }
  time = 10_000
  isFailing = true
  loop.wake()
  await failed.promise
  isFailing = false
  await nextRound()
  assert.equal(reads, 4)
  claimable.push('work')
  await nextRound()
  await nextRound()
  assert.equal(reads, 5)
})

test('a claim loop starts a round when another node dies', async () => {
  const { loop, nodeLost, nextRound, rounds } = openLoop()
  await using _ = loop
  await nextRound()
  const before = rounds()
  await nextRound(() => nodeLost.forEach((listener) => listener()))
  assert.ok(rounds() > before)
})

test('a claim loop goes on after a failed round, and claims nothing in that round', async () => {
  let failures = 0
  const { loop, nextRound, claimable, running } = openLoop({
    async findOwned() {
      if (failures++ === 0) throw new Error('the database is away')
      return []
    },
  })
  await using _ = loop
  claimable.push('later')
  assert.equal(running.size, 0)
  await nextRound()
  assert.deepEqual([...running.keys()], ['later'])
})

test('a claim loop claims nothing while the heartbeat of its node is late', async () => {
  let isFresh = false
  const late = Promise.withResolvers<void>()
  const { loop, nextRound, claimable, running } = openLoop({
    hasFreshHeartbeat() {
      late.resolve()
      return isFresh
    },
  })
  await using _ = loop
  claimable.push('row')
  await late.promise
  assert.equal(running.size, 0)
  isFresh = true
  await nextRound()
  assert.deepEqual([...running.keys()], ['row'])
})

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
  /** Resolves at the next round's claim, with the ids that ran then. */
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
