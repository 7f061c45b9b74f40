import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { notReadmittedCase, rejoinsAfter } from './cases/call.ts'
import {
  correctedRowsCase,
  lostWireCase,
  translatedCaptionsCase,
  unavailableCaptionsCase,
} from './cases/captions.ts'
import { rowFloodCase } from './cases/hostile.ts'
import { emptiedCallCase } from './cases/prompts.ts'
import { fallbackSpeechCase, wrongLanguageCase } from './cases/speech.ts'
import { testAttending } from './conformance.ts'
import { MEET } from './profiles.ts'
import { admitBot, leaveCall, startStageRun, waitForWords } from './stage-run.ts'

testAttending(MEET, [
  fallbackSpeechCase,
  wrongLanguageCase,
  lostWireCase,
  correctedRowsCase,
  unavailableCaptionsCase,
  rowFloodCase,
  translatedCaptionsCase,
  ['a page that wanders off in mid-call is opened again', rejoinsAfter('away')],
  notReadmittedCase,
  emptiedCallCase,
  [
    'a turn whose row is cleared and filled again is transcribed completely',
    async (setup) => {
      const knobs = { wires: [], restartAfterCharacters: 400 } satisfies KnobSettings
      const run = startStageRun(setup, { knobs })
      await admitBot(run)
      const said = [
        'The first part of a very long speech, which fills the row all by itself.',
        'The second part goes on about something else entirely, as speeches do.',
        'After that everybody hoped for a pause, but the speaker had other plans.',
        'Somewhere around here most of the listeners had begun to read their mail.',
        'Nobody noticed that the row had become longer than any row before it.',
        'Then the platform let go of all that and began with an empty row again.',
        'And the last part brings it to an end that nobody expected any more.',
      ]
      for (const sentence of said) await run.show.say('ana', sentence)
      await waitForWords(run, 'Ana Ribeiro', said.join(' '))
      await leaveCall(run)
    },
  ],
  [
    'overlays that cover the call are dismissed',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      const page = run.pool.inUse()[0]?.page
      await page?.evaluate(`(() => {
        const bubble = document.body.appendChild(document.createElement('button'))
        bubble.textContent = 'Got it'
        bubble.onclick = () => bubble.remove()
      })()`)
      await page?.getByRole('button', { name: 'Got it' }).waitFor({ state: 'detached' })
      await leaveCall(run)
    },
  ],
  [
    'captions_v2 is decoded at both nesting levels',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { wires: ['captions_v2'], v2Wrappers: 2 } })
      await admitBot(run)
      await run.show.say('ben', 'Only the newer channel.')
      await waitForWords(run, 'Ben Carter', 'Only the newer channel.')
      assert.ok(run.captionIds().every((id) => id.includes('/captions_v2/')))
      await leaveCall(run)
    },
  ],
])
