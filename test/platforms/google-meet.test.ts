import { strict as assert } from 'node:assert'
import { eventually } from '../support/eventually.ts'
import { conforms } from './conformance.ts'
import { MEET } from './profiles.ts'
import { begin, rehearse } from './rehearsal.ts'

conforms(MEET, [
  [
    'a turn that lets go of its text and begins anew is told whole',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { wires: [], restartAfterMs: 8_000, speed: 5 } })
      await begin(rehearsal)
      const said = [
        'The first part of a very long speech, which fills the row.',
        'The second part goes on about something else entirely, as speeches do.',
        'And the third part brings it to an end that nobody expected any more.',
      ]
      for (const sentence of said) await rehearsal.show.say('ana', sentence)
      const isTold = () => rehearsal.words()['Ana Ribeiro'] === said.join(' ')
      await eventually(() => (isTold() ? true : null))
      rehearsal.stop()
      await rehearsal.over
    },
  ],
  [
    'a page that goes black after the knock ends in blocked_by_platform',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { door: 'splash', suspicion: 2 } })
      assert.equal((await rehearsal.over)?.because, 'blocked_by_platform')
    },
  ],
  [
    'both depths of the newer captions are read',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { wires: ['captions_v2'], v2Wrappers: 2 } })
      await begin(rehearsal)
      await rehearsal.show.say('ben', 'Only the newer channel.')
      await eventually(() =>
        rehearsal.words()['Ben Carter'] === 'Only the newer channel.' ? true : null,
      )
      assert.ok(rehearsal.captionIds().every((id) => id.includes('/captions_v2/')))
      rehearsal.stop()
      await rehearsal.over
    },
  ],
])
