import { strict as assert } from 'node:assert'
import type { ConformanceCase } from '../conformance.ts'
import {
  admitBot,
  leaveCall,
  startStageRun,
  waitFor,
  waitForWords,
  type StageRun,
  waitForAction,
} from '../stage-run.ts'

export async function waitForAnswer(run: StageRun, answer: string): Promise<void> {
  await waitFor(() => (run.show.pages.all.at(-1)?.answers.includes(answer) ? true : null))
}

async function assertStillLive(run: StageRun): Promise<void> {
  await run.show.say('ana', 'The call goes on.')
  await waitForWords(run, 'Ana Ribeiro', 'The call goes on.')
  await leaveCall(run)
}

function isInBreakoutRoom({ pool }: StageRun): boolean {
  return pool.inUse()[0]?.page.url().includes('room=breakout-1') ?? false
}

/** Prompts over the lobby and the call. The joining cases have more prompts over the call. */
export const promptCases: readonly ConformanceCase[] = [
  [
    'prompts over the lobby are answered, and with the setting stay an invitation to a breakout room is declined',
    async (setup) => {
      const run = startStageRun(setup, { parts: { breakoutRooms: 'stay' } })
      await waitForAction(run, 'knocked')
      run.show.lobby()
      await run.waitForEvent('lobby')
      for (const prompt of ['devices-off', 'recorded'] as const) {
        run.show.showPrompt(prompt)
        await waitForAnswer(run, prompt === 'recorded' ? 'recorded: join' : 'devices-off: dismiss')
      }
      assert.ok(run.evidence().length > 0, 'evidence of what the bot agreed to')
      await admitBot(run)
      run.show.showPrompt('breakout')
      await waitForAnswer(run, 'breakout: later')
      assert.ok(!isInBreakoutRoom(run))
      await assertStillLive(run)
    },
  ],
  [
    'with the setting follow, an invitation to a breakout room is accepted',
    async (setup) => {
      const run = startStageRun(setup, { parts: { breakoutRooms: 'follow' } })
      await admitBot(run)
      run.show.showPrompt('breakout')
      await waitForAnswer(run, 'breakout: join')
      await waitFor(() => (isInBreakoutRoom(run) ? true : null))
      await assertStillLive(run)
    },
  ],
]

/** The same code runs on all platforms, so one of them is enough. */
export const emptiedCallCase: ConformanceCase = [
  'an empty call that the platform ends in spite of the answer ends with everyone_left',
  async (setup) => {
    const run = startStageRun(setup, { knobs: { door: 'call', speed: 1 } })
    await run.waitForEvent('admitted')
    run.show.showPrompt('still-there', { isDeaf: true })
    await waitForAnswer(run, 'still-there: stay')
    run.show.showScreen('emptied')
    const over = await run.finished
    assert.equal(over?.because, 'everyone_left')
    assert.equal(run.evidence().at(-1)?.state, 'emptied')
  },
]
