import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseChatCommand, completeChatNotice, formatChatNotice } from './notice-and-commands.ts'

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

test('the notice says that the bot listens where it does', () => {
  const notice = formatChatNotice(undefined, { botName: 'Notes', hasCommands: true }) ?? ''
  const noticeOf = (platform: 'galene' | 'google_meet', speech: 'off' | 'fallback' | 'always') =>
    completeChatNotice(notice, { platform, speech })
  assert.match(noticeOf('google_meet', 'off'), /from its captions\. To stop me/)
  assert.match(noticeOf('google_meet', 'fallback'), /from its captions\. .* missing, I listen/)
  for (const text of [noticeOf('google_meet', 'always'), noticeOf('galene', 'fallback')]) {
    assert.match(text, /I listen to this meeting/)
    assert.doesNotMatch(text, /captions/)
  }
  const own = formatChatNotice('I am {name}.', { botName: 'Notes', hasCommands: true }) ?? ''
  assert.equal(completeChatNotice(own, { platform: 'galene', speech: 'always' }), 'I am Notes.')
})
