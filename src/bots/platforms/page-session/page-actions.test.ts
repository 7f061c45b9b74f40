import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { createPageActions } from './page-actions.ts'

test('keys are pressed only while they may be, so that they do nothing on an end screen', async () => {
  const pressed: string[] = []
  const main = {}
  const page = {
    mainFrame: () => main,
    frames: () => [main],
    keyboard: { press: (keys: string) => Promise.resolve(void pressed.push(keys)) },
  } as unknown as Page
  const state = { isCall: true }
  const actions = createPageActions(page, GOOGLE_MEET_PAGE_MODEL, {
    hosts: ['meet.google.com'],
    mayPressKeys: () => state.isCall,
    reportError: () => undefined,
    reportProblem: () => undefined,
  })
  assert.equal(await actions.pressKeys('captionsTurnOn'), true)
  state.isCall = false
  assert.equal(await actions.pressKeys('captionsTurnOn'), false)
  assert.deepEqual(pressed, ['c'])
})

test('a frame that never answers has no part, and does not stop the session', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let asked = 0
  const silent = {
    count: () => ((asked += 1), new Promise<number>(() => undefined)),
    filter: () => silent,
    first: () => silent,
    last: () => silent,
    and: () => silent,
  }
  const frame = { locator: () => silent, getByRole: () => silent }
  const page = { mainFrame: () => frame, frames: () => [frame] } as unknown as Page
  const actions = createPageActions(page, GOOGLE_MEET_PAGE_MODEL, {
    hosts: ['meet.google.com'],
    mayPressKeys: () => true,
    reportError: () => undefined,
    reportProblem: () => undefined,
  })
  const isShown = actions.isShown('joinButton')
  await new Promise(setImmediate)
  t.mock.timers.tick(2_000)
  assert.equal(await isShown, false)
  assert.equal(asked, 1, 'the other strategies are not tried in a silent frame')
})
