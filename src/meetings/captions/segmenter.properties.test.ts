import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assert as assertProperty, integer, property } from 'fast-check'
import {
  createSeededRandom,
  makeScript,
  makeSentences,
  createMeetStream,
  SPEAKERS,
  createTeamsStream,
  createWireStream,
  type TimedCaption,
  type SeededRandom,
  type SpeechTurn,
} from '../../../test/support/meetings/caption-streams.ts'
import { createSegmenter, type SegmenterOutput, type Segment } from './segmenter.ts'
import { wordKeys } from '../../lib/text/split-words.ts'

const RUNS = { seed: 20_261_115, numRuns: 400 }

/** Plays a stream as the bot does: with one timer. */
function play(
  events: readonly TimedCaption[],
  each: (said: SegmenterOutput, event?: TimedCaption) => void = () => {},
): Segment[] {
  const segmenter = createSegmenter({ selfNames: ['Hansard'] })
  const segments: Segment[] = []
  const note = (said: SegmenterOutput, event?: TimedCaption): void => {
    segments.push(...said.segments)
    each(said, event)
  }
  for (const event of events) {
    for (let due = segmenter.nextTickAt(); due !== null && due < event.at;) {
      note(segmenter.tick(due))
      const next = segmenter.nextTickAt()
      assert.ok(next === null || next > due, 'a timer that fires for ever')
      due = next
    }
    note(segmenter.addCaption(event.caption, event.at), event)
  }
  note(segmenter.flush((events.at(-1)?.at ?? 0) + 10))
  return segments
}

function intended(script: SpeechTurn[]): Record<string, string> {
  return bySpeaker(script.map(({ speaker, sentences }) => [speaker, sentences.flat().join(' ')]))
}

function bySpeaker(texts: Array<[speaker: string, text: string]>): Record<string, string> {
  const words: Record<string, string> = {}
  for (const [speaker, text] of texts) {
    words[speaker] = `${words[speaker] ?? ''} ${wordKeys(text).join(' ')}`.trim()
  }
  return words
}

function heard(segments: Segment[]): Record<string, string> {
  return bySpeaker(segments.map(({ speaker, text }) => [speaker, text]))
}

function holds(check: (random: SeededRandom) => void): void {
  assertProperty(
    property(integer(), (seed) => check(createSeededRandom(seed))),
    RUNS,
  )
}

test('a page of growing, rewritten and restarting turns yields every word once and in order', () => {
  holds((random) => {
    const script = makeScript(random, 25)
    const segments = play(createMeetStream(random, script, false))
    assert.deepEqual(heard(segments), intended(script))
    const all = segments.map(({ text }) => wordKeys(text).join(' ')).join(' ')
    assert.equal(all, script.flatMap(({ sentences }) => sentences.flat()).join(' '))
  })
})

test('people who talk at the same time keep their own words whole and in order', () => {
  holds((random) => {
    const script = SPEAKERS.slice(0, 3).map((speaker) => ({
      speaker,
      sentences: makeSentences(random, 12),
    }))
    assert.deepEqual(heard(play(createMeetStream(random, script, true))), intended(script))
  })
})

test('rows of utterances yield every word once, even when old rows come back into view', () => {
  holds((random) => {
    const script = makeScript(random, 6)
    const segments = play(createTeamsStream(random, script))
    assert.deepEqual(heard(segments), intended(script))
  })
})

test('versions out of order, repeated and on two channels yield every word once', () => {
  holds((random) => {
    const script = makeScript(random, 6)
    assert.deepEqual(heard(play(createWireStream(random, script))), intended(script))
  })
})

test('a partial is exactly what the row shows beyond what is final', () => {
  holds((random) => {
    const script = makeScript(random, 6)
    const said = new Map<string, string>()
    play(createTeamsStream(random, script), ({ segments, partials }, event) => {
      for (const { captionId, text } of segments) {
        said.set(captionId, `${said.get(captionId) ?? ''} ${text}`)
      }
      for (const { captionId, text } of partials) {
        if (event?.caption.captionId !== captionId) continue
        const all = wordKeys(`${said.get(captionId) ?? ''} ${text}`)
        assert.deepEqual(all, wordKeys(event.caption.text))
      }
    })
  })
})

test('the same stream always yields the same segments and partials', () => {
  holds((random) => {
    const events = createMeetStream(random, makeScript(random, 8), true)
    const runs = [0, 1].map(() => {
      const all: SegmenterOutput[] = []
      play(events, (said) => all.push(said))
      return all
    })
    assert.deepEqual(runs[0], runs[1])
  })
})

test('a word corrected after it was final is neither changed nor said again', () => {
  holds((random) => {
    const words = Array.from(
      { length: random.between(4, 60) },
      (_, i) => `w${i}x${'abcdefgh'.charAt(i % 8)}`,
    )
    const events: TimedCaption[] = []
    const shown: string[] = []
    let at = 0
    for (const word of words) {
      shown.push(word)
      if (shown.length > 8 && random.isLucky(0.1)) {
        at += 3_500
        const place = shown.length - random.between(1, 4)
        shown[place] = `corrected${place}`
      }
      events.push({ at, caption: { captionId: 'r', speaker: 'Bob', text: shown.join(' ') } })
      at += random.between(100, 700)
    }
    const said = wordKeys(
      play(events)
        .map(({ text }) => text)
        .join(' '),
    )
    assert.equal(said.length, words.length)
    for (const [i, word] of said.entries()) assert.ok([words[i], `corrected${i}`].includes(word))
  })
})

test('a crash in the middle loses no word and repeats none', () => {
  holds((random) => {
    const script = makeScript(random, 8)
    const events = createTeamsStream(random, script)
    const crash = random.between(0, events.length - 1)
    const first = createSegmenter({ selfNames: [] })
    const before = events
      .slice(0, crash)
      .flatMap(({ caption, at }) => first.addCaption(caption, at).segments)
    const second = createSegmenter({ selfNames: [] })
    const crashedAt = events[crash]?.at ?? 0
    second.resume(before, crashedAt)
    const rows = new Map(events.slice(0, crash).map(({ caption }) => [caption.captionId, caption]))
    const shown = [...rows.values()].map((caption) => ({ at: crashedAt, caption }))
    const after = [...shown, ...events.slice(crash)].flatMap(
      ({ caption, at }) => second.addCaption(caption, at).segments,
    )
    const segments = [...before, ...after, ...second.flush(1e9).segments]
    assert.deepEqual(heard(segments), intended(script))
  })
})
