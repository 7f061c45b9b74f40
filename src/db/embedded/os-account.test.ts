import { strict as assert } from 'node:assert'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../errors.ts'
import { refuseUnreachableDataFolder } from './binaries.ts'
import { findLockHolder } from './embedded-database.ts'

const OTHER = { uid: 65534, gid: 65534 }

test('programs that cannot stand in a closed folder are refused under root, and no others', () => {
  const data = mkdtempSync(join(tmpdir(), 'way-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(data, { recursive: true }))
  const owner = { uid: process.getuid?.() ?? 0, gid: 0 }
  const look = (major: number, account: typeof OTHER | null) =>
    refuseUnreachableDataFolder(data, { bin: '', version: '', major }, account)
  chmodSync(data, 0o700)
  assert.throws(() => look(15, OTHER), OperatorError)
  look(16, OTHER)
  look(15, null)
  look(15, owner)
})

test('who holds a database is told by its lock file, when that process lives', () => {
  const data = mkdtempSync(join(tmpdir(), 'held-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(data, { recursive: true }))
  assert.equal(findLockHolder(data), null)
  const file = join(data, 'pg18/postmaster.pid')
  mkdirSync(join(data, 'pg18'))
  writeFileSync(join(data, 'pg18/PG_VERSION'), '18\n')
  assert.equal(findLockHolder(data), null)
  writeFileSync(file, `${process.pid}\n`)
  assert.deepEqual(findLockHolder(data), { pid: process.pid, file })
  writeFileSync(file, '0\n')
  assert.equal(findLockHolder(data), null)
})
