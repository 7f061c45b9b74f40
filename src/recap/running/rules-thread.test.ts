import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecapSource } from '../recap.ts'
import { createRulesRecap } from '../rules-recap.ts'
import { createRulesRecapMaker } from './rules-thread.ts'

function createLongMeeting(): RecapSource {
  const texts = ['Ben will fix the search page by Wednesday.', 'We decided to ship it on Friday.']
  return {
    startedAt: new Date('2026-11-17T09:00:00Z'),
    timeZone: 'UTC',
    languageHint: null,
    participants: ['Ada', 'Ben'],
    segments: Array.from({ length: 400 }, (_, i) => ({
      number: i + 1,
      speaker: i % 2 === 0 ? 'Ada' : 'Ben',
      text: `${texts[i % 2]} Point ${i} of the plan.`,
      startMs: i * 1000,
      endMs: i * 1000 + 900,
    })),
  }
}

test('a long meeting gets the same recap in a worker thread', async () => {
  const source = createLongMeeting()
  const recap = await createRulesRecapMaker()(source, new AbortController().signal)
  assert.deepEqual(recap, createRulesRecap(source))
})

test('the event loop goes on while the recap of a long meeting is made', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  await createRulesRecapMaker()(createLongMeeting(), new AbortController().signal)
  clearImmediate(immediate)
  // On this thread, the work would end before the first turn.
  assert.ok(turns > 0)
})

test('a recap in a worker thread ends when it is aborted', async () => {
  const abort = new AbortController()
  const recap = createRulesRecapMaker()(createLongMeeting(), abort.signal)
  abort.abort(new Error('the node stops'))
  await assert.rejects(recap, /the node stops/)
})
