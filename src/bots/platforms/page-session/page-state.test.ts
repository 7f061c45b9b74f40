import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { createPageState } from './page-state.ts'

function page(parts: Record<string, string>, words = '') {
  const address = 'https://meet.google.com/abc-defg-hij'
  return { address, language: 'en', words, parts, found: {}, count: null }
}

test('a state counts once it has been seen for long enough without a break', () => {
  const pageState = createPageState(GOOGLE_MEET_PAGE_MODEL)
  pageState.update(page({ chatButton: '' }), 0)
  assert.deepEqual([pageState.latest().state, pageState.steady().state], ['in call', 'unknown'])
  pageState.update(page({ nameInput: '' }), 300)
  pageState.update(page({ chatButton: '' }), 400)
  pageState.confirmUnchanged(800)
  assert.equal(pageState.steady().state, 'prejoin')
  pageState.confirmUnchanged(900)
  assert.equal(pageState.steady().state, 'in call')
})

test('a page that is not seen again proves nothing, however much time passes', () => {
  const pageState = createPageState(GOOGLE_MEET_PAGE_MODEL)
  pageState.update(page({}, "You can't join this video call"), 0)
  assert.equal(pageState.steady().state, 'unknown')
  pageState.confirmUnchanged(60_000)
  assert.equal(pageState.steady().because, 'blocked_by_platform')
})

test('what we did and what the wire told change what a page means', () => {
  const pageState = createPageState(GOOGLE_MEET_PAGE_MODEL)
  pageState.update(page({}, 'You left the meeting'), 0)
  pageState.setContext({ phase: 'knocking' }, 1)
  assert.equal(pageState.steady().because, 'denied')
  pageState.setContext({ phase: 'leaving' }, 2)
  assert.equal(pageState.steady().state, 'left')
  const told = createPageState(GOOGLE_MEET_PAGE_MODEL)
  told.setContext({ wireEndReason: 'removed' }, 0)
  assert.equal(told.steady().because, 'removed')
})

test('words beside the way in are remembered as a title, whatever they say after the knock', () => {
  const pageState = createPageState(GOOGLE_MEET_PAGE_MODEL)
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
