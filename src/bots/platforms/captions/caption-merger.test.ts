import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createSegmenter } from '../../../meetings/captions/segmenter.ts'
import type { Caption } from '../platform.ts'
import { createCaptionMerger } from './caption-merger.ts'
import { scaleRuns } from '../../../../test/support/test-size.ts'

type Event =
  | {
      at: number
      wire: {
        id: string
        channel: string
        version: number
        speaker: string
        text: string
        isFinal: boolean
      }
    }
  | { at: number; row: { id: string; speaker: string; text: string; isGone: boolean } }

type Utterance = { speaker: string; words: string[]; pauseMs: number }
type World = {
  utterances: Utterance[]
  /** The delay of each utterance on the wire. */
  wireLagMs: number
  pageLagMs: number
  /** Start and end of the wire's outage, as fractions of the whole time. */
  outage: [number, number]
  rowsAre: 'turns' | 'utterances'
  /** The delay of a second channel with the same captions; null if there is none. */
  secondLagMs: number | null
  /** How many times faster than real people the speakers talk. */
  speed: number
  /** A source stops and then delivers everything at once. `from` is a fraction of the whole time. */
  stalls: Array<{ from: number; ms: number; of: 'a' | 'b' | 'wire' | 'page' | 'both' }>
}

const CADENCE_MS = 330

/** The messages of wire and page about a conversation, in the order of arrival. */
function eventsOf(world: World): { events: Event[]; endMs: number } {
  const { utterances, wireLagMs, pageLagMs, outage, rowsAre, secondLagMs, speed, stalls } = world
  const events: Event[] = []
  let now = 0
  let row = { id: 0, speaker: '', text: '' }
  const heard: Array<{ at: number; event: Event }> = []
  utterances.forEach(({ speaker, words, pauseMs }, id) => {
    const isSameTurn = rowsAre === 'turns' && row.speaker === speaker
    if (!isSameTurn) row = { id: row.id + 1, speaker, text: '' }
    words.forEach((_, i) => {
      now += CADENCE_MS / speed
      const text = words.slice(0, i + 1).join(' ')
      const shown = `${row.text} ${text}`.trim()
      const isFinal = i === words.length - 1
      const caption = { version: i + 1, speaker, text, isFinal }
      for (const [channel, lagMs] of Object.entries({ a: wireLagMs, b: secondLagMs })) {
        const wire = { id: `${channel}${id}`, channel, ...caption }
        if (lagMs !== null) heard.push({ at: now, event: { at: now + lagMs, wire } })
      }
      events.push({
        at: now + pageLagMs,
        row: { id: `r${row.id}`, speaker, text: shown, isGone: false },
      })
    })
    row.text = `${row.text} ${words.join(' ')}`.trim()
    now += pauseMs / speed
  })
  const [from, to] = outage.map((share) => share * now).toSorted((a, b) => a - b) as [
    number,
    number,
  ]
  const arrived = heard.filter(({ at }) => at < from || at >= to).map(({ event }) => event)
  const late = [...events, ...arrived].map((event) => ({
    ...event,
    at: stalled(event, stalls, now),
  }))
  return { events: late.toSorted((a, b) => a.at - b.at), endMs: now + 20_000 }
}

function stalled(event: Event, stalls: World['stalls'], endMs: number): number {
  let { at } = event
  for (const { from, ms, of } of stalls) {
    const sources = 'wire' in event ? ['both', 'wire', event.wire.channel] : ['both', 'page']
    const isConcerned = sources.includes(of)
    const start = from * endMs
    if (isConcerned && at >= start && at < start + ms) at = start + ms
  }
  return at
}

/** Every word that the segmenter emits, by speaker. */
function wordsOut(world: World): Record<string, string> {
  const sources = createCaptionMerger()
  const segmenter = createSegmenter({ selfNames: ['Notes Bot'] })
  const out: Record<string, string> = {}
  const say = (captions: readonly Caption[], at: number) => {
    const said = captions.map((caption) => segmenter.addCaption(caption, at))
    for (const { segments } of [...said, segmenter.tick(at)]) {
      for (const { speaker, text } of segments)
        out[speaker] = `${out[speaker] ?? ''} ${text}`.trim()
    }
  }
  const { events, endMs } = eventsOf(world)
  let next = 0
  for (let at = 0; at <= endMs; at += 20) {
    for (; next < events.length && (events[next]?.at ?? 0) <= at; next += 1) {
      const event = events[next]
      if (!event) continue
      if ('wire' in event) {
        const { id, isFinal, ...wire } = event.wire
        const caption = { captionId: id, ...wire, ...(isFinal && { isFinal }) }
        say(sources.addWireCaption(caption, at), at)
      } else {
        const { id, ...row } = event.row
        say(sources.addPageRow({ rowId: id, ...row }, at), at)
      }
    }
    say(sources.tick(at), at)
  }
  say(sources.flush(endMs), endMs)
  for (const { speaker, text } of segmenter.flush(endMs).segments) {
    out[speaker] = `${out[speaker] ?? ''} ${text}`.trim()
  }
  return out
}

