import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createVoiceAssigner, type VoiceOutput } from './voice-assigner.ts'

const [ANA, BEN, CHLOE] = [1, 2, 3]

/** Tracks whose pieces follow each other. The result is read as `voice: ms`, with `end` where a voice ends. */
function createTracks(speakers: Record<number, string> = {}) {
  const assigner = createVoiceAssigner({ speakerIdOfSource: (source) => speakers[source] ?? null })
  const outputs: VoiceOutput[] = []
  const clocks = new Map<number, number>()
  return {
    speakers,
    outputs,
    add(track: number, sources: number[], ms: number, { isEnd = false, at = -1 } = {}) {
      const startsAt = at >= 0 ? at : (clocks.get(track) ?? 0)
      clocks.set(track, startsAt + ms)
      const piece = { track, sources, samples: new Int16Array(ms * 16), isEnd }
      outputs.push(...assigner.addPiece(piece, startsAt))
    },
    take() {
      const lines: string[] = []
      for (const output of outputs.splice(0)) {
        const [voice, ms] = (lines.at(-1) ?? '').split('=')
        if (output.kind === 'end') lines.push(`${output.voice} ends`)
        else if (voice === output.voice)
          lines[lines.length - 1] = `${voice}=${Number(ms) + output.samples.length / 16}`
        else lines.push(`${output.voice}=${output.samples.length / 16}`)
      }
      return lines
    },
  }
}

test('a voice is a participant, or a source or track that no participant is known for', () => {
  const { add, take } = createTracks({ [ANA]: 'ana' })
  add(1, [ANA], 200)
  add(1, [ANA], 200, { isEnd: true })
  add(2, [BEN], 200, { isEnd: true })
  add(3, [], 200)
  assert.deepEqual(take(), [
    'participant:ana=400',
    'participant:ana ends',
    'source:2=200',
    'source:2 ends',
  ])
  add(3, [], 400)
  assert.deepEqual(take(), [])
  add(3, [], 200)
  add(3, [], 200, { isEnd: true })
  assert.deepEqual(take(), ['track:3/1=1000', 'track:3/1 ends'])
  add(3, [], 200)
  assert.deepEqual(take(), ['track:3/2=200'])
})

test('the beginning of an utterance waits a moment for its source', () => {
  const { add, take } = createTracks({ [ANA]: 'ana' })
  add(1, [], 400)
  assert.deepEqual(take(), [])
  add(1, [ANA], 200)
  add(1, [], 200, { isEnd: true })
  assert.deepEqual(take(), ['participant:ana=800', 'participant:ana ends'])
})

test('another speaker on a track ends the first voice, and none of the sound is lost', () => {
  const { add, take } = createTracks({ [ANA]: 'ana', [BEN]: 'ben' })
  add(1, [ANA], 200)
  add(1, [BEN], 200)
  assert.deepEqual(take(), ['participant:ana=200'])
  add(1, [BEN], 200)
  add(1, [BEN], 200, { isEnd: true })
  assert.deepEqual(take(), ['participant:ana ends', 'participant:ben=600', 'participant:ben ends'])
})

test('a source that is dominant for a moment does not cut an utterance', () => {
  const { add, take } = createTracks({ [ANA]: 'ana', [BEN]: 'ben', [CHLOE]: 'chloe' })
  add(1, [ANA, BEN], 200)
  add(1, [BEN, ANA], 100)
  add(1, [BEN, ANA], 100)
  add(1, [ANA, BEN], 200)
  add(1, [BEN, ANA], 200)
  add(1, [CHLOE], 200)
  add(1, [ANA], 200)
  add(1, [BEN], 200, { isEnd: true })
  assert.deepEqual(take(), ['participant:ana=1400', 'participant:ana ends'])
})

test('a speaker who follows another is not given back by a short pause between words', () => {
  const { add, take } = createTracks({ [ANA]: 'ana', [BEN]: 'ben' })
  add(1, [ANA], 200)
  add(1, [BEN, ANA], 120)
  add(1, [ANA, BEN], 60)
  add(1, [BEN], 200, { isEnd: true })
  assert.deepEqual(take(), [
    'participant:ana=200',
    'participant:ana ends',
    'participant:ben=380',
    'participant:ben ends',
  ])
})

