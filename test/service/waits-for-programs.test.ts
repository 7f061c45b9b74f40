import { strict as assert } from 'node:assert'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runLoadedCommand, startLoadedCommand } from '../support/service/loaded-commands.ts'
import { startProgram } from '../support/service/run-program.ts'

const ENV = { PATH: process.env['PATH'] ?? '', HOME: tmpdir() }

test('a wait for a program that does not end kills it and fails with its output so far', async () => {
  await using program = startProgram(['sh', '-c', 'echo begun; echo halfway >&2; exec sleep 60'])
  await program.waitForOutput(/halfway/)
  await assert.rejects(program.waitForEnd(1), /did not end; its output: begun\nhalfway/)
  assert.equal((await program.waitForExit()).signal, 'SIGKILL')
})

test('a wait for output fails with the output so far when the program ends or does not print it', async () => {
  await using ended = startProgram(['sh', '-c', 'echo other'])
  await assert.rejects(ended.waitForOutput(/begun/), /did not print \/begun\/; its output: other/)
  await using silent = startProgram(['sleep', '60'])
  await assert.rejects(silent.waitForOutput(/begun/, 1), /did not print \/begun\/; .* nothing/)
})

test('a wait for a program that cannot be started fails', async () => {
  await using program = startProgram(['/no/such/program'])
  await assert.rejects(program.waitForEnd(), /ENOENT/)
})

test('a command that does not end is killed in the same way, and the next one still runs', async () => {
  const args = ['listen', '--print-json', '--service', 'http://127.0.0.1:9']
  await using command = startLoadedCommand(args, { ...ENV, HANSARD_API_KEY: 'sk_x' })
  await command.waitForOutput(/No connection/)
  await assert.rejects(command.waitForEnd(1), /listen .* did not end; its output: No connection/)
  assert.equal((await command.waitForExit()).signal, 'SIGKILL')
  const next = await runLoadedCommand(['--version'], ENV)
  assert.match(next.stdout, /^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?\n$/)
})
