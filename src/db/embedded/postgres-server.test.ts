import { strict as assert } from 'node:assert'
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isProcessAlive } from './postmaster.ts'
import { startPostgres } from './postgres-server.ts'

test('a start that is aborted before the server is ready ends the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hansard-postgres-'))
  try {
    const pidFile = join(folder, 'started')
    const neverReady = `#!${process.execPath}
process.on('SIGINT', () => process.exit())
setInterval(() => {}, 1_000)
require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))`
    await writeFile(join(folder, 'postgres'), neverReady, { mode: 0o755 })
    const cluster = join(folder, 'cluster')
    await mkdir(cluster)
    const aborting = new AbortController()
    const binaries = { binFolder: folder, major: 18, version: '18' }
    const setup = { cluster, logFile: join(folder, 'log'), account: null, binaries }
    const starting = startPostgres(setup, aborting.signal)
    const pid = await readWhenWritten(pidFile)
    aborting.abort()
    assert.equal(await starting, null)
    assert.equal(isProcessAlive(pid), false)
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function readWhenWritten(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text !== '') return Number(text)
    await sleep(10)
  }
}
