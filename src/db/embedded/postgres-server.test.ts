import { strict as assert } from 'node:assert'
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../log.ts'
import { startPostgres, type PostgresServer, startRestarting } from './postgres-server.ts'
import { isProcessAlive } from './postmaster.ts'

test('a start that is aborted before the server is ready ends the server', async () => {
  await abortStart(`process.on('SIGINT', () => process.exit())`)
})

test('a server that ignores requests to stop is killed', async () => {
  await abortStart(`for (const name of ['SIGINT', 'SIGQUIT']) process.on(name, () => {})`, 20)
})

/** Aborts the start of a server that never becomes ready, and checks that its process has ended. */
async function abortStart(signalHandling: string, stopTimeoutMs?: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hansard-postgres-'))
  try {
    const pidFile = join(folder, 'started')
    const neverReady = `#!${process.execPath}
${signalHandling}
setInterval(() => {}, 1_000)
require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))`
    await writeFile(join(folder, 'postgres'), neverReady, { mode: 0o755 })
    const cluster = join(folder, 'cluster')
    await mkdir(cluster)
    const aborting = new AbortController()
    const binaries = { binFolder: folder, major: 18, version: '18' }
    const setup = {
      cluster,
      logFile: join(folder, 'log'),
      account: null,
      binaries,
      ...(stopTimeoutMs !== undefined && { stopTimeoutMs }),
    }
    const starting = startPostgres(setup, aborting.signal)
    const pid = await readWhenWritten(pidFile)
    aborting.abort()
    assert.equal(await starting, null)
    assert.equal(isProcessAlive(pid), false)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readWhenWritten(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text !== '') return Number(text)
    await sleep(10)
  }
}

test('closing during a restart stops the server that the restart produces, before it returns', async () => {
  const first = createServer()
  const second = createServer()
  const restart = Promise.withResolvers<void>()
  const isRestarting = Promise.withResolvers<AbortSignal>()
  const restarting = startRestarting({
    server: first,
    log: createLog('silent'),
    async start(signal) {
      isRestarting.resolve(signal)
      await restart.promise
      return second
    },
  })
  first.crash()
  const signal = await isRestarting.promise
  let isClosed = false
  const closed = [restarting.close(), restarting.close()].map(async (closing) => {
    await closing
    isClosed = true
  })
  assert.equal(signal.aborted, true)
  await new Promise(setImmediate)
  assert.equal(isClosed, false)
  restart.resolve()
  await Promise.all(closed)
  assert.equal(second.isRunning(), false)
})

test('closing between two attempts to restart the server ends the attempts', async () => {
  const server = createServer()
  const failed = Promise.withResolvers<void>()
  let attempts = 0
  const restarting = startRestarting({
    server,
    log: createLog('silent'),
    async start() {
      attempts += 1
      if (attempts === 2) failed.resolve()
      throw new Error('no space left')
    },
  })
  server.crash()
  await failed.promise
  await restarting.close()
  assert.equal(attempts, 2)
})

function createServer(): PostgresServer & { crash(): void; isRunning(): boolean } {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isRunning = true
  const crash = () => {
    isRunning = false
    resolve()
  }
  return { ended, crash, isRunning: () => isRunning, stop: async () => crash() }
}
