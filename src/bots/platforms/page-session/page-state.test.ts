import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { createPageStateTracker } from './page-state.ts'

function page(parts: Record<string, string>, words = '') {
  const address = 'https://meet.google.com/abc-defg-hij'
  return { address, language: 'en', words, parts, found: {}, count: null }
}

test('a page state is steady once it has lasted long enough without a break', () => {
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  pageState.update(page({ chatButton: '' }), 0)
  assert.deepEqual([pageState.latest().state, pageState.steady().state], ['in call', 'unknown'])
  pageState.update(page({ nameInput: '' }), 300)
  pageState.update(page({ chatButton: '' }), 400)
  pageState.confirmUnchanged(800)
  assert.equal(pageState.steady().state, 'prejoin')
  pageState.confirmUnchanged(900)
  assert.equal(pageState.steady().state, 'in call')
})

test('without a new observation a page state does not become steady', () => {
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  pageState.update(page({}, "You can't join this video call"), 0)
  assert.equal(pageState.steady().state, 'unknown')
  pageState.confirmUnchanged(60_000)
  assert.equal(pageState.steady().because, 'blocked_by_platform')
})

test('the join phase and an end on the wire change the state of the same page', () => {
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  pageState.update(page({}, 'You left the meeting'), 0)
  pageState.setContext({ phase: 'knocking' }, 1)
  assert.equal(pageState.steady().because, 'denied')
  pageState.setContext({ phase: 'leaving' }, 2)
  assert.equal(pageState.steady().state, 'left')
  const ended = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  ended.setContext({ wireEndReason: 'removed' }, 0)
  assert.equal(ended.steady().because, 'removed')
})

test('text on the page before the call counts as a title after the request to join', () => {
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  const title = 'You left the meeting too early'
  pageState.update(page({}, title), 0)
  assert.equal(pageState.steady().state, 'unknown')
  pageState.update(page({ joinButton: 'Ask to join' }, title), 200)
  assert.equal(pageState.steady().state, 'prejoin')
  pageState.setContext({ phase: 'knocking' }, 300)
  assert.equal(pageState.steady().state, 'prejoin')
  pageState.update(page({ leaveButton: '' }, `${title} Asking to be let in`), 400)
  assert.equal(pageState.steady().state, 'lobby')
  pageState.update(page({ endHeading: '' }, `${title} You weren't allowed to join`), 500)
  assert.equal(pageState.steady().because, 'denied')
})
