import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { Prompt } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

type Locale = NonNullable<KnobSettings['locale']>

/** Prompts over the call, each in another language of the interface, and the answer that the bot gives. */
const CALL_PROMPTS: ReadonlyArray<[prompt: Prompt, answer: string, locale: Locale]> = [
  ['recorded', 'join', 'en'],
  ['notes', 'join', 'de'],
  ['shared', 'join', 'fr'],
  ['consent', 'accept', 'it'],
  ['still-there', 'stay', 'hu'],
  ['devices-off', 'dismiss', 'ja'],
]

async function waitForAnswer(run: StageRun, answer: string): Promise<void> {
  await waitFor(() => (run.show.pages.all.at(-1)?.answers.includes(answer) ? true : null))
}

async function assertStillLive(run: StageRun): Promise<void> {
  await run.show.say('ana', 'The call goes on.')
  await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro'] === 'The call goes on.' ? true : null))
  run.stop()
  assert.equal(await run.finished, null)
}

/** Prompts over the lobby and the call. */
export const promptCases: readonly ConformanceCase[] = [
  [
    'prompts over the lobby are answered, and the bot still waits in the lobby',
    async (setup) => {
      const run = startStageRun(setup)
      await run.show.waitFor('knocked')
      run.show.lobby()
      await run.waitForEvent('lobby')
      for (const prompt of ['devices-off', 'recorded'] as const) {
        run.show.showPrompt(prompt)
        await waitForAnswer(run, prompt === 'recorded' ? 'recorded: join' : 'devices-off: dismiss')
      }
      assert.ok(run.evidence().length > 0, 'evidence of what the bot agreed to')
      await admitBot(run)
      await assertStillLive(run)
    },
  ],
  ...CALL_PROMPTS.map(([prompt, answer, locale]): ConformanceCase => [
    `the prompt ${prompt} over the call (${locale}) is answered with ${answer}, and the call goes on`,
    async (setup) => {
      const knobs = { locale, obeysAddressLocale: false, door: 'call' } as const
      const run = startStageRun(setup, { knobs })
      await admitBot(run)
      run.show.showPrompt(prompt)
      await waitForAnswer(run, `${prompt}: ${answer}`)
      await assertStillLive(run)
    },
  ]),
  [
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
  ],
  ...(['stay', 'follow'] as const).map((breakoutRooms): ConformanceCase => [
    `with the setting ${breakoutRooms}, an invitation to a breakout room is ${breakoutRooms === 'stay' ? 'declined' : 'accepted'}`,
    async (setup) => {
      const run = startStageRun(setup, { parts: { breakoutRooms } })
      await admitBot(run)
      run.show.showPrompt('breakout')
      await waitForAnswer(run, breakoutRooms === 'stay' ? 'breakout: later' : 'breakout: join')
      const isInRoom = () => run.pool.inUse()[0]?.page.url().includes('room=breakout-1') ?? false
      await waitFor(() => (isInRoom() === (breakoutRooms === 'follow') ? true : null))
      await assertStillLive(run)
    },
  ]),
]
