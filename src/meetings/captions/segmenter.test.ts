import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSegmenter, type SegmenterOutput, type Segment } from './segmenter.ts'

type Step = [at: number, captionId: string, speaker: string, text: string]

function createBench(selfNames: string[] = ['Hansard']) {
  const segmenter = createSegmenter({ selfNames })
  const all: Segment[] = []
  const keep = (said: SegmenterOutput): SegmenterOutput => {
    all.push(...said.segments)
    return said
  }
  return {
    segmenter,
    all,
    texts: () => all.map(({ text }) => text),
    see: (...[at, captionId, speaker, text]: Step) =>
      keep(segmenter.addCaption({ captionId, speaker, text }, at)),
    gone: (at: number, captionId: string, speaker = 'Ann') =>
      keep(segmenter.addCaption({ captionId, speaker, text: '', isGone: true }, at)),
    wire: (at: number, version: number, text: string, isFinal = false, captionId = 'u1') =>
      keep(segmenter.addCaption({ captionId, speaker: 'Ann', text, version, isFinal }, at)),
    tick: (at: number) => keep(segmenter.tick(at)),
    flush: (at: number) => keep(segmenter.flush(at)),
  }
}

test('the endurance trace of Meet becomes one segment, and each change one partial', () => {
  const bench = createBench()
  const shown = ['End.', 'Endurance.', 'Endurance training.']
  for (const [i, text] of shown.entries()) {
    const { partials } = bench.see(i * 330, 'r', 'Ann', text)
    assert.deepEqual(partials, [{ captionId: 'r', speaker: 'Ann', text, startedAt: 0 }])
  }
  bench.see(1_660, 'r', 'Ann', 'Endurance training. End.')
  bench.see(1_990, 'r', 'Ann', 'Endurance training. Endurance.')
  assert.equal(bench.segmenter.nextTickAt(), 4_990)
  assert.deepEqual(bench.tick(4_989), { segments: [], partials: [] })
  const text = 'Endurance training. Endurance.'
  assert.deepEqual(bench.tick(4_990).segments, [
    { captionId: 'r', speaker: 'Ann', text, startedAt: 0 },
  ])
  assert.equal(bench.segmenter.nextTickAt(), null)
})

test('rewritten case, punctuation and numerals count while nothing is final', () => {
  const bench = createBench()
  bench.see(0, 'r', 'Ann', "Okay. Now I'm")
  bench.see(330, 'r', 'Ann', "okay, now I'm gonna continue speaking.")
  bench.see(700, 's', 'Bob', "What's 2 plus 2?")
  bench.see(1_100, 's', 'Bob', "What's 2 + 2?")
  bench.flush(1_200)
  assert.deepEqual(bench.texts(), ["okay, now I'm gonna continue speaking.", "What's 2 + 2?"])
})

test('the Teams wire trace is final with its mark and nothing follows', () => {
  const bench = createBench()
  bench.wire(0, 163, "there's no")
  assert.equal(bench.wire(300, 164, "There's no problem.", true).segments.length, 1)
  bench.wire(400, 165, "There's no problem at all.", true)
  bench.flush(500)
  assert.deepEqual(bench.texts(), ["There's no problem."])
})

test('an older version never takes back a newer one', () => {
  const bench = createBench()
  bench.wire(0, 2, 'one two three')
  assert.deepEqual(bench.wire(50, 1, 'one').partials, [])
  bench.flush(100)
  assert.deepEqual(bench.texts(), ['one two three'])
})

test('words that go on after a silence are said alone, whatever happens to the full stop', () => {
  const bench = createBench()
  bench.see(0, 'r', 'Ann', 'Endurance training.')
  bench.tick(3_000)
  const { partials } = bench.see(5_000, 'r', 'Ann', 'Endurance training is hard work.')
  assert.deepEqual(
    partials.map(({ text }) => text),
    ['is hard work.'],
  )
  bench.tick(8_000)
  bench.see(9_000, 'r', 'Ann', 'Endurance trainings is hard work!')
  bench.flush(9_100)
  assert.deepEqual(bench.texts(), ['Endurance training.', 'is hard work.'])
  assert.equal(bench.all[1]?.startedAt, 5_000)
})

test('text that shrinks after it was final is not said again when it grows back', () => {
  const bench = createBench()
  bench.see(0, 'r', 'Ann', 'I think so.')
  bench.tick(3_000)
  bench.see(3_300, 'r', 'Ann', 'I think')
  bench.see(3_600, 'r', 'Ann', 'I think so too')
  bench.flush(4_000)
  assert.deepEqual(bench.texts(), ['I think so.', 'too'])
})

test('an earlier block is corrected as long as it is not final', () => {
  const bench = createBench()
  bench.see(0, 'a', 'Ann', 'I scream for all')
  bench.see(400, 'b', 'Bob', 'Yes')
  bench.see(900, 'a', 'Ann', 'Ice cream for all.')
  bench.tick(1_900)
  bench.see(2_000, 'a', 'Ann', 'Ice dream for all.')
  bench.flush(2_100)
  assert.deepEqual(bench.texts(), ['Ice cream for all.', 'Yes'])
})

