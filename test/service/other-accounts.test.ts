import { strict as assert } from 'node:assert'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findNssWrapper } from '../../src/db/embedded/cluster.ts'
import { findInitializedData } from '../support/service/initialized-data-folder.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import {
  createDataFolderOf,
  listEntriesOfOthers,
  NAMELESS_ACCOUNT,
  whyNoOtherAccount,
} from '../support/service/other-account.ts'
import { runCommand, startServiceProcess } from '../support/service/service-process.ts'

const skip = whyNoOtherAccount()
const account = NAMELESS_ACCOUNT

test(
  'what root writes into the data folder of another account belongs to that account',
  { skip },
  async () => {
    await using folder = createDataFolderOf(account)
    const created = await runLoadedCommand(['token', 'create', '--name', 'x', '--json'], folder.env)
    assert.equal(created.code, 0, created.stderr)
    assert.deepEqual(listEntriesOfOthers(folder.data, account), [])
    const { apiKey } = JSON.parse(created.stdout) as { apiKey: string }
    {
      await using service = await startServiceProcess(folder.env)
      const answer = await fetch(`${service.url}/api/v1/projects/api/documents/a/note.md`, {
        method: 'PUT',
        headers: { 'x-api-key': apiKey, 'content-type': 'text/markdown' },
        body: '# Note',
      })
      assert.equal(answer.status, 201, await answer.text())
    }
    assert.deepEqual(listEntriesOfOthers(folder.data, account), [])
    const backup = join(dirname(folder.data), 'b.tar.gz')
    assert.equal((await runLoadedCommand(['backup', '-o', backup], folder.env)).code, 0)
    const restored = await runLoadedCommand(['restore', '--force', backup], folder.env)
    assert.equal(restored.code, 0, restored.stderr)
    assert.ok(existsSync(join(folder.data, 'deployed-md-files/docs/api/a/note.md')))
    assert.deepEqual(listEntriesOfOthers(folder.data, account), [])

    const listed = await runLoadedCommand(['token', 'list', '--json'], folder.env)
    assert.equal(listed.code, 0, listed.stderr)
    assert.equal((JSON.parse(listed.stdout) as { tokens: unknown[] }).tokens.length, 1)
  },
)

test(
  'a command of root gives back what root left in the data folder of another account',
  { skip },
  async () => {
    await using folder = createDataFolderOf(account)
    execFileSync('cp', ['-a', `${await findInitializedData()}/.`, folder.data])
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder.data])
    const cluster = readdirSync(folder.data).find((name) => name.startsWith('pg')) ?? ''
    execFileSync('chown', ['-R', '65534:65534', join(folder.data, cluster)])
    execFileSync('chown', ['-R', '0:0', join(folder.data, 'secrets'), join(folder.data, 'logs')])
    const lockedOut = await runCommand(['token', 'list'], folder.env, { account })
    assert.equal(lockedOut.code, 1)
    assert.match(lockedOut.stderr, /Hansard cannot use the data folder/)
    assert.doesNotMatch(lockedOut.stderr, /\n\s+at /)

    assert.equal((await runLoadedCommand(['token', 'list'], folder.env)).code, 0)
    assert.deepEqual(listEntriesOfOthers(folder.data, account), [])
  },
)

test(
  'a user id without a name can create the database, or is told how to get a name',
  { skip },
  async () => {
    await using folder = createDataFolderOf(account)
    // Not even a home folder is set, as in a container that was given only a user id.
    const { HOME: _home, ...env } = folder.env
    const { code, stderr } = await runCommand(['token', 'list'], env, { account })
    if (canGetName()) {
      assert.deepEqual([code, stderr], [0, ''])
      assert.deepEqual(listEntriesOfOthers(folder.data, account), [])
    } else {
      assert.equal(code, 1)
      assert.match(
        stderr,
        new RegExp(`User id ${account.uid} needs a name\\. Add one to /etc/pass`),
      )
      assert.doesNotMatch(stderr, /\n\s+at /)
    }
  },
)

/** True if this machine has user namespaces for ordinary accounts, or nss_wrapper. */
function canGetName(): boolean {
  const args = ['--user', '--map-user=65534', '--map-group=65534', 'true']
  const isNamespaceAllowed = spawnSync('/usr/bin/unshare', args, { ...account }).status === 0
  return isNamespaceAllowed || findNssWrapper() !== null
}
