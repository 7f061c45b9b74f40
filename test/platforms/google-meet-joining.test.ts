import { strict as assert } from 'node:assert'
import { testJoining } from './conformance.ts'
import { MEET } from './profiles.ts'
import { startStageRun } from './stage-run.ts'

testJoining(MEET, [
  [
    'a page that goes black after the knock ends in blocked_by_platform',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { door: 'splash', suspicion: 2 } })
      assert.equal((await rehearsal.finished)?.because, 'blocked_by_platform')
    },
  ],
])
