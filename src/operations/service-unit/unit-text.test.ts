import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  formatUnit,
  UNIT_MARKER,
  type UnitParts,
  quoteUnitArgument,
  quoteUnitProgram,
  quoteUnitValue,
} from './unit-text.ts'

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
    'RestartPreventExitStatus=2',
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

test('quotes, backslashes and specifiers of a value are escaped', () => {
  const table: Record<string, string> = {
    '/srv/data': '"/srv/data"',
    '/srv/my data': '"/srv/my data"',
    '/srv/100%h': '"/srv/100%%h"',
    '/srv/a"b': String.raw`"/srv/a\"b"`,
    [String.raw`/srv/a\nb`]: String.raw`"/srv/a\\nb"`,
    "/srv/it's;#": `"/srv/it's;#"`,
    '/srv/$HOME': '"/srv/$HOME"',
    '/srv/дата': '"/srv/дата"',
  }
  for (const [value, expected] of Object.entries(table))
    assert.equal(quoteUnitValue(value), expected)
})

test('variables in an argument are escaped, because systemd would replace them', () => {
  assert.equal(quoteUnitArgument('/srv/$HOME/${X}%'), '"/srv/$$HOME/$${X}%%"')
})

test('a program in a folder with quotes or a backslash is refused, because systemd does not start it', () => {
  assert.equal(quoteUnitProgram('/a b/%h/$HOME/node'), '"/a b/%%h/$HOME/node"')
  for (const path of ['/a"b/node', "/a'b/node", String.raw`/a\b/node`])
    assert.throws(() => quoteUnitProgram(path), OperatorError)
})

test('control characters are refused', () => {
  for (const value of [
    '/srv/a\nb',
    '/srv/a\rb',
    '/srv/a\tb',
    '/a\u001b[31m',
    '/a\u2028',
    '/\ud800',
  ])
    assert.throws(() => quoteUnitValue(value), OperatorError, JSON.stringify(value))
})
