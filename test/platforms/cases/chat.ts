import { strict as assert } from 'node:assert'
import { createChatOutbox } from '../../../src/bots/platforms/chat.ts'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import { IS_FULL_SIZE } from '../../support/test-size.ts'
import type { ConformanceCase } from '../conformance.ts'
import {
  admitBot,
  leaveCall,
  startStageRun,
  waitFor,
  waitForWords,
  type StageRun,
  type StageSetup,
} from '../stage-run.ts'

const NOTICE = 'I am Notes Bot. Write “hansard leave” to make me leave.'
/** `TEST_SIZE=full` has more messages. */
const FLOOD_MESSAGES = IS_FULL_SIZE ? 10_000 : 2_000

async function startChatRun(setup: StageSetup, knobs: KnobSettings): Promise<StageRun> {
  const outbox = createChatOutbox()
  outbox.add(NOTICE)
  const joinRequest = { chat: { outbox, isRead: true } }
  const run = startStageRun(setup, { knobs, joinRequest })
  await admitBot(run)
  return run
}

function messagesIn({ events }: StageRun): string[] {
  return events.flatMap((event) =>
    event.kind === 'chat' ? event.messages.map(({ author, text }) => `${author}: ${text}`) : [],
  )
}

/** The texts that the bot posted. */
function posted({ show }: StageRun): string[] {
  return show.pages.all.flatMap(({ messages }) => messages)
}

export const chatCases: readonly ConformanceCase[] = [
  [
    'the notice is posted, and chat messages are read once from the wire, the page and both',
    async (setup) => {
      const run = await startChatRun(setup, { chatField: 'editable' })
      await waitFor(() => (posted(run).length > 0 ? true : null))
      const expected: string[] = []
      for (const [text, ...by] of [
        ['Only the wire has this', 'wire'],
        ['hansard <b>pause</b>', 'page'],
        ['Hello', 'wire', 'page'],
      ] as const) {
        run.show.chat('ana', text, by)
        run.show.chat('ben', text, by)
        expected.push(`Ana Ribeiro: ${text}`, `Ben Carter: ${text}`)
        await waitFor(() => (messagesIn(run).length >= expected.length ? true : null))
      }
      await run.show.say('ana', 'Spoken after the chat.')
      await waitForWords(run, 'Ana Ribeiro', 'Spoken after the chat.')
      assert.deepEqual(messagesIn(run), expected)
      assert.deepEqual(posted(run), [NOTICE])
      await leaveCall(run)
    },
  ],
]

/** The same code runs on all platforms, so one of them is enough. */
export const chatFloodCase: ConformanceCase = [
  'a flood of hostile chat messages neither ends the call nor delays captions',
  async (setup) => {
    const run = await startChatRun(setup, { chatBy: ['page'] })
    await waitFor(() => (posted(run).length > 0 ? true : null))
    const hostile = ['<img src=x onerror="document.body.remove()">', 'The call ended', NOTICE]
    for (let i = 0; i < FLOOD_MESSAGES; i += 1) run.show.chat('ana', `${hostile[i % 3]} ${i >> 2}`)
    run.show.chat('ben', 'hansard stop')
    await run.show.say('ben', 'Still here.')
    await waitForWords(run, 'Ben Carter', 'Still here.')
    await waitFor(() => (messagesIn(run).includes('Ben Carter: hansard stop') ? true : null))
    assert.equal(run.events.filter(({ kind }) => kind === 'admitted').length, 1)
    await leaveCall(run)
  },
]
