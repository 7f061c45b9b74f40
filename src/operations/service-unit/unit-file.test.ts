import { strict as assert } from 'node:assert'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findUnitFolder, removeUnitFile, requireRemovableUnit, writeUnitFile } from './unit-file.ts'
import { UNIT_MARKER } from './unit-text.ts'

const OURS = `${UNIT_MARKER}\n[Unit]\n`

test('a unit is written into a new folder, replaced and removed', () => {
  using folder = createFolder()
  const path = join(folder.path, 'systemd/user/hansard.service')
  writeUnitFile(path, OURS, false)
  writeUnitFile(path, `${OURS}# newer\n`, false)
  assert.equal(readFileSync(path, 'utf8'), `${OURS}# newer\n`)
  requireRemovableUnit(path, false)
  removeUnitFile(path)
  assert.deepEqual(readdirSync(join(folder.path, 'systemd/user')), [])
  assert.throws(() => requireRemovableUnit(path, false), /There is no unit/)
})

test('a unit that Hansard has not written is kept unless it is forced', () => {
  using folder = createFolder()
  const path = join(folder.path, 'hansard.service')
  for (const content of ['[Unit]\n', `\n${OURS}`, '']) {
    writeFileSync(path, content)
    assert.throws(() => writeUnitFile(path, OURS, false), /was not written by hansard/)
    assert.throws(() => requireRemovableUnit(path, false), /was not written by hansard/)
    assert.equal(readFileSync(path, 'utf8'), content)
  }
  writeUnitFile(path, OURS, true)
  assert.equal(readFileSync(path, 'utf8'), OURS)
})

test('a masked unit, which is a link to /dev/null, is kept', () => {
  using folder = createFolder()
  const path = join(folder.path, 'hansard.service')
  symlinkSync('/dev/null', path)
  assert.throws(() => writeUnitFile(path, OURS, false), /was not written by hansard/)
})

test('units of a user are in the configuration folder', () => {
  const home = '/home/ada'
  assert.equal(findUnitFolder('system', { env: {}, home }), '/etc/systemd/system')
  assert.equal(findUnitFolder('user', { env: {}, home }), '/home/ada/.config/systemd/user')
  const env = { XDG_CONFIG_HOME: '/srv/etc' }
  assert.equal(findUnitFolder('user', { env, home }), '/srv/etc/systemd/user')
})

function createFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hansard-units-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}
