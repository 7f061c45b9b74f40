import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { OperatorError } from '../../errors.ts'
import { quoteUnitArgument, quoteUnitProgram, quoteUnitValue } from './escape.ts'

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
