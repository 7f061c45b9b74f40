import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatUnit, type UnitScope } from '../../src/operations/service-unit/unit-text.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { canRun, LIMIT_MS } from '../support/service/run-program.ts'

const skip = canRun(['systemd-analyze', '--version']) ? false : 'systemd-analyze is not installed'

for (const scope of ['system', 'user'] as const) {
  test(`systemd accepts the ${scope} unit, also with unusual paths`, { skip }, () => {
    using unit = createUnit(scope)
    // systemd-analyze reports a missing program, so this shows that it reads the path as intended.
    const { status, output } = unit.analyze('verify')
    assert.equal(status, 0, output)
    unit.removeProgram()
    assert.match(unit.analyze('verify').output, /is not executable/)
  })
}

test('the system unit is well protected in the opinion of systemd', { skip }, () => {
  using unit = createUnit('system')
  const { status, output } = unit.analyze('security', '--offline=true', '--threshold=40')
  assert.equal(status, 0, output)
})

function createUnit(scope: UnitScope) {
  const folder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'unit-'))
  const place = join(folder, 'a b%h $HOME')
  mkdirSync(place)
  const data = join(place, String.raw`"q' \z`)
  const node = join(place, 'node')
  symlinkSync(process.execPath, node)
  const launcher = join(place, 'hansard.mjs')
  const path = join(folder, 'hansard.service')
  writeFileSync(path, formatUnit({ scope, node, launcher, data, account: 'daemon' }))
  return {
    removeProgram: () => rmSync(node),
    analyze(verb: string, ...options: string[]) {
      const flags = scope === 'user' ? ['--user', ...options] : options
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [verb, ...flags, path], {
        encoding: 'utf8',
        timeout: LIMIT_MS,
        env: { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder },
      })
      return { status, output: stdout + stderr }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
