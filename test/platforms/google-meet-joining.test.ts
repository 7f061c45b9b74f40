import { strict as assert } from 'node:assert'
import { testJoining } from './conformance.ts'
import { MEET } from './profiles.ts'
import { startStageRun } from './stage-run.ts'

testJoining(MEET, [
  [
    'a page that turns black after the request to join ends with blocked_by_platform',
    async (setup) => {
      const rehearsal = startStageRun(setup, { knobs: { door: 'splash', suspicion: 2 } })
      assert.equal((await rehearsal.finished)?.because, 'blocked_by_platform')
    },
  ],
])