test('a turn of 6,000 characters is cut at sentence ends while it is being spoken', () => {
  const bench = createBench()
  const sentence = 'We looked at the numbers again and they hold for the whole of the year. '
  const whole = sentence.repeat(84).trim()
  for (let end = 10; end < whole.length + 10; end += 10) {
    bench.see(end * 60, 'r', 'Ann', whole.slice(0, end))
  }
  assert.ok(bench.all.length > 60)
  bench.flush(400_000)
  assert.equal(bench.texts().join(' '), whole)
  for (const text of bench.texts()) assert.match(text, /\.$/)
})

test('an endless sentence is cut between words', () => {
  const bench = createBench()
  const whole = 'and then we went on '.repeat(300).trim()
  bench.see(0, 'r', 'Ann', whole)
  assert.ok(bench.all.length > 5)
  bench.flush(10)
  assert.equal(bench.texts().join(' '), whole)
})

test('twin rows and a seed row are one line', () => {
  const bench = createBench()
  bench.see(0, 'seed', 'Ann', 'End.')
  bench.see(200, 'real', 'Ann', 'Endurance')
  bench.see(500, 'real', 'Ann', 'Endurance training is what we need.')
  bench.see(600, 'twin', 'Ann', 'Endurance training is what we need.')
  bench.see(700, 'seed', 'Ann', 'End.')
  bench.flush(800)
  assert.deepEqual(bench.texts(), ['Endurance training is what we need.'])
})

test('a row drawn again under another id goes on where it was', () => {
  const bench = createBench()
  bench.see(0, 'a', 'Ann', 'We should ship on Friday.')
  bench.tick(3_000)
  bench.see(10_000, 'b', 'Ann', 'We should ship on Friday.')
  bench.gone(10_100, 'a')
  bench.see(10_300, 'b', 'Ann', 'We should ship on Friday. Or on Monday.')
  bench.flush(11_000)
  assert.deepEqual(bench.texts(), ['We should ship on Friday.', 'Or on Monday.'])
})

test('what somebody says twice is there twice', () => {
  const bench = createBench()
  bench.see(0, 'a', 'Ann', 'Can you hear me now?')
  bench.tick(3_000)
  bench.see(5_000, 'b', 'Ann', 'Can you hear me now?')
  bench.flush(9_000)
  assert.equal(bench.all.length, 2)
})

test('a caption keeps the best name it ever had', () => {
  const bench = createBench()
  bench.see(0, 'r', 'spaces/x/devices/7', 'One')
  bench.see(100, 'r', 'Ann Lee (Guest)', 'One two')
  bench.see(200, 'r', '', 'One two three')
  bench.see(300, 'r', 'Ann', 'One two three four')
  bench.flush(400)
  assert.deepEqual(
    bench.all.map(({ speaker }) => speaker),
    ['Ann Lee'],
  )
})

test('a row that is used for another speaker begins anew', () => {
  const bench = createBench()
  bench.see(0, 'r', 'Ann', 'Good morning to you all.')
  bench.see(500, 'r', 'Bob', 'Thanks')
  bench.flush(900)
  assert.deepEqual(
    bench.all.map(({ speaker, text }) => `${speaker}: ${text}`),
    ['Ann: Good morning to you all.', 'Bob: Thanks'],
  )
})

test('the words of the bot and of the page are never speech', () => {
  const bench = createBench()
  bench.see(0, 'a', 'You', 'I am recording')
  bench.see(10, 'b', 'hansard (Guest)', 'I am recording')
  bench.see(20, 'c', '', 'Maria has joined')
  bench.see(30, 'd', '', 'Your microphone is off')
  bench.see(40, 'e', 'Ann', 'mic_off Hello more_vert')
  bench.see(50, 'f', '', 'whose')
  bench.see(60, 'f', 'You', 'whose words')
  bench.flush(100)
  assert.deepEqual(bench.texts(), ['Hello'])
})

test('after a restart the page says nothing twice, whatever its rows are called now', () => {
  const first = createBench()
  const long = 'We looked at the numbers again and they hold for the year. '.repeat(40).trim()
  first.see(0, 'a', 'Ann', long)
  first.see(100, 'b', 'Bob', 'That is very good news.')
  first.tick(10_000)
  for (const [a, b] of [
    ['a', 'b'],
    ['x', 'y'],
  ] as const) {
    const second = createBench()
    second.segmenter.resume(first.all, 20_000)
    second.see(20_100, a, 'Ann', `${long} And more.`)
    second.see(20_200, b, 'Bob', 'That is very good news.')
    second.flush(20_300)
    assert.deepEqual(second.texts(), ['And more.'])
  }
})
