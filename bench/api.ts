import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountsArea } from '../src/accounts/area.ts'
import { COMMAND_LINE } from '../src/accounts/audit.ts'
import { openSecretBox } from '../src/accounts/master-key.ts'
import { openDatabase } from '../src/db/open.ts'
import { migrate } from '../src/db/migrate.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createLog } from '../src/log.ts'
import { withDatabaseServer } from '../test/support/database-server.ts'
import { startChild } from './support/child.ts'
import { load, median } from './support/load.ts'

const ROUNDS = 5
const SECONDS = 4
const MASTER_KEY = Buffer.alloc(32, 1)

export const api = {
  about: 'an authenticated GET that reads one row, against a bare Fastify doing the same select',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
    try {
      await withDatabaseServer(join(folder, 'server'), (url) => measure(url, folder))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure(databaseUrl: string, folder: string): Promise<void> {
  const { id, apiKey } = await makeToken(databaseUrl)
  await using bare = await startChild(join(import.meta.dirname, 'servers/bare.ts'), {
    DATABASE_URL: databaseUrl,
    TOKEN_ID: id,
  })
  await using service = await startChild(join(import.meta.dirname, 'servers/service.ts'), {
    DATABASE_URL: databaseUrl,
    TOKEN_ID: id,
    HANSARD_DATA: join(folder, 'data'),
    HANSARD_PORT: '0',
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_MASTER_KEY: MASTER_KEY.toString('base64'),
    HANSARD_RATE_LIMIT_REQUESTS: '1000000000',
  })
  const targets = {
    bare: () => load(bare.url, {}, SECONDS),
    'without key': () => load(`${service.url}/bench/without-key`, {}, SECONDS),
    'with key': () => load(`${service.url}/api/v1/token`, { 'x-api-key': apiKey }, SECONDS),
  }
  const rates: Record<string, number[]> = {}
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(targets)) {
      const { perSecond, p50, p99, failures } = await run()
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
      // The first round warms up.
      if (round === 0) continue
      rates[name] = [...(rates[name] ?? []), perSecond]
      console.log(
        `  ${name.padEnd(12)} ${Math.round(perSecond)} requests/s, p50 ${p50} ms, p99 ${p99} ms`,
      )
    }
  }
  const [yardstick, open, keyed] = Object.keys(targets).map((name) => median(rates[name] ?? []))
  report('with key / bare', (keyed ?? 0) / (yardstick ?? 0), 'at least 0.70')
  report('cost of the key check', 1 - (keyed ?? 0) / (open ?? 0), 'at most 0.10')
}

async function makeToken(databaseUrl: string): Promise<{ id: string; apiKey: string }> {
  const log = createLog('error')
  const database = await openDatabase({ connectionString: databaseUrl }, { max: 2, log })
  await migrate(database.db)
  const secretBox = await openSecretBox(database.db, MASTER_KEY)
  const { tokens } = createAccountsArea({ db: database.db, clock: systemClock, secretBox, log })
  const created = await tokens.create(
    { name: 'bench', scopes: null, expiresAt: null, createdBy: null },
    COMMAND_LINE,
  )
  await database.close()
  return { id: created.token.id, apiKey: created.apiKey }
}

function report(what: string, figure: number, goal: string): void {
  console.log(`${what}: ${figure.toFixed(2)} (goal: ${goal})`)
}
