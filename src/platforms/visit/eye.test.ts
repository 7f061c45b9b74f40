import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE } from '../google-meet/states.ts'
import { createEye } from './eye.ts'

function page(parts: Record<string, string>, words = '') {
  const address = 'https://meet.google.com/abc-defg-hij'
  return { address, language: 'en', words, parts, found: {}, count: null }
}

test('a state counts once it has been seen for long enough without a break', () => {
  const eye = createEye(GOOGLE_MEET_PAGE)
  eye.see(page({ chatButton: '' }), 0)
  assert.deepEqual([eye.latest().state, eye.steady().state], ['in call', 'unknown'])
  eye.see(page({ nameInput: '' }), 300)
  eye.see(page({ chatButton: '' }), 400)
  eye.seeAgain(800)
  assert.equal(eye.steady().state, 'prejoin')
  eye.seeAgain(900)
  assert.equal(eye.steady().state, 'in call')
})

test('a page that is not seen again proves nothing, however much time passes', () => {
  const eye = createEye(GOOGLE_MEET_PAGE)
  eye.see(page({}, "You can't join this video call"), 0)
  assert.equal(eye.steady().state, 'unknown')
  eye.seeAgain(60_000)
  assert.equal(eye.steady().because, 'blocked_by_platform')
})

test('what we did and what the wire told change what a page means', () => {
  const eye = createEye(GOOGLE_MEET_PAGE)
  eye.see(page({}, 'You left the meeting'), 0)
  eye.know({ phase: 'knocking' }, 1)
  assert.equal(eye.steady().because, 'denied')
  eye.know({ phase: 'leaving' }, 2)
  assert.equal(eye.steady().state, 'left')
  const told = createEye(GOOGLE_MEET_PAGE)
  told.know({ wireEnd: 'removed' }, 0)
  assert.equal(told.steady().because, 'removed')
})

test('words beside the way in are remembered as a title, whatever they say after the knock', () => {
  const eye = createEye(GOOGLE_MEET_PAGE)
  const title = 'You left the meeting too early'
  eye.see(page({}, title), 0)
  assert.equal(eye.steady().state, 'unknown')
  eye.see(page({ joinButton: 'Ask to join' }, title), 200)
  assert.equal(eye.steady().state, 'prejoin')
  eye.know({ phase: 'knocking' }, 300)
  assert.equal(eye.steady().state, 'prejoin')
  eye.see(page({ leaveButton: '' }, `${title} Asking to be let in`), 400)
  assert.equal(eye.steady().state, 'lobby')
  eye.see(page({ endHeading: '' }, `${title} You weren't allowed to join`), 500)
  assert.equal(eye.steady().because, 'denied')
})
