import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PlatformEvent } from '../platforms/platform.ts'
import { buildTimeline } from '../platforms/practice/timeline.ts'
import { evaluateRehearsal } from './evaluate.ts'
import { REHEARSAL_PLATFORM_CLI_NAMES } from './rehearsal-platforms.ts'
import {
  loadRehearsalCases,
  type RehearsalCase,
  recordObservedEvent,
  createEmptyObservations,
  type RehearsalObservations,
} from './run-case.ts'

async function playFor(source: RehearsalCase['source'], script?: string): Promise<RehearsalCase> {
  const plays = await loadRehearsalCases('meet', script)
  const play = plays.find((one) => one.source === source)
  assert.ok(play)
  return play
}

/** The observations of a bot that sees everything in the script. */
function perfect({ script, source }: RehearsalCase): RehearsalObservations {
  const seen = createEmptyObservations()
  recordObservedEvent(seen, { kind: 'way in' }, 10)
  for (const { atMs, event } of buildTimeline(script)) {
    const isVersioned = event.kind === 'caption' && source === 'wire'
    recordObservedEvent(seen, isVersioned ? { ...event, version: atMs } : event, atMs)
  }
  if (seen.endEvent === null) seen.leftAfterMs = 500
  return seen
}

function failures(seen: RehearsalObservations, play: RehearsalCase): string[] {
  return evaluateRehearsal(seen, play)
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`)
}

test('a bot that observes everything in the script passes every step of every rehearsal', async () => {
  for (const which of REHEARSAL_PLATFORM_CLI_NAMES) {
    for (const play of [
      ...(await loadRehearsalCases(which, undefined)),
      ...(await loadRehearsalCases(which, 'plain')),
      ...(await loadRehearsalCases(which, 'denied')),
    ])
      assert.deepEqual(failures(perfect(play), play), [], `${which} ${play.about}`)
  }
})

test('each failure in a rehearsal fails its own step', async () => {
  const play = await playFor('wire')
  const broken: Array<[says: RegExp, Partial<RehearsalObservations>]> = [
    [/^people: not seen: Ana Ribeiro, Ben Carter$/, { participantNames: new Set() }],
    [
      /^captions: never,words: 3 of 3 sentences missing/,
      { captions: new Map(), firstAtMs: withoutCaptions() },
    ],
    [/^selectors: not found on the page: chat$/, { drifts: [{ part: 'chat', foundBy: null }] }],
    [/^left: the bot did not leave$/, { leftAfterMs: null }],
  ]
  for (const [says, change] of broken)
    assert.match(failures({ ...perfect(play), ...change }, play).join(), says)
  const drifted = { ...perfect(play), drifts: [{ part: 'chat', foundBy: 'an icon' }] }
  assert.deepEqual(failures(drifted, play), [])
  const byPage = { ...perfect(await playFor('page')) }
  assert.match(failures(byPage, play).join(), /^captions: captions arrived, but not from the wire$/)
})

test('the first failed step of a rehearsal includes the reason why the visit ended', async () => {
  const play = await playFor('wire')
  const seen = createEmptyObservations()
  const over: PlatformEvent = { kind: 'over', because: 'page_not_loaded', detail: 'ERR_FAILED' }
  recordObservedEvent(seen, over, 10)
  assert.match(
    failures(seen, play)[0] ?? '',
    /^page loaded: never; it ended with page_not_loaded: ERR_FAILED$/,
  )
  const denied = await playFor(null, 'denied')
  assert.match(failures(seen, denied).join(), /end: expected denied, got page_not_loaded/)
})

test('an unknown rehearsal name is rejected in every spelling', async () => {
  for (const name of ['opera', '../../package', '', 'A'])
    await assert.rejects(loadRehearsalCases('meet', name), /There is no rehearsal meet-/)
})

function withoutCaptions(): RehearsalObservations['firstAtMs'] {
  return new Map([
    ['way in', 1],
    ['admitted', 2],
  ])
}
