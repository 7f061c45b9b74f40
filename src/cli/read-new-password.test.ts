import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readNewPassword } from './read-new-password.ts'

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
