import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { replaceNameInText } from './replace-name.ts'

test('a name is replaced where it is a whole word', () => {
  const replaced = replaceNameInText(
    'Speaker 2 asks Speaker 21; (Speaker 2).',
    'Speaker 2',
    'Grace',
  )
  assert.equal(replaced, 'Grace asks Speaker 21; (Grace).')
})

test('a part of the new name is not replaced again', () => {
  assert.equal(
    replaceNameInText('Grace and Grace Hopper', 'Grace', 'Grace Hopper'),
    'Grace Hopper and Grace Hopper',
  )
  assert.equal(replaceNameInText('Ada and Dr Ada', 'Ada', 'Dr Ada'), 'Dr Ada and Dr Ada')
})

test('a hostile name is plain text, in the text and in the replacement', () => {
  assert.equal(replaceNameInText('a.*b said (x', 'a.*b', '$& $1'), '$& $1 said (x')
  assert.equal(replaceNameInText('nothing', '', 'x'), 'nothing')
})