/** The delay of a data channel. It is several seconds on a busy machine. */
const lag = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 5_000 }))

/** Each word of a conversation is unique, so that it can be recognized later. */
const world: fc.Arbitrary<World> = fc
  .record({
    shapes: fc.array(
      fc.record({
        speaker: fc.constantFrom('Ana Ribeiro', 'Ben Carter'),
        length: fc.integer({ min: 1, max: 14 }),
        pauseMs: fc.constantFrom(0, 200, 900, 1_500, 5_000),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    wireLagMs: lag,
    pageLagMs: fc.integer({ min: 0, max: 600 }),
    outage: fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    rowsAre: fc.constantFrom('turns' as const, 'utterances' as const),
    secondLagMs: fc.option(lag),
    speed: fc.constantFrom(1, 6),
    stalls: fc.array(
      fc.record({
        from: fc.double({ min: 0, max: 1, noNaN: true }),
        ms: fc.integer({ min: 0, max: 6_000 }),
        of: fc.constantFrom(
          'a' as const,
          'b' as const,
          'wire' as const,
          'page' as const,
          'both' as const,
        ),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ shapes, ...rest }) => {
    let count = 0
    const utterances = shapes.map(({ speaker, length, pauseMs }) => ({
      speaker,
      pauseMs,
      words: Array.from({ length }, () => wordNumber(count++)),
    }))
    return { utterances, ...rest }
  })

/** A word for a number. No rule can confuse two of these words. */
function wordNumber(n: number): string {
  const syllables = ['ba', 'ko', 'mi', 'tu', 'se', 'fa', 'lo', 'ri', 'du', 'ze']
  return String(n + 10)
    .split('')
    .toReversed()
    .map((digit) => syllables[Number(digit)])
    .join('')
}

function expected({ utterances }: World): Record<string, string> {
  const all: Record<string, string> = {}
  for (const { speaker, words } of utterances) {
    all[speaker] = `${all[speaker] ?? ''} ${words.join(' ')}`.trim()
  }
  return all
}

function sorted(words: Record<string, string>): Record<string, string[]> {
  const entries = Object.entries(words).map(([speaker, text]) => [
    speaker,
    text.split(' ').toSorted(),
  ])
  return Object.fromEntries(entries) as Record<string, string[]>
}

test('when the wire or the page stops at any time, no word is lost and none is published twice', () => {
  fc.assert(
    fc.property(world, (given) => {
      // A gap is published when it is detected, after the words that follow it.
      assert.deepEqual(sorted(wordsOut(given)), sorted(expected(given)))
    }),
    { numRuns: scaleRuns(300), seed: 7 },
  )
})

test('when the wire stops in mid-utterance, the words keep the order in which they were spoken', () => {
  const merger = createCaptionMerger()
  const segmenter = createSegmenter({ selfNames: [] })
  const said: string[] = []
  const say = (captions: readonly Caption[], at: number) => {
    const outputs = captions.map((caption) => segmenter.addCaption(caption, at))
    for (const { segments } of [...outputs, segmenter.tick(at)])
      said.push(...segments.map(({ speaker, text }) => `${speaker}: ${text}`))
  }
  const rows: Array<[at: number, rowId: string, speaker: string, text: string]> = [
    [100, 'r1', 'Ana', 'We'],
    [400, 'r1', 'Ana', 'We start with the budget.'],
    [1_000, 'r2', 'Ben', 'Fine.'],
    [1_700, 'r3', 'Chloé', 'Go on.'],
  ]
  const wire = { captionId: 'w1', version: 1, speaker: 'Ana', text: 'We' }
  say(merger.addWireCaption(wire, 50), 50)
  for (let at = 100; at < 15_000; at += 100) {
    for (const [, rowId, speaker, text] of rows.filter(([when]) => when === at))
      say(merger.addPageRow({ rowId, speaker, text, isGone: false }, at), at)
    say(merger.tick(at), at)
  }
  assert.deepEqual(said, ['Ana: We start with the budget.', 'Ben: Fine.', 'Chloé: Go on.'])
})

/** Removes a row and inserts it again shortly afterwards as another row. */
function backAs(later: string, apartMs: number, speakers: [string, string]): string[] {
  const sources = createCaptionMerger()
  const segmenter = createSegmenter({ selfNames: ['Notes Bot'] })
  const said: string[] = []
  const say = (captions: readonly Caption[], at: number) => {
    for (const caption of captions) {
      said.push(...segmenter.addCaption(caption, at).segments.map(({ text }) => text))
    }
    said.push(...segmenter.tick(at).segments.map(({ text }) => text))
  }
  const [one, other] = speakers
  const row = (rowId: string, speaker: string, text: string, isGone: boolean) => ({
    rowId,
    speaker,
    text,
    isGone,
  })
  // Until the wire is treated as silent. From then on the page is active.
  say(sources.addPageRow(row('r0', 'Chloé Martin', 'Good morning.', false), 0), 0)
  for (let at = 100; at < 8_000; at += 100) say(sources.tick(at), at)
  say(sources.addPageRow(row('r1', one, 'so two plus two', false), 8_000), 8_000)
  say(sources.addPageRow(row('r1', one, 'so two plus two', true), 8_300), 8_300)
  say(sources.addPageRow(row('r2', other, later, false), 8_300 + apartMs), 8_300 + apartMs)
  say(sources.flush(20_000), 20_000)
  said.push(...segmenter.flush(20_000).segments.map(({ text }) => text))
  return said.slice(1)
}

test('a row that disappears and returns corrected is published once with the corrected text', () => {
  const ana: [string, string] = ['Ana Ribeiro', 'Ana Ribeiro']
  assert.deepEqual(backAs('So 2 + 2 is 4.', 300, ana), ['So 2 + 2 is 4.'])
  assert.deepEqual(backAs('So two plus two is four.', 300, ana), ['So two plus two is four.'])
})

test('a row with another beginning, a later time or another speaker is not the row that disappeared', () => {
  const ana: [string, string] = ['Ana Ribeiro', 'Ana Ribeiro']
  const first = 'so two plus two'
  assert.deepEqual(backAs('Let us go on.', 300, ana), [first, 'Let us go on.'])
  assert.deepEqual(backAs('So let us go on.', 5_000, ana), [first, 'So let us go on.'])
  const two: [string, string] = ['Ana Ribeiro', 'Ben Carter']
  assert.deepEqual(backAs('So 2 + 2 is 4.', 300, two), [first, 'So 2 + 2 is 4.'])
})

test('the last text of a row is published when one message adds and removes it', () => {
  for (const waitsMs of [0, 8_000]) {
    const sources = createCaptionMerger()
    const segmenter = createSegmenter({ selfNames: [] })
    const said: string[] = []
    const say = (captions: readonly Caption[], at: number) => {
      for (const caption of captions) {
        said.push(...segmenter.addCaption(caption, at).segments.map(({ text }) => text))
      }
    }
    const see = (rowId: string, text: string, isGone: boolean, at: number) =>
      say(sources.addPageRow({ rowId, speaker: 'Ana Ribeiro', text, isGone }, at), at)
    see('r0', 'Good morning.', false, 0)
    // Both before and after the wire is treated as silent.
    for (let at = 100; at <= waitsMs; at += 100) say(sources.tick(at), at)
    see('r1', 'everybody agrees with', false, waitsMs + 100)
    see('r1', 'everybody agrees with that now.', true, waitsMs + 140)
    see('r2', 'Yes please.', true, waitsMs + 180)
    say(sources.flush(20_000), 20_000)
    said.push(...segmenter.flush(20_000).segments.map(({ text }) => text))
    const all = 'Good morning. everybody agrees with that now. Yes please.'
    assert.equal(said.join(' '), all, `after ${waitsMs} ms`)
  }
})

test('when the wire stops in a long meeting, rows from long ago are not published again', () => {
  const merger = createCaptionMerger('turn')
  const published: Caption[] = []
  let now = 0
  const wait = (ms: number) => {
    for (const until = now + ms; now < until; now += 500) published.push(...merger.tick(now))
  }
  const say = (number: number, isOnWire: boolean) => {
    const speaker = number % 2 === 0 ? 'Ana' : 'Ben'
    const text = `Item${number} costs${number} more${number} than${number} we${number} planned${number}.`
    for (const channel of isOnWire ? ['a', 'b'] : []) {
      const caption = { captionId: `${channel}${number}`, speaker, text, version: 1, isFinal: true }
      published.push(...merger.addWireCaption(caption, now))
    }
    const row = {
      rowId: `r${number}`,
      speaker,
      text,
      isGone: false,
      previousRowId: `r${number - 1}`,
    }
    published.push(...merger.addPageRow(row, now))
    wait(5_000)
  }
  for (let number = 1; number <= 150; number += 1) say(number, true)
  published.length = 0
  say(151, false)
  wait(10_000)
  assert.deepEqual(
    published.map(({ text }) => text.split(' ')[0]),
    ['Item151'],
  )
})
