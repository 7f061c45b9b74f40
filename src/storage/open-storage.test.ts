import { strict as assert } from 'node:assert'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { canRun } from '../../test/support/service/run-program.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import { parseConfig } from '../config/config.ts'
import { isProcessAlive } from '../db/embedded/postmaster.ts'
import { createLog } from '../log.ts'
import { openStorage } from './open-storage.ts'

/** A PostgreSQL that never becomes ready. The shell that starts it makes programs ignore SIGINT. */
const NEVER_READY = `#!/bin/sh
case "$1" in --version) echo 'postgres (PostgreSQL) 18.0'; exit ;; esac
echo "process $$"
exec env --default-signal=INT sleep 600
`
const isMissing = !canRun(['env', '--default-signal=INT', 'true'])

test(
  'an opening that is aborted while PostgreSQL starts fails at once and ends PostgreSQL',
  { skip: isMissing && 'env cannot reset signals here' },
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'hansard-storage-'))
    // Under root, PostgreSQL runs as another account.
    chmodSync(root, 0o755)
    writeFileSync(join(root, 'postgres'), NEVER_READY, { mode: 0o755 })
    const data = join(root, 'data')
    mkdirSync(join(data, 'pg18'), { recursive: true })
    writeFileSync(join(data, 'pg18/PG_VERSION'), '18\n')
    const config = parseConfig({ env: { HANSARD_DATA: data, HANSARD_POSTGRES_BIN: root }, root })
    const aborting = new AbortController()
    const opening = openStorage(config, createLog('silent'), 'own', { signal: aborting.signal })
    const refused = assert.rejects(opening, /stopped by a signal/)
    const log = join(data, 'logs/postgres.log')
    const readPid = () => /process (\d+)/.exec(existsSync(log) ? readFileSync(log, 'utf8') : '')
    const [, pid] = await eventually(readPid)
    aborting.abort(new Error('stopped by a signal'))
    await refused
    assert.equal(isProcessAlive(Number(pid)), false)
    rmSync(root, { recursive: true })
  },
)
