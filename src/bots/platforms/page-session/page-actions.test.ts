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

/** Actions on a page on which every strategy finds an element. */
function createClickActions(answerAfter: () => Promise<void>, click: (timeout: number) => void) {
  const element = {
    count: () => answerAfter().then(() => 1),
    click: async ({ timeout }: { timeout: number }) => click(timeout),
    filter: () => element,
    first: () => element,
    last: () => element,
    and: () => element,
  }
  const frame = { locator: () => element, getByRole: () => element }
  const mouse = { move: () => Promise.resolve() }
  const page = { mainFrame: () => frame, frames: () => [frame], mouse } as unknown as Page
  return createPageActions(page, GOOGLE_MEET_PAGE_MODEL, {
    hosts: ['meet.google.com'],
    mayPressKeys: () => true,
    reportError: () => undefined,
    reportProblem: () => undefined,
  })
}

test('a click that the page confirms too late is not sent again, because it would undo itself', async () => {
  const logs = {
    'performing click action': true,
    'scrolling into view if needed': false,
    'performing click action\n retrying click action': false,
    'retrying click action\n performing click action': true,
  }
  for (const [log, wasSent] of Object.entries(logs)) {
    let clicks = 0
    const actions = createClickActions(
      () => Promise.resolve(),
      () => {
        clicks += 1
        const error = new Error(`locator.click: Timeout 2500ms exceeded.\nCall log:\n ${log}`)
        error.name = 'TimeoutError'
        throw error
      },
    )
    assert.equal(await actions.click('microphoneIsOn'), wasSent, log)
    assert.equal(clicks === 1, wasSent, log)
  }
})

test('an action may take longer on a page that answers slowly', async () => {
  const limitAfter = async (ms: number) => {
    const limits: number[] = []
    const answer = () => new Promise<void>((resolve) => setTimeout(resolve, ms))
    await createClickActions(answer, (limit) => void limits.push(limit)).click('joinButton')
    return limits[0] ?? 0
  }
  assert.ok((await limitAfter(100)) >= 3_400)
  assert.ok((await limitAfter(0)) >= 2_500)
})
