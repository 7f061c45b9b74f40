import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSpeechSwitch, type CaptionsStatus } from './speech-switch.ts'
import { SESSION_TIMEOUTS } from './timeouts.ts'

const ON: CaptionsStatus = {
  areOn: true,
  areProven: true,
  areInWrongLanguage: false,
  lastCaptionAt: -Infinity,
}
const MISSING: CaptionsStatus = { ...ON, areOn: false }
const SILENT = { isBusy: false, lastSoundAt: -Infinity, heldSince: Infinity }

test('speech waits while captions are turned on, and is off when they are on', () => {
  const speech = createSpeechSwitch('fallback', SESSION_TIMEOUTS)
  assert.equal(speech.update(MISSING, SILENT, 0), 'standby')
  assert.equal(speech.update(MISSING, SILENT, SESSION_TIMEOUTS.firstCaptionsMs - 1), 'standby')
  assert.equal(speech.update(ON, SILENT, SESSION_TIMEOUTS.firstCaptionsMs), 'off')
})

test('speech is recorded when captions never come, and sooner when they stop', () => {
  const speech = createSpeechSwitch('fallback', SESSION_TIMEOUTS)
  speech.update(MISSING, SILENT, 0)
  assert.equal(speech.update(MISSING, SILENT, SESSION_TIMEOUTS.firstCaptionsMs), 'active')

  const later = createSpeechSwitch('fallback', SESSION_TIMEOUTS)
  later.update(ON, SILENT, 0)
  assert.equal(later.update(MISSING, SILENT, 1_000), 'standby')
  assert.equal(later.update(MISSING, SILENT, 1_000 + SESSION_TIMEOUTS.captionsLostMs), 'active')
})

test('captions take over again only in a pause without sound, waiting speech and new captions', () => {
  const speech = createSpeechSwitch('fallback', SESSION_TIMEOUTS)
  speech.update(MISSING, SILENT, 0)
  speech.update(MISSING, SILENT, 10_000)
  assert.equal(
    speech.update(ON, { ...SILENT, isBusy: true, lastSoundAt: 12_000 }, 20_000),
    'active',
  )
  assert.equal(speech.update(ON, { ...SILENT, lastSoundAt: 19_000 }, 20_000), 'active')
  assert.equal(speech.update({ ...ON, lastCaptionAt: 19_000 }, SILENT, 20_000), 'active')
  assert.equal(speech.update(MISSING, SILENT, 25_000), 'active')
  assert.equal(speech.update({ ...ON, lastCaptionAt: 19_000 }, SILENT, 25_000), 'off')
})

test('speech replaces captions in another language at once, until they have the right one', () => {
  const speech = createSpeechSwitch('fallback', SESSION_TIMEOUTS)
  speech.update(ON, SILENT, 0)
  assert.equal(speech.update({ ...ON, areInWrongLanguage: true }, SILENT, 1_000), 'active')
  assert.equal(speech.update(ON, SILENT, 9_000), 'off')
})

test('with `always` captions are never recorded', () => {
  const speech = createSpeechSwitch('always', SESSION_TIMEOUTS)
  assert.equal(speech.update(MISSING, SILENT, 0), 'active')
  assert.equal(speech.update(ON, SILENT, 60_000), 'active')
})

test('words without a caption refute captions that are only assumed to be on', () => {
  const speech = createSpeechSwitch('fallback', SESSION_TIMEOUTS)
  const assumed = { ...ON, areProven: false }
  assert.equal(speech.update(assumed, SILENT, 0), 'standby')
  assert.equal(speech.update(assumed, SILENT, 600_000), 'standby')
  const said = { ...SILENT, heldSince: 600_000 }
  assert.equal(speech.update(assumed, said, 601_000), 'standby')
  assert.equal(speech.update(assumed, said, 600_000 + SESSION_TIMEOUTS.captionsLostMs), 'active')
  assert.equal(speech.update(assumed, SILENT, 700_000), 'active')
  assert.equal(speech.update(ON, SILENT, 701_000), 'off')
})
