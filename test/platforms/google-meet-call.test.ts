import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { wrongLanguageCase } from './cases/speech.ts'
import { testAttending } from './conformance.ts'
import { MEET } from './profiles.ts'
import { admitBot, startStageRun, waitFor } from './stage-run.ts'

testAttending(MEET, [
  wrongLanguageCase,
  [
    'a turn whose row is cleared and filled again is transcribed completely',
    async (setup) => {
      const knobs = { wires: [], restartAfterCharacters: 400 } satisfies KnobSettings
      const rehearsal = startStageRun(setup, { knobs })
      await admitBot(rehearsal)
      const said = [
        'The first part of a very long speech, which fills the row all by itself.',
        'The second part goes on about something else entirely, as speeches do.',
        'After that everybody hoped for a pause, but the speaker had other plans.',
        'Somewhere around here most of the listeners had begun to read their mail.',
        'Nobody noticed that the row had become longer than any row before it.',
        'Then the platform let go of all that and began with an empty row again.',
        'And the last part brings it to an end that nobody expected any more.',
      ]
      for (const sentence of said) await rehearsal.show.say('ana', sentence)
      const words = () => rehearsal.wordsBySpeaker()['Ana Ribeiro']
      await waitFor(() => (words() === said.join(' ') ? true : null)).catch(() =>
        assert.equal(words(), said.join(' ')),
      )
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
  [
    'overlays that cover the call are dismissed',
    async (setup) => {
      const rehearsal = startStageRun(setup)
      await admitBot(rehearsal)
      const page = rehearsal.pool.inUse()[0]?.page
      await page?.evaluate(`(() => {
        const bubble = document.body.appendChild(document.createElement('button'))
        bubble.textContent = 'Got it'
        bubble.onclick = () => bubble.remove()
      })()`)
      await page?.getByRole('button', { name: 'Got it' }).waitFor({ state: 'detached' })
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
  [
    'captions_v2 is decoded at both nesting levels',
    async (setup) => {
      const rehearsal = startStageRun(setup, { knobs: { wires: ['captions_v2'], v2Wrappers: 2 } })
      await admitBot(rehearsal)
      await rehearsal.show.say('ben', 'Only the newer channel.')
      await waitFor(() =>
        rehearsal.wordsBySpeaker()['Ben Carter'] === 'Only the newer channel.' ? true : null,
      )
      assert.ok(rehearsal.captionIds().every((id) => id.includes('/captions_v2/')))
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
])
