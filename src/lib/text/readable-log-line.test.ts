import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { formatJsonLogEntryForTerminal } from './readable-log-line.ts'

const format = (entry: Record<string, unknown>) =>
  stripVTControlCharacters(
    formatJsonLogEntryForTerminal(
      JSON.stringify({ level: 30, time: '2026-11-01T09:08:07.123Z', ...entry }),
    ),
  )

test('a log line for a terminal shows time, level, message and each field', () => {
  assert.equal(
    format({ msg: 'browser started', version: '153.0', bots: { running: 2 } }),
    '[09:08:07] INFO: browser started\n    version: "153.0"\n    bots: {"running":2}\n',
  )
})

test('the stack of an error comes last, on lines of its own', () => {
  const err = { type: 'Error', message: 'no', code: 'X', stack: 'Error: no\n    at here' }
  assert.equal(
    format({ level: 50, msg: 'failed', err }),
    '[09:08:07] ERROR: failed\n    err: {"type":"Error","message":"no","code":"X"}\n    Error: no\n        at here\n',
  )
})

test('control characters in a text do not reach the terminal', () => {
  const hostile = 'a\u001b[2Jb\rc\u202ed'
  const line = formatJsonLogEntryForTerminal(
    JSON.stringify({ level: 30, time: '', msg: hostile, name: hostile, err: { stack: hostile } }),
  )
  for (const part of ['\u001b[2J', '\r', '\u202e']) assert.ok(!line.includes(part))
})
