import { strict as assert } from 'node:assert'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requireEnv } from '../../test/support/database/test-database.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import { createLog } from '../log.ts'
import { keepSetupLinkFile } from './setup-link-file.ts'

function writeLink({ expiresInMs = 60_000, hasUsers = async () => false } = {}) {
  const dataFolder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'setup-link-'))
  mkdirSync(join(dataFolder, 'run'))
  const log = createLog('silent')
  const file = keepSetupLinkFile({
    dataFolder,
    link: 'http://x/setup#abc',
    expiresInMs,
    hasUsers,
    log,
  })
  return {
    ...file,
    close: () => file[Symbol.dispose](),
    waitUntilRemoved: () => eventually(() => (existsSync(file.path) ? null : true)),
    [Symbol.dispose]() {
      file[Symbol.dispose]()
      rmSync(dataFolder, { recursive: true })
    },
  }
}

test('only the account of the service can read the set-up link, until the first user exists', async () => {
  let hasUsers = false
  using file = writeLink({ hasUsers: async () => hasUsers })
  assert.equal(readFileSync(file.path, 'utf8'), 'http://x/setup#abc\n')
  assert.equal(statSync(file.path).mode & 0o777, 0o600)
  hasUsers = true
  await file.waitUntilRemoved()
})

test('an expired set-up link is removed', async () => {
  using file = writeLink({ expiresInMs: 0 })
  await file.waitUntilRemoved()
})

test('the link that another node has written since stays', () => {
  using file = writeLink()
  writeFileSync(file.path, 'http://x/setup#other\n')
  file.close()
  assert.equal(readFileSync(file.path, 'utf8'), 'http://x/setup#other\n')
})
