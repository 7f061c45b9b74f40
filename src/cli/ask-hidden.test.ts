import { strict as assert } from 'node:assert'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { OperatorError } from '../errors.ts'
import { askHidden } from './ask-hidden.ts'

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
