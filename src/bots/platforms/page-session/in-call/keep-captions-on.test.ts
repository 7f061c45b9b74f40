import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../../google-meet/page-model.ts'
import type { PlatformEvent } from '../../platform.ts'
import type { PageSession } from '../page-session.ts'
import { createPageStateTracker } from '../page/page-state.ts'
import { createKeepCaptionsOnTask } from './keep-captions-on.ts'

const CALL = { leaveButton: '', chatButton: '', captionsButton: '' }

/** A call without a browser. `act` is what turning captions on does to the page. */
function openCall(
  parts: Record<string, string>,
  act: (show: (parts: Record<string, string>) => void) => boolean = () => false,
) {
  const clock = { now: 0 }
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  const events: PlatformEvent[] = []
  let attempts = 0
  const show = (next: Record<string, string>, words = '') => {
    const address = 'https://meet.google.com/abc-defg-hij'
    const observation = { address, language: 'en', words, parts: next, found: {}, count: null }
    pageState.update(observation, clock.now)
  }
  pageState.setContext({ phase: 'inside' }, 0)
  show(parts)
  const session = {
    platform: {
      title: 'Google Meet',
      captions: {
        turnOn: [() => Promise.resolve((attempts += 1) > 0 && act(show))],
        appearsOnlyWithSpeech: false,
        offPart: 'captionsTurnOn',
        onPart: 'captionsTurnOff',
      },
    },
    wasAdmittedBefore: false,
    pageState,
    captionReader: { lastCaptionAt: () => -Infinity },
    timeouts: { captionsMs: 120_000, captionsBackMs: 300_000, captionsLostMs: 5_000 },
    now: () => clock.now,
    observedAt: () => clock.now,
    emit: (event: PlatformEvent) => void events.push(event),
    tryOnPage: (step: string, run: () => Promise<boolean>) =>
      step === 'disable low power' ? Promise.resolve(true) : run(),
    movePointer: () => Promise.resolve(true),
  }
  const runTask = createKeepCaptionsOnTask(session as unknown as PageSession)
  return {
    show,
    attempts: () => attempts,
    /** Runs the task once a second, and returns how it ended. */
    async runFor(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        const end = await runTask()
        if (end !== null) return end
        clock.now += 1_000
      }
      return null
    },
  }
}

test('captions are turned on although the page has an empty caption area', async () => {
  const off = { ...CALL, captionsRegion: '', captionsTurnOn: '' }
  const call = openCall(off, (show) => {
    show({ ...CALL, captionsRegion: '', captionsTurnOff: '' })
    return true
  })
  assert.equal(await call.runFor(600), null)
  assert.equal(call.attempts(), 1)
})

test('an empty caption area whose button stays off ends the visit with captions_unavailable', async () => {
  const call = openCall({ ...CALL, captionsRegion: '', captionsTurnOn: '' }, () => true)
  const end = await call.runFor(600)
  assert.deepEqual(end, { kind: 'over', because: 'captions_unavailable' })
  assert.ok(call.attempts() > 3)
})

test('captions that the button says are on are left alone, however long nobody speaks', async () => {
  const call = openCall({ ...CALL, captionsRegion: '', captionsTurnOff: '' })
  assert.equal(await call.runFor(600), null)
  assert.equal(call.attempts(), 0)
})
