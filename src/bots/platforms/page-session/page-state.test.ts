import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { createPageState } from './page-state.ts'

function page(parts: Record<string, string>, words = '') {
  const address = 'https://meet.google.com/abc-defg-hij'
  return { address, language: 'en', words, parts, found: {}, count: null }
}

test('a state counts once it has been seen for long enough without a break', () => {
  const eye = createPageState(GOOGLE_MEET_PAGE_MODEL)
  eye.update(page({ chatButton: '' }), 0)
  assert.deepEqual([eye.latest().state, eye.steady().state], ['in call', 'unknown'])
  eye.update(page({ nameInput: '' }), 300)
  eye.update(page({ chatButton: '' }), 400)
  eye.confirmUnchanged(800)
  assert.equal(eye.steady().state, 'prejoin')
  eye.confirmUnchanged(900)
  assert.equal(eye.steady().state, 'in call')
})

test('a page that is not seen again proves nothing, however much time passes', () => {
  const eye = createPageState(GOOGLE_MEET_PAGE_MODEL)
  eye.update(page({}, "You can't join this video call"), 0)
  assert.equal(eye.steady().state, 'unknown')
  eye.confirmUnchanged(60_000)
  assert.equal(eye.steady().because, 'blocked_by_platform')
})

test('what we did and what the wire told change what a page means', () => {
  const eye = createPageState(GOOGLE_MEET_PAGE_MODEL)
  eye.update(page({}, 'You left the meeting'), 0)
  eye.setContext({ phase: 'knocking' }, 1)
  assert.equal(eye.steady().because, 'denied')
  eye.setContext({ phase: 'leaving' }, 2)
  assert.equal(eye.steady().state, 'left')
  const told = createPageState(GOOGLE_MEET_PAGE_MODEL)
  told.setContext({ wireEnd: 'removed' }, 0)
  assert.equal(told.steady().because, 'removed')
})

test('words beside the way in are remembered as a title, whatever they say after the knock', () => {
  const eye = createPageState(GOOGLE_MEET_PAGE_MODEL)
  const title = 'You left the meeting too early'
  eye.update(page({}, title), 0)
  assert.equal(eye.steady().state, 'unknown')
  eye.update(page({ joinButton: 'Ask to join' }, title), 200)
  assert.equal(eye.steady().state, 'prejoin')
  eye.setContext({ phase: 'knocking' }, 300)
  assert.equal(eye.steady().state, 'prejoin')
  eye.update(page({ leaveButton: '' }, `${title} Asking to be let in`), 400)
  assert.equal(eye.steady().state, 'lobby')
  eye.update(page({ endHeading: '' }, `${title} You weren't allowed to join`), 500)
  assert.equal(eye.steady().because, 'denied')
})
