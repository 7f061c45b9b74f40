import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatUnit, UNIT_MARKER, type UnitParts } from './unit-text.ts'

const PARTS: UnitParts = {
  scope: 'system',
  node: '/usr/lib/node_modules/hansard/node',
  launcher: '/usr/lib/node_modules/hansard/bin/hansard.mjs',
  data: '/var/lib/hansard',
  account: 'hansard',
}

test('a system unit runs under its account, and writes only to its data folder', () => {
  const lines = formatUnit(PARTS).split('\n')
  assert.equal(lines[0], UNIT_MARKER)
  for (const line of [
    'User=hansard',
    'ExecStart="/usr/lib/node_modules/hansard/node" "/usr/lib/node_modules/hansard/bin/hansard.mjs" serve',
    'Environment="HANSARD_DATA=/var/lib/hansard"',
    'EnvironmentFile=-/etc/hansard/hansard.env',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'ReadWritePaths="/var/lib/hansard"',
    'NoNewPrivileges=yes',
    'KillMode=mixed',
    'WantedBy=multi-user.target',
  ])
    assert.ok(lines.includes(line), line)
})

test('a user unit has no setting that needs root, and can read the home folder', () => {
  const data = '/home/ada/.local/share/hansard'
  const text = formatUnit({ ...PARTS, scope: 'user', data })
  assert.doesNotMatch(
    text,
    /^(?:User|CapabilityBoundingSet|PrivateDevices|ProtectKernel\w+|ProtectClock|After)=/m,
  )
  assert.match(text, /^ProtectHome=read-only$/m)
  assert.match(text, /^WantedBy=default\.target$/m)
})

test('a hostile path cannot add a line or end its quotes', () => {
  const data = '/srv/"\\ %n $(touch x) \'; ExecStartPre=x'
  const lines = formatUnit({ ...PARTS, data }).split('\n')
  assert.equal(lines.length, formatUnit(PARTS).split('\n').length)
  assert.ok(lines.includes(String.raw`ReadWritePaths="/srv/\"\\ %%n $(touch x) '; ExecStartPre=x"`))
  assert.throws(() => formatUnit({ ...PARTS, data: '/srv/a\nExecStartPre=/bin/x' }))
})
