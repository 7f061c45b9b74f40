import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountsArea } from '../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../src/accounts/audit.ts'
import { createVerifiedSecretBox } from '../src/accounts/master-key.ts'
import { connectToDatabase } from '../src/db/database.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { createLog } from '../src/log.ts'
import { withDatabaseServer } from '../test/support/database/database-server.ts'
import { start } from './start.ts'
import { startChildServer, type ChildServer } from './support/child-server.ts'
import { runLoad } from './support/http-load.ts'
import { median } from './support/figures.ts'

const ROUNDS = 15
const SECONDS = 2
const MASTER_KEY = Buffer.alloc(32, 1)

export const api = {
  about: 'an authenticated GET that reads one row, against a bare Fastify doing the same select',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
    try {
      await withDatabaseServer(join(folder, 'server'), (url) => measure(url, folder))
      await start.run()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure(databaseUrl: string, folder: string): Promise<void> {
  const { id, apiKey } = await makeToken(databaseUrl)
  await using bare = await startChildServer(join(import.meta.dirname, 'servers/bare-fastify.ts'), {
    DATABASE_URL: databaseUrl,
    TOKEN_ID: id,
  })
  await using service = await startChildServer(join(import.meta.dirname, 'servers/service.ts'), {
    DATABASE_URL: databaseUrl,
    TOKEN_ID: id,
    HANSARD_DATA: join(folder, 'data'),
    HANSARD_PORT: '0',
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_MASTER_KEY: MASTER_KEY.toString('base64'),
    HANSARD_RATE_LIMIT_REQUESTS: '1000000000',
  })
  const key = { 'x-api-key': apiKey }
  const targets: Target[] = [
    { name: 'bare', server: bare, path: '/', headers: {} },
    { name: 'without key', server: service, path: '/bench/without-key', headers: {} },
    { name: 'with key', server: service, path: '/api/v1/token', headers: key },
  ]
  const rounds: Figures[][] = []
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures: Figures[] = []
    // The order rotates, because a later server runs on a warmer machine.
    for (let i = 0; i < targets.length; i += 1) {
      const which = (round + i) % targets.length
      const target = targets[which]
      if (target) figures[which] = await attempt(target)
    }
    if (round > 0) rounds.push(figures)
  }
  for (const [i, { name }] of targets.entries()) {
    const perSecond = Math.round(median(rounds.map((round) => round[i]?.perSecond ?? 0)))
    const cpuMicros = Math.round(median(rounds.map((round) => round[i]?.cpuMicros ?? 0)))
    console.log(`  ${name.padEnd(12)} ${perSecond} requests/s, ${cpuMicros} µs of processor each`)
  }
  // Compares within a round and takes the median of the rounds, because the machine's load changes between rounds.
  const ratio = (top: number, bottom: number) =>
    median(rounds.map((round) => (round[top]?.perSecond ?? 0) / (round[bottom]?.perSecond ?? 1)))
  report('with key / bare', ratio(2, 0), 'at least 0.70')
  report('the key adds', 1 - ratio(2, 1), 'at most 0.10')
}

type Target = { name: string; server: ChildServer; path: string; headers: Record<string, string> }
type Figures = { perSecond: number; cpuMicros: number }

async function attempt({ name, server, path, headers }: Target): Promise<Figures> {
  const before = await server.cpuMs()
  const { perSecond, total, failures } = await runLoad(`${server.url}${path}`, headers, SECONDS)
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
  return { perSecond, cpuMicros: (((await server.cpuMs()) - before) * 1000) / total }
}

async function makeToken(databaseUrl: string): Promise<{ id: string; apiKey: string }> {
  const log = createLog('error')
  const database = await connectToDatabase({ connectionString: databaseUrl }, { max: 2, log })
  await migrateDatabase(database.db)
  const secretBox = await createVerifiedSecretBox(database.db, MASTER_KEY)
  const { tokens } = createAccountsArea({ db: database.db, clock: systemClock, secretBox, log })
  const created = await tokens.create(
    { name: 'bench', scopes: null, expiresAt: null, creatorId: null },
    COMMAND_LINE_ACTOR,
  )
  await database.close()
  return { id: created.token.id, apiKey: created.apiKey }
}

function report(what: string, figure: number, goal: string): void {
  console.log(`${what}: ${figure.toFixed(2)} (goal: ${goal})`)
}
