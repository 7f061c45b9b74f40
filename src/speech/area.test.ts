import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '../log.ts'
import { openSpeechArea } from './area.ts'
import type { FetchPackage } from './install/npm-pack.ts'

test('disposing stops a running installation, and a later one does not start', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'speech-area-'))
  const fetching = Promise.withResolvers<void>()
  let fetches = 0
  const fetchPackage: FetchPackage = async (_, __, signal) => {
    fetches += 1
    fetching.resolve()
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    return join(dataFolder, 'incomplete.tgz')
  }
  const area = openSpeechArea({
    settings: { isOn: true, dataFolder, workers: 1, endpoint: null },
    npm: { env: {}, installationFolder: dataFolder },
    log: createLog('silent'),
    fetchPackage,
  })
  const stopped = assert.rejects(area.install(), /The installation was stopped/)
  await fetching.promise
  await area[Symbol.asyncDispose]()
  await stopped
  assert.equal(area.status().installation.phase, 'failed')
  await assert.rejects(area.install(), /The installation was stopped/)
  assert.equal(fetches, 1)
  rmSync(dataFolder, { recursive: true })
})
