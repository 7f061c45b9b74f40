import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { replaceNameInText } from './rename-in-recap.ts'

test('a name is replaced where it is a whole word', () => {
  const replaced = replaceNameInText('Speaker 2 asks Speaker 21; (Speaker 2).', {
    from: 'Speaker 2',
    to: 'Grace',
  })
  assert.equal(replaced, 'Grace asks Speaker 21; (Grace).')
})

test('a part of the new name is not replaced again', () => {
  const grace = { from: 'Grace', to: 'Grace Hopper' }
  assert.equal(replaceNameInText('Grace and Grace Hopper', grace), 'Grace Hopper and Grace Hopper')
  const ada = { from: 'Ada', to: 'Dr Ada' }
  assert.equal(replaceNameInText('Ada and Dr Ada', ada), 'Dr Ada and Dr Ada')
})

test('a part of the name of somebody else is not replaced', () => {
  const rename = { from: 'Ann', to: 'Maria', names: ['Ann Lee', 'Mary Ann', 'Ann Lee Park', 'Bo'] }
  assert.equal(
    replaceNameInText('Ann, Ann Lee, Mary Ann and Ann Lee Park met Ann Leeds.', rename),
    'Maria, Ann Lee, Mary Ann and Ann Lee Park met Maria Leeds.',
  )
})

test('a hostile name is plain text, in the text and in the replacement', () => {
  assert.equal(replaceNameInText('a.*b said (x', { from: 'a.*b', to: '$& $1' }), '$& $1 said (x')
  assert.equal(replaceNameInText('nothing', { from: '', to: 'x' }), 'nothing')
})
