import { strict as assert } from 'node:assert'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { giveTreeToOwner, isRunByRoot, holdEntry } from './file-owner.ts'

const OWNER = { uid: 4242, gid: 4242 }
const skip = isRunByRoot() && process.platform === 'linux' ? false : 'needs root on Linux'

test(
  'giving a tree away changes links themselves and no file with a name outside',
  { skip },
  (t) => {
    const { inside, outside } = createFolders(t)
    mkdirSync(join(inside, 'a'))
    writeFileSync(join(inside, 'a/file'), '')
    symlinkSync(outside, join(inside, 'a/link'))
    linkSync(join(outside, 'secret'), join(inside, 'a/shared'))
    giveTreeToOwner(inside, OWNER, [0])
    const given = ['', 'a', 'a/file', 'a/link']
    for (const name of given) assert.equal(lstatSync(join(inside, name)).uid, OWNER.uid, name)
    assert.deepEqual([lstatSync(outside).uid, lstatSync(join(outside, 'secret')).uid], [0, 0])
  },
)

test(
  'a folder that is replaced by a link while it is held is still the same one',
  { skip },
  (t) => {
    const { inside, outside } = createFolders(t)
    const path = join(inside, 'a')
    mkdirSync(path)
    writeFileSync(join(path, 'file'), '')
    using held = holdEntry(path)
    renameSync(path, join(inside, 'moved'))
    symlinkSync(outside, path)
    assert.deepEqual(readdirSync(held?.path ?? ''), ['file'])
    held?.setOwner(OWNER.uid, OWNER.gid)
    assert.equal(lstatSync(join(inside, 'moved')).uid, OWNER.uid)
    assert.deepEqual([lstatSync(path).uid, lstatSync(outside).uid], [0, 0])
  },
)

/** Two folders of root: one whose entries are given to another account, and one with a file that must stay root's. */
function createFolders(t: TestContext): { inside: string; outside: string } {
  const root = mkdtempSync(join(tmpdir(), 'owner-'))
  t.after(() => rmSync(root, { recursive: true }))
  const [inside, outside] = [join(root, 'inside'), join(root, 'outside')]
  mkdirSync(inside)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), '')
  return { inside, outside }
}