test('a source whose participant becomes known keeps its voice until the utterance ends', () => {
  const { add, take, speakers } = createTracks()
  add(1, [ANA], 200)
  speakers[ANA] = 'ana'
  add(1, [ANA], 200)
  add(1, [ANA], 200, { isEnd: true })
  add(1, [ANA], 200)
  assert.deepEqual(take(), ['source:1=600', 'source:1 ends', 'participant:ana=200'])
})

test('two sources of one participant are one voice', () => {
  const { add, take } = createTracks({ [ANA]: 'ana', [BEN]: 'ana' })
  add(1, [ANA], 400)
  add(1, [BEN], 400, { isEnd: true })
  assert.deepEqual(take(), ['participant:ana=800', 'participant:ana ends'])
})

test('a voice on two tracks at once is passed on once', () => {
  const { add, take } = createTracks({ [ANA]: 'ana' })
  for (let i = 0; i < 3; i += 1) {
    add(1, [ANA], 200)
    add(2, [ANA], 200)
  }
  add(2, [ANA], 200, { isEnd: true })
  add(1, [ANA], 200, { isEnd: true })
  assert.deepEqual(take(), ['participant:ana=800', 'participant:ana ends'])
  // The first track is silent, so the second one is used now.
  add(2, [ANA], 200)
  assert.deepEqual(take(), ['participant:ana=200'])
})

test('a voice that moves to another track goes on without a gap', () => {
  const { add, take } = createTracks({ [ANA]: 'ana', [BEN]: 'ben' })
  add(1, [ANA], 200)
  add(1, [BEN], 200)
  add(2, [ANA], 200, { at: 200 })
  add(1, [BEN], 200, { isEnd: true })
  add(2, [ANA], 200, { isEnd: true })
  assert.deepEqual(take(), [
    'participant:ana=200',
    'participant:ben=200',
    'participant:ana=200',
    'participant:ben=200',
    'participant:ben ends',
    'participant:ana=200',
    'participant:ana ends',
  ])
})

test('a track that stopped without an end gives its voice to another track', () => {
  const { add, take } = createTracks({ [ANA]: 'ana' })
  add(1, [ANA], 200)
  add(2, [ANA], 200, { at: 5_000 })
  assert.deepEqual(take(), ['participant:ana=400'])
})

test('on one track no sound is lost or repeated, whatever its sources are', () => {
  const piece = fc.record({
    sources: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    ms: fc.integer({ min: 0, max: 400 }),
    isEnd: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const { add, outputs } = createTracks({ [ANA]: 'ana', [BEN]: 'ana', [CHLOE]: 'chloe' })
      for (const { sources, ms, isEnd } of pieces) add(1, sources, ms, { isEnd })
      add(1, [], 10, { isEnd: true })
      const sounds = outputs.filter((output) => output.kind === 'sound')
      let at = 0
      for (const { startsAt, samples } of sounds) {
        assert.equal(startsAt, at)
        at += samples.length / 16
      }
      assert.equal(
        at,
        pieces.reduce((sum, { ms }) => sum + ms, 10),
      )
      const open = new Set<string>()
      for (const output of outputs) {
        if (output.kind === 'sound') open.add(output.voice)
        else assert.ok(open.delete(output.voice), 'a voice ends once, after its sound')
        assert.ok(open.size <= 1)
      }
      assert.equal(open.size, 0)
    }),
  )
})

test('a voice that began without a source is known by the source that it gets later', () => {
  const assigner = createVoiceAssigner({ speakerIdOfSource: (source) => `person-${source}` })
  const piece = { track: 1, samples: new Int16Array(16_000), isEnd: false }
  const [first] = assigner.addPiece({ ...piece, sources: [] }, 0)
  assert.equal(assigner.participantOf(first?.voice ?? ''), null)
  assigner.addPiece({ ...piece, sources: [7] }, 1_000)
  assert.equal(assigner.participantOf(first?.voice ?? ''), 'person-7')
})
