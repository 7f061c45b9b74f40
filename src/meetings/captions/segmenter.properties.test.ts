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
import { scaleRuns } from '../../../test/support/test-size.ts'
import { extractWordKeys } from '../../lib/text/words.ts'
import { createSegmenter } from './segmenter.ts'
import type { SegmenterOutput, CaptionSegment } from './turns/segments.ts'

const RUNS = { seed: 20_261_115, numRuns: scaleRuns(400) }

/** Plays a stream as the bot does: calls `tick` at every due time between two captions. */
function play(
  events: readonly TimedCaption[],
  onOutput: (output: SegmenterOutput, event?: TimedCaption) => void = () => {},
): CaptionSegment[] {
  const segmenter = createSegmenter({ selfNames: ['Hansard'] })
  const segments: CaptionSegment[] = []
  const record = (output: SegmenterOutput, event?: TimedCaption): void => {
    segments.push(...output.segments)
    onOutput(output, event)
  }
  for (const event of events) {
    for (let due = segmenter.nextTickAt(); due !== null && due < event.at;) {
      record(segmenter.tick(due))
      const next = segmenter.nextTickAt()
      assert.ok(next === null || next > due, 'the segmenter never runs out of due times')
      due = next
    }
    record(segmenter.addCaption(event.caption, event.at), event)
  }
  record(segmenter.flush((events.at(-1)?.at ?? 0) + 10))
  return segments
}

function wordsOfScript(script: SpeechTurn[]): Record<string, string> {
  return bySpeaker(script.map(({ speaker, sentences }) => [speaker, sentences.flat().join(' ')]))
}

function bySpeaker(texts: Array<[speaker: string, text: string]>): Record<string, string> {
  const words: Record<string, string> = {}
  for (const [speaker, text] of texts) {
    words[speaker] = `${words[speaker] ?? ''} ${extractWordKeys(text).join(' ')}`.trim()
  }
  return words
}

function wordsOfSegments(segments: CaptionSegment[]): Record<string, string> {
  return bySpeaker(segments.map(({ speaker, text }) => [speaker, text]))
}

function assertForSeeds(check: (random: SeededRandom) => void): void {
  assertProperty(
    property(integer(), (seed) => check(createSeededRandom(seed))),
    RUNS,
  )
}

test('growing, rewritten and restarting turns of a page yield every word once and in order', () => {
  assertForSeeds((random) => {
    const script = makeScript(random, 25)
    const segments = play(createMeetStream(random, script, false))
    assert.deepEqual(wordsOfSegments(segments), wordsOfScript(script))
    const all = segments.map(({ text }) => extractWordKeys(text).join(' ')).join(' ')
    assert.equal(all, script.flatMap(({ sentences }) => sentences.flat()).join(' '))
  })
})

test('the words of each of several concurrent speakers are complete and in order', () => {
  assertForSeeds((random) => {
    const script = SPEAKERS.slice(0, 3).map((speaker) => ({
      speaker,
      sentences: makeSentences(random, 12),
    }))
    assert.deepEqual(
      wordsOfSegments(play(createMeetStream(random, script, true))),
      wordsOfScript(script),
    )
  })
})

test('rows that reappear yield every word once', () => {
  assertForSeeds((random) => {
    const script = makeScript(random, 6)
    const segments = play(createTeamsStream(random, script))
    assert.deepEqual(wordsOfSegments(segments), wordsOfScript(script))
  })
})

test('caption versions out of order, repeated and on two channels yield every word once', () => {
  assertForSeeds((random) => {
    const script = makeScript(random, 6)
    assert.deepEqual(wordsOfSegments(play(createWireStream(random, script))), wordsOfScript(script))
  })
})

test('a partial is exactly the text of the row that is not final', () => {
  assertForSeeds((random) => {
    const script = makeScript(random, 6)
    const finalText = new Map<string, string>()
    play(createTeamsStream(random, script), ({ segments, partials }, event) => {
      for (const { captionId, text } of segments) {
        finalText.set(captionId, `${finalText.get(captionId) ?? ''} ${text}`)
      }
      for (const { captionId, text } of partials) {
        if (event?.caption.captionId !== captionId) continue
        const all = extractWordKeys(`${finalText.get(captionId) ?? ''} ${text}`)
        assert.deepEqual(all, extractWordKeys(event.caption.text))
      }
    })
  })
})

test('the same stream always yields the same segments and partials', () => {
  assertForSeeds((random) => {
    const events = createMeetStream(random, makeScript(random, 8), true)
    const runs = [0, 1].map(() => {
      const all: SegmenterOutput[] = []
      play(events, (output) => all.push(output))
      return all
    })
    assert.deepEqual(runs[0], runs[1])
  })
})

test('a word that the source corrects after it became final is neither changed nor repeated', () => {
  assertForSeeds((random) => {
    const words = Array.from(
      { length: random.between(4, 60) },
      (_, i) => `w${i}x${'abcdefgh'.charAt(i % 8)}`,
    )
    const events: TimedCaption[] = []
    const shown: string[] = []
    let at = 0
    for (const word of words) {
      shown.push(word)
      if (shown.length > 8 && random.chance(0.1)) {
        at += 3_500
        const place = shown.length - random.between(1, 4)
        shown[place] = `corrected${place}`
      }
      events.push({ at, caption: { captionId: 'r', speaker: 'Bob', text: shown.join(' ') } })
      at += random.between(100, 700)
    }
    const yielded = extractWordKeys(
      play(events)
        .map(({ text }) => text)
        .join(' '),
    )
    assert.equal(yielded.length, words.length)
    for (const [i, word] of yielded.entries()) assert.ok([words[i], `corrected${i}`].includes(word))
  })
})

test('a segmenter resumed after a crash loses no word and repeats none', () => {
  assertForSeeds((random) => {
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
    assert.deepEqual(wordsOfSegments(segments), wordsOfScript(script))
  })
})
