import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseChatCommand } from './chat-commands.ts'

test('a command is recognised in any case and with any punctuation', () => {
  const cases: Array<[text: string, command: string]> = [
    ['hansard stop', 'leave'],
    ['Hansard, leave!', 'leave'],
    ['  HANSARD   PAUSE. ', 'pause'],
    ['@hansard: resume', 'resume'],
    ['Hansard please continue', 'resume'],
    ['@Team Notes stop, please', 'leave'],
    ['ｈａｎｓａｒｄ ｓｔｏｐ', 'leave'],
    ['hansard\u00a0stop\u200b', 'leave'],
  ]
  for (const [text, command] of cases)
    assert.equal(parseChatCommand(text, 'Team Notes'), command, text)
})

test('messages that only mention the bot or a command are no commands', () => {
  const texts = [
    '',
    'stop',
    'leave',
    'please stop',
    'hansard',
    'hansard will stop soon, please wait',
    'should hansard stop?',
    'do not make hansard stop',
    'stop hansard',
    'hansard stop the other bot',
    'hansard constructor',
    'notes stop',
    `hansard ${'!'.repeat(300)} stop`,
    'I am Team Notes. Write “hansard leave” to make me leave.',
  ]
  for (const text of texts) assert.equal(parseChatCommand(text, 'Team Notes'), null, text)
  assert.equal(parseChatCommand('stop', '…'), null)
})
