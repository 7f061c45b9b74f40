import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../stage/show/knobs.ts'
import { attends } from './conformance.ts'
import { MEET } from './profiles.ts'
import { begin, rehearse, soon } from './rehearsal.ts'

attends(MEET, [
  [
    'a turn that lets go of its text and begins anew is told whole',
    async (company) => {
      const knobs = { wires: [], restartAfterMs: 28_000 } satisfies KnobSettings
      const rehearsal = rehearse(company, { knobs })
      await begin(rehearsal)
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
      const isTold = () => rehearsal.words()['Ana Ribeiro'] === said.join(' ')
      await soon(() => (isTold() ? true : null))
      rehearsal.stop()
      await rehearsal.over
    },
  ],
  [
    'bubbles that lie over the call are closed',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      const page = rehearsal.pool.seats()[0]?.page
      await page?.evaluate(`(() => {
        const bubble = document.body.appendChild(document.createElement('button'))
        bubble.textContent = 'Got it'
        bubble.onclick = () => bubble.remove()
      })()`)
      await page?.getByRole('button', { name: 'Got it' }).waitFor({ state: 'detached' })
      rehearsal.stop()
      await rehearsal.over
    },
  ],
  [
    'both depths of the newer captions are read',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { wires: ['captions_v2'], v2Wrappers: 2 } })
      await begin(rehearsal)
      await rehearsal.show.say('ben', 'Only the newer channel.')
      await soon(() =>
        rehearsal.words()['Ben Carter'] === 'Only the newer channel.' ? true : null,
      )
      assert.ok(rehearsal.captionIds().every((id) => id.includes('/captions_v2/')))
      rehearsal.stop()
      await rehearsal.over
    },
  ],
])
