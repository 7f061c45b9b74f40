import { strict as assert } from 'node:assert'
import { joins } from './conformance.ts'
import { MEET } from './profiles.ts'
import { rehearse } from './rehearsal.ts'

joins(MEET, [
  [
    'a page that goes black after the knock ends in blocked_by_platform',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { door: 'splash', suspicion: 2 } })
      assert.equal((await rehearsal.over)?.because, 'blocked_by_platform')
    },
  ],
])
