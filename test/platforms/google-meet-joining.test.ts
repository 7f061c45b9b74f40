import { strict as assert } from 'node:assert'
import { endlessSplashCase, unreachableHostCase } from './cases/joining.ts'
import { earlyStopCase } from './cases/leaving.ts'
import { testJoining } from './conformance.ts'
import { MEET } from './profiles.ts'
import { startStageRun } from './stage-run.ts'

testJoining(MEET, [
  endlessSplashCase,
  unreachableHostCase,
  earlyStopCase,
  [
    'a page that turns black after the request to join ends with blocked_by_platform',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { door: 'splash', suspicion: 2 } })
      assert.equal((await run.finished)?.because, 'blocked_by_platform')
    },
  ],
])
