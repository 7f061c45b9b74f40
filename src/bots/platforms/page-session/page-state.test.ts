import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../../test/support/time/manual-timers.ts'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { createPageStateTracker, createStallDetector } from './page-state.ts'

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

test('a refusal counts as an answer of a participant only after the page has shown the lobby', () => {
  const refusal = page({ endHeading: 'Elutasítva' })
  const early = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  early.setContext({ phase: 'knocking' }, 0)
  early.update(refusal, 1)
  early.confirmUnchanged(6_000)
  assert.equal(early.steady().because, 'blocked_by_platform')
  const late = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  late.setContext({ phase: 'knocking' }, 0)
  late.update(page({ leaveButton: '' }), 1)
  late.update(refusal, 2)
  late.confirmUnchanged(6_000)
  assert.equal(late.steady().because, 'denied')
})

test('an end counts as the end of an empty call only while the call asks whether to stay', () => {
  const call = { leaveButton: '', chatButton: '' }
  const end = page({ endHeading: 'Vége' })
  for (const [shown, because] of [
    [{ ...page({ ...call, dialogAnswer: 'Maradok' }), count: 1 }, 'everyone_left'],
    [{ ...page({ ...call, dialogAnswer: 'Maradok' }), count: 3 }, 'host_ended'],
    [page({ ...call, stayButton: 'Stay in the call' }), 'everyone_left'],
  ] as const) {
    const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
    pageState.setContext({ phase: 'inside' }, 0)
    pageState.update(shown, 1)
    pageState.update(end, 2)
    pageState.confirmUnchanged(6_000)
    assert.equal(pageState.steady().because, because)
  }
  const answered = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  answered.setContext({ phase: 'inside' }, 0)
  answered.update(page({ ...call, stayButton: '' }), 1)
  answered.update(page(call), 2)
  answered.update(end, 3)
  answered.confirmUnchanged(6_000)
  assert.equal(answered.steady().because, 'host_ended')
})

test('a page that stops reporting is stalled once, and resumes with its next message', () => {
  const timers = createManualTimers()
  const kinds: string[] = []
  const detector = createStallDetector(timers, ({ kind }) => void kinds.push(kind))
  detector.messageReceived()
  timers.advance(60_000)
  assert.deepEqual(kinds, [], 'before the call nothing is reported')
  detector.start()
  for (let i = 0; i < 10; i += 1) {
    timers.advance(500)
    detector.messageReceived()
  }
  assert.deepEqual(kinds, [])
  timers.advance(4_000)
  assert.deepEqual(kinds, ['page stalled'])
  detector.messageReceived()
  timers.advance(500)
  assert.deepEqual(kinds, ['page stalled', 'page resumed'])
  detector.stop()
  assert.equal(timers.count(), 0)
})
