import { strict as assert } from 'node:assert'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { OperatorError } from '../lib/operator-error.ts'
import { askHidden, readNewPassword } from './ask-secrets.ts'

function type(keys: string): PassThrough {
  const input = new PassThrough()
  input.write(keys)
  return input
}

test('a hidden answer ends with Enter and is corrected with Backspace', async () => {
  assert.equal(await askHidden('Password', type('sekt\u007fret \r')), 'sekret ')
})

test('Ctrl-C and Ctrl-D cancel a hidden question', async () => {
  for (const key of ['\u0003', '\u0004'])
    await assert.rejects(askHidden('Password', type(key)), new OperatorError('Cancelled'))
})

/** Answers each question with the next text, and records the questions. */
function createAsk(...typed: string[]) {
  const questions: string[] = []
  const ask = async (message: string) => {
    questions.push(message)
    return typed[questions.length - 1] ?? ''
  }
  return { ask, questions }
}

test('a password is asked for twice, and two different answers are refused', async () => {
  const same = createAsk('quite a long secret', 'quite a long secret')
  assert.equal(await readNewPassword(undefined, same.ask), 'quite a long secret')
  assert.deepEqual(same.questions, [
    'New password (must have at least 8 characters)',
    'The same password again',
  ])
  const { ask } = createAsk('quite a long secret', 'quite a long sercet')
  await assert.rejects(readNewPassword(undefined, ask), /The two passwords are different/)
})
