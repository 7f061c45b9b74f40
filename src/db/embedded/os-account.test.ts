import { strict as assert } from 'node:assert'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../lib/operator-error.ts'
import { refuseUnreachableDataFolder } from './binaries.ts'
import { findClusterLockHolder } from './embedded-database.ts'
import { NOBODY, refuseMissingAccount } from './os-account.ts'

test('only PostgreSQL before 16 under root is refused in a data folder that its account cannot enter', () => {
  const data = mkdtempSync(join(tmpdir(), 'account-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(data, { recursive: true }))
  const owner = { uid: process.getuid?.() ?? 0, gid: 0 }
  const check = (major: number, account: typeof NOBODY | null) =>
    refuseUnreachableDataFolder(data, { binFolder: '', version: '', major }, account)
  chmodSync(data, 0o700)
  assert.throws(() => check(15, NOBODY), OperatorError)
  check(16, NOBODY)
  check(15, null)
  check(15, owner)
})

test('the holder of a database is the live process that its lock file names', () => {
  const data = mkdtempSync(join(tmpdir(), 'lock-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(data, { recursive: true }))
  assert.equal(findClusterLockHolder(data), null)
  const file = join(data, 'pg18/postmaster.pid')
  mkdirSync(join(data, 'pg18'))
  writeFileSync(join(data, 'pg18/PG_VERSION'), '18\n')
  assert.equal(findClusterLockHolder(data), null)
  writeFileSync(file, `${process.pid}\n`)
  assert.deepEqual(findClusterLockHolder(data), { pid: process.pid, file })
  writeFileSync(file, '0\n')
  assert.equal(findClusterLockHolder(data), null)
})

test('an account that does not exist in the user namespace is refused', () => {
  const single = '         0       1000          1\n'
  assert.throws(() => refuseMissingAccount(NOBODY, single), /the account 65534 does not exist/)
  refuseMissingAccount(NOBODY, '0 1000 1\n1 100000 65536\n')
  refuseMissingAccount(NOBODY, '         0          0 4294967295\n')
  refuseMissingAccount(null, single)
})
