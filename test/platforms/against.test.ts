import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPlatformPageModelLoader } from '../../src/bots/platforms/registry.ts'
import { rehearseAgainst } from '../../src/bots/rehearsal/against/rehearse-against.ts'
import { createLog } from '../../src/log.ts'
import { openStage } from '../../stage/stage.ts'
import { openTestPool, stageNetworkOptions } from '../browser/open-test-pool.ts'
import { newMeetUrl, newTeamsUrl } from '../stage/stage-browser.ts'
import { waitFor } from './stage-run.ts'

const CAST = [
  { id: 'ana', name: 'Ana Quixote-Ribeiro', isHost: true },
  { id: 'ben', name: 'Benvolio Carter' },
]
/** A report must contain none of these. */
const SECRETS = /quixote|ribeiro|benvolio|carter|zanzibar|pineapple|hippopotamus|rehearser|We meet/i
const log = createLog('silent')

/** `button` is a part without which the page is not recognised as a call. */
const PLATFORMS = [
  {
    address: newMeetUrl(),
    name: 'google_meet',
    channel: 'channel captions',
    button: 'leaveButton',
  },
  {
    address: newTeamsUrl(),
    name: 'microsoft_teams',
    channel: 'channel main-channel',
    button: 'hangupButton',
  },
]

test('a rehearsal against a meeting reports states, selectors and captions without names and words', async () => {
  await using stage = await openStage()
  await using pool = await openTestPool(stageNetworkOptions(stage))
  await Promise.all(
    PLATFORMS.map(async ({ address, name, channel, button }) => {
      const show = stage.open(address, {
        cast: CAST,
        // A message on the page arrives after the page's captions.
        knobs: { speed: 10, chatBy: ['page'] },
        title: 'Pineapple plan',
      })
      const leaving = new AbortController()
      const seen = new Set<string>()
      const visiting = rehearseAgainst({
        url: address,
        account: null,
        botName: 'Rehearser',
        admissionMs: 200_000,
        stayMs: 300_000,
        leaveSignal: leaving.signal,
        onEvent(event) {
          const isByWire = event.kind === 'caption' && event.version !== undefined
          seen.add(isByWire && event.isFinal ? 'final caption' : event.kind)
        },
        timeouts: { leaveMs: 60_000 },
        pool,
        pageModels: createPlatformPageModelLoader(undefined, log),
        log,
        facts: { hansard: '1.2.3', browser: 'Chromium', createdAt: '2026-11-15T12:00:00.000Z' },
      })
      await show.waitFor('knocked')
      show.join('ana', 'ben')
      show.admit()
      await show.waitFor('captions on')
      // A page that stalls may show a caption before its message is read. Then only a later one is final by wire.
      for (let waits = 0; !seen.has('final caption'); waits += 1) {
        if (waits % 100 === 0) await show.say('ana', 'We meet in Zanzibar on the 4th.')
        await sleep(50)
      }
      show.chat('ben', 'hippopotamus')
      await waitFor(() => (['people', 'chat'].every((kind) => seen.has(kind)) ? true : null))
      leaving.abort()
      const { steps, report } = await visiting
      assert.deepEqual(
        steps.filter(({ ok }) => !ok),
        [],
      )
      assert.equal(report.platform, name)
      const states = report.states.map(({ state }) => state)
      for (const state of ['prejoin', 'in call', 'left'])
        assert.ok(states.includes(state), `${state} in ${states.join()}`)
      assert.ok((report.wire[channel]?.captions ?? 0) > 0)
      assert.ok(report.captions.rowsOnPage > 0)
      assert.ok(report.chat.published > 0)
      const parts = Object.values(report.pages).map((page) => page.parts[button])
      assert.ok(parts.some((part) => part?.strategy === 0 && part.foundBy !== null))
      const text = JSON.stringify(report)
      assert.equal(SECRETS.exec(text)?.[0], undefined)
      assert.ok(text.length < 2_000_000, String(text.length))
    }),
  )
})

test('a rehearsal against a link of no meeting is refused', async () => {
  await using pool = await openTestPool()
  const facts = { hansard: '1', browser: '', createdAt: '' }
  const limits = { admissionMs: 1, stayMs: 1 }
  const pageModels = createPlatformPageModelLoader(undefined, log)
  const parts = { pool, pageModels, log, facts, ...limits, account: null, botName: 'Rehearser' }
  await assert.rejects(rehearseAgainst({ ...parts, url: 'https://example.com' }), /not a link/)
})
