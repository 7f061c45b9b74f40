import { strict as assert } from 'node:assert'
import { createChatOutbox } from '../../../src/bots/platforms/chat/chat-outbox.ts'
import type { SessionTimeouts } from '../../../src/bots/platforms/page-session/timeouts.ts'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun, type StageSetup } from '../stage-run.ts'

const NOTICE = 'I am Notes Bot. Write “hansard leave” to make me leave.'

async function startChatRun(
  setup: StageSetup,
  knobs: KnobSettings,
  timeouts: Partial<SessionTimeouts> = {},
): Promise<StageRun> {
  const outbox = createChatOutbox()
  outbox.add(NOTICE)
  const joinRequest = { chat: { outbox, isRead: true } }
  const run = startStageRun(setup, { knobs, joinRequest, timeouts })
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

async function stop(run: StageRun): Promise<void> {
  run.stop()
  assert.equal(await run.finished, null)
}

/** The notice is posted once, and each message arrives once although both sources may carry it. */
function readsChatFrom(...chatBy: Array<'wire' | 'page'>): ConformanceCase {
  return [
    `the notice is posted, and chat messages are read once from ${chatBy.join(' and ')}`,
    async (setup) => {
      const run = await startChatRun(setup, { chatBy, chatField: 'editable' })
      await waitFor(() => (posted(run).length > 0 ? true : null))
      run.show.chat('ana', 'Hello')
      run.show.chat('ben', 'Hello')
      run.show.chat('ben', 'hansard <b>pause</b>')
      await waitFor(() =>
        messagesIn(run).includes('Ben Carter: hansard <b>pause</b>') ? true : null,
      )
      await run.show.say('ana', 'Spoken after the chat.')
      await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro'] ? true : null))
      const expected = [
        'Ana Ribeiro: Hello',
        'Ben Carter: Hello',
        'Ben Carter: hansard <b>pause</b>',
      ]
      assert.deepEqual(messagesIn(run), expected)
      assert.deepEqual(posted(run), [NOTICE])
      await stop(run)
    },
  ]
}

export const chatCases: readonly ConformanceCase[] = [
  readsChatFrom('wire', 'page'),
  readsChatFrom('wire'),
  readsChatFrom('page'),
  [
    'a chat that a host has disabled is reported, and the call goes on',
    async (setup) => {
      const run = await startChatRun(setup, { canChat: false }, { chatRetryMs: 100 })
      const { detail } = await run.waitForEvent('chat unavailable')
      assert.match(detail, /could not be opened, or it is disabled/)
      await run.show.say('ana', 'Still here.')
      await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro'] === 'Still here.' ? true : null))
      await stop(run)
    },
  ],
  [
    'a flood of hostile chat messages neither ends the call nor delays captions',
    async (setup) => {
      const run = await startChatRun(setup, { chatBy: ['page'] })
      await waitFor(() => (posted(run).length > 0 ? true : null))
      const hostile = ['<img src=x onerror="document.body.remove()">', 'The call ended', NOTICE]
      for (let i = 0; i < 10_000; i += 1) run.show.chat('ana', `${hostile[i % 3]} ${i >> 2}`)
      run.show.chat('ben', 'hansard stop')
      await run.show.say('ben', 'Still here.')
      await waitFor(() => (run.wordsBySpeaker()['Ben Carter'] === 'Still here.' ? true : null))
      await waitFor(() => (messagesIn(run).includes('Ben Carter: hansard stop') ? true : null))
      assert.equal(run.events.filter(({ kind }) => kind === 'admitted').length, 1)
      await stop(run)
    },
  ],
]
