import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSegmenter } from './segmenter.ts'
import type { SegmenterOutput, CaptionSegment } from './turns/segments.ts'

type Step = [at: number, captionId: string, speaker: string, text: string]

function createRecorder(selfNames: string[] = ['Hansard']) {
  const segmenter = createSegmenter({ selfNames })
  const all: CaptionSegment[] = []
  const record = (output: SegmenterOutput): SegmenterOutput => {
    all.push(...output.segments)
    return output
  }
  return {
    segmenter,
    all,
    texts: () => all.map(({ text }) => text),
    addRow: (...[at, captionId, speaker, text]: Step) =>
      record(segmenter.addCaption({ captionId, speaker, text }, at)),
    removeRow: (at: number, captionId: string, speaker = 'Ann') =>
      record(segmenter.addCaption({ captionId, speaker, text: '', isGone: true }, at)),
    addVersion: (at: number, version: number, text: string, isFinal = false, captionId = 'u1') =>
      record(segmenter.addCaption({ captionId, speaker: 'Ann', text, version, isFinal }, at)),
    tick: (at: number) => record(segmenter.tick(at)),
    flush: (at: number) => record(segmenter.flush(at)),
  }
}

test('a recorded Google Meet caption becomes one segment, and each change one partial', () => {
  const recorder = createRecorder()
  const shown = ['End.', 'Endurance.', 'Endurance training.']
  for (const [i, text] of shown.entries()) {
    const { partials } = recorder.addRow(i * 330, 'r', 'Ann', text)
    assert.deepEqual(partials, [{ captionId: 'r', speaker: 'Ann', text, startedAt: 0 }])
  }
  recorder.addRow(1_660, 'r', 'Ann', 'Endurance training. End.')
  recorder.addRow(1_990, 'r', 'Ann', 'Endurance training. Endurance.')
  assert.equal(recorder.segmenter.nextTickAt(), 4_990)
  assert.deepEqual(recorder.tick(4_989), { segments: [], partials: [] })
  const text = 'Endurance training. Endurance.'
  assert.deepEqual(recorder.tick(4_990).segments, [
    { captionId: 'r', speaker: 'Ann', text, startedAt: 0 },
  ])
  assert.equal(recorder.segmenter.nextTickAt(), null)
})

test('rewrites of case, punctuation and numerals are applied while the text is pending', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', "Okay. Now I'm")
  recorder.addRow(330, 'r', 'Ann', "okay, now I'm gonna continue speaking.")
  recorder.addRow(700, 's', 'Bob', "What's 2 plus 2?")
  recorder.addRow(1_100, 's', 'Bob', "What's 2 + 2?")
  recorder.flush(1_200)
  assert.deepEqual(recorder.texts(), ["okay, now I'm gonna continue speaking.", "What's 2 + 2?"])
})

test('a Teams caption becomes final with its final version, and later versions are ignored', () => {
  const recorder = createRecorder()
  recorder.addVersion(0, 163, "there's no")
  assert.equal(recorder.addVersion(300, 164, "There's no problem.", true).segments.length, 1)
  recorder.addVersion(400, 165, "There's no problem at all.", true)
  recorder.flush(500)
  assert.deepEqual(recorder.texts(), ["There's no problem."])
})

test('an older caption version does not replace a newer one', () => {
  const recorder = createRecorder()
  recorder.addVersion(0, 2, 'one two three')
  assert.deepEqual(recorder.addVersion(50, 1, 'one').partials, [])
  recorder.flush(100)
  assert.deepEqual(recorder.texts(), ['one two three'])
})

test('words added after the first words became final form a separate segment', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', 'Endurance training.')
  recorder.tick(3_000)
  const { partials } = recorder.addRow(5_000, 'r', 'Ann', 'Endurance training is hard work.')
  assert.deepEqual(
    partials.map(({ text }) => text),
    ['is hard work.'],
  )
  recorder.tick(8_000)
  recorder.addRow(9_000, 'r', 'Ann', 'Endurance trainings is hard work!')
  recorder.flush(9_100)
  assert.deepEqual(recorder.texts(), ['Endurance training.', 'is hard work.'])
  assert.equal(recorder.all[1]?.startedAt, 5_000)
})

test('final text that shrinks and grows back is not repeated', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', 'I think so.')
  recorder.tick(3_000)
  recorder.addRow(3_300, 'r', 'Ann', 'I think')
  recorder.addRow(3_600, 'r', 'Ann', 'I think so too')
  recorder.flush(4_000)
  assert.deepEqual(recorder.texts(), ['I think so.', 'too'])
})

test('text that does not end like a sentence waits longer for its correction', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', 'so two plus two')
  recorder.tick(3_000)
  recorder.addRow(4_500, 'r', 'Ann', 'So 2 + 2 is 4.')
  assert.equal(recorder.segmenter.nextTickAt(), 7_500)
  recorder.tick(7_500)
  recorder.addRow(8_000, 's', 'Ann', 'and then')
  recorder.tick(14_000)
  assert.deepEqual(recorder.texts(), ['So 2 + 2 is 4.', 'and then'])
})

test('text does not become final while its correction may be on its way', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', 'So two plus two.')
  recorder.segmenter.hold(1_500, 15_000)
  assert.equal(recorder.segmenter.nextTickAt(), 16_500)
  recorder.tick(5_000)
  assert.deepEqual(recorder.texts(), [])
  recorder.segmenter.hold(5_000, 1_000)
  recorder.addRow(5_100, 'r', 'Ann', 'So 2 + 2 is 4.')
  recorder.tick(8_100)
  assert.deepEqual(recorder.texts(), ['So 2 + 2 is 4.'])
})

test('repeated stalls of the page delay unchanged text for a limited time', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', 'So two plus two.')
  for (let at = 1_000; at <= 60_000; at += 2_000) {
    recorder.segmenter.hold(at, 15_000)
    recorder.segmenter.hold(at + 500, 1_000)
    recorder.tick(at + 500)
    if (at < 15_000) assert.deepEqual(recorder.texts(), [])
  }
  assert.deepEqual(recorder.texts(), ['So two plus two.'])
  recorder.addRow(61_000, 's', 'Ben', 'Four.')
  recorder.segmenter.hold(62_000, 15_000)
  assert.equal(recorder.segmenter.nextTickAt(), 77_000)
})

test('a stall of the page does not change the limits of length and waiting time of a long turn', () => {
  const sentence = 'Everyone agreed to it in the meeting. '
  const recorder = createRecorder()
  recorder.segmenter.hold(0, 15_000)
  recorder.addRow(1, 'r', 'Ann', sentence.repeat(15))
  assert.ok(recorder.texts().join(' ').length > 300)
})

test('discarded text is never in a segment or a partial, and the text after it is', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'a', 'Ann', 'It is public')
  const caption = { captionId: 'b', speaker: 'Ben', version: 1 }
  const discarded = recorder.segmenter.addCaption(
    { ...caption, text: 'It is secret.', late: { startedMs: 90, changedMs: 50 } },
    100,
    { isDiscarded: true },
  )
  assert.deepEqual(discarded, { segments: [], partials: [] })
  const text = 'It is secret. Now it is not.'
  const { partials } = recorder.segmenter.addCaption({ ...caption, version: 2, text }, 200)
  assert.deepEqual(
    partials.map((partial) => partial.text),
    ['Now it is not.'],
  )
  recorder.addRow(300, 'a', 'Ann', 'It is public now.')
  recorder.flush(400)
  assert.deepEqual(recorder.texts(), ['It is public now.', 'Now it is not.'])
})

test('a late caption is a copy of another only if both are from about the same time', () => {
  const recorder = createRecorder()
  const say = (captionId: string, text: string, receivedAt: number, lateMs: number) => {
    const late = { startedMs: lateMs, changedMs: lateMs }
    const [channel = ''] = captionId.split('/')
    const caption = { captionId, channel, speaker: 'Ann', text, version: 1, isFinal: true, late }
    recorder.all.push(...recorder.segmenter.addCaption(caption, receivedAt).segments)
  }
  say('one/2', 'Yes.', 2_900, 0)
  say('one/1', 'Yes.', 3_000, 3_000)
  say('one/3', 'No.', 9_000, 3_000)
  say('two/3', 'No.', 9_900, 3_500)
  assert.deepEqual(recorder.texts(), ['Yes.', 'Yes.', 'No.'])
})

test('a late caption has the times at which the source showed it', () => {
  const recorder = createRecorder()
  const late = (captionId: string, text: string, startedMs: number, changedMs: number) =>
    recorder.segmenter.addCaption(
      { captionId, speaker: captionId, text, late: { startedMs, changedMs } },
      10_000,
    )
  late('b', 'Fine.', 1_000, 1_000)
  late('a', 'We start now.', 2_000, 1_500)
  recorder.flush(10_100)
  assert.deepEqual(
    recorder.all.map(({ captionId, startedAt }) => [captionId, startedAt]),
    [
      ['a', 8_000],
      ['b', 9_000],
    ],
  )
})

test('text without a full stop waits for its correction after the next speaker has started', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'a', 'Ann', 'good to know i would have used the old one')
  recorder.addRow(100, 'b', 'Bob', 'Do we know how long it takes?')
  recorder.tick(2_000)
  recorder.addRow(2_500, 'a', 'Ann', 'Good to know. I would have used the old one.')
  recorder.flush(2_600)
  assert.deepEqual(recorder.texts(), [
    'Good to know. I would have used the old one.',
    'Do we know how long it takes?',
  ])
})

test('a caption that a second data channel delivers seconds later is written once', () => {
  const recorder = createRecorder()
  const say = (at: number, captionId: string, version: number, text: string, isFinal: boolean) => {
    const [channel = ''] = captionId.split('/')
    const caption = { captionId, channel, speaker: 'Ben', text, version, isFinal }
    recorder.all.push(...recorder.segmenter.addCaption(caption, at).segments)
  }
  const repeat = (at: number, id: string) => {
    say(at, id, 1, 'thursday works', false)
    say(at + 300, id, 2, 'Thursday works for me.', true)
  }
  repeat(0, 'one/1')
  repeat(3_000, 'two/1')
  assert.deepEqual(recorder.texts(), ['Thursday works for me.'])
  // The same words are said twice more, while the second channel is late.
  for (const [at, id] of [
    [4_000, 'one/2'],
    [5_000, 'one/3'],
    [8_000, 'two/2'],
    [9_000, 'two/3'],
  ] as const)
    repeat(at, id)
  recorder.flush(20_000)
  assert.equal(recorder.texts().length, 3)
})

test('a turn is corrected while it is pending and unchanged once it is final', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'a', 'Ann', 'I scream for all')
  recorder.addRow(400, 'b', 'Bob', 'Yes')
  recorder.addRow(900, 'a', 'Ann', 'Ice cream for all.')
  recorder.tick(1_900)
  recorder.addRow(2_000, 'a', 'Ann', 'Ice dream for all.')
  recorder.flush(2_100)
  assert.deepEqual(recorder.texts(), ['Ice cream for all.', 'Yes'])
})

test('a turn of 6,000 characters is cut at sentence ends while it is being spoken', () => {
  const recorder = createRecorder()
  const sentence = 'We looked at the numbers again and they hold for the whole of the year. '
  const whole = sentence.repeat(84).trim()
  for (let end = 10; end < whole.length + 10; end += 10) {
    recorder.addRow(end * 60, 'r', 'Ann', whole.slice(0, end))
  }
  assert.ok(recorder.all.length > 60)
  recorder.flush(400_000)
  assert.equal(recorder.texts().join(' '), whole)
  for (const text of recorder.texts()) assert.match(text, /\.$/)
})

test('a long sentence without an end is cut between words', () => {
  const recorder = createRecorder()
  const whole = 'and then we went on '.repeat(300).trim()
  recorder.addRow(0, 'r', 'Ann', whole)
  assert.ok(recorder.all.length > 5)
  recorder.flush(10)
  assert.equal(recorder.texts().join(' '), whole)
})

test('duplicate rows of one turn produce one segment', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'seed', 'Ann', 'End.')
  recorder.addRow(200, 'real', 'Ann', 'Endurance')
  recorder.addRow(500, 'real', 'Ann', 'Endurance training is what we need.')
  recorder.addRow(600, 'twin', 'Ann', 'Endurance training is what we need.')
  recorder.addRow(700, 'seed', 'Ann', 'End.')
  recorder.flush(800)
  assert.deepEqual(recorder.texts(), ['Endurance training is what we need.'])
})

test('a row that reappears under another id continues its turn', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'a', 'Ann', 'We should ship on Friday.')
  recorder.tick(3_000)
  recorder.addRow(10_000, 'b', 'Ann', 'We should ship on Friday.')
  recorder.removeRow(10_100, 'a')
  recorder.addRow(10_300, 'b', 'Ann', 'We should ship on Friday. Or on Monday.')
  recorder.flush(11_000)
  assert.deepEqual(recorder.texts(), ['We should ship on Friday.', 'Or on Monday.'])
})

test('a sentence that a speaker repeats produces two segments', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'a', 'Ann', 'Can you hear me now?')
  recorder.tick(3_000)
  recorder.addRow(5_000, 'b', 'Ann', 'Can you hear me now?')
  recorder.flush(9_000)
  assert.equal(recorder.all.length, 2)
})

test('a segment has the fullest name its caption ever had', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'spaces/x/devices/7', 'One')
  recorder.addRow(100, 'r', 'Ann Lee (Guest)', 'One two')
  recorder.addRow(200, 'r', '', 'One two three')
  recorder.addRow(300, 'r', 'Ann', 'One two three four')
  recorder.flush(400)
  assert.deepEqual(
    recorder.all.map(({ speaker }) => speaker),
    ['Ann Lee'],
  )
})

test('a row that is cleared for new text keeps the earlier text, also when one word is similar', () => {
  const recorder = createRecorder()
  const earlier =
    'The first part of a very long speech, which fills the row all by itself. The second part goes on about something else entirely, as speeches do. After that everybody hoped for a pause, but the speaker had other plans.'
  for (let end = 60; end < earlier.length + 10; end += 10)
    recorder.addRow(end, 'r', 'Ann', earlier.slice(0, end))
  recorder.addRow(300, 'r', 'Ann', 'Somewhere')
  recorder.addRow(330, 'r', 'Ann', 'Somewhere around here most had begun to read their mail.')
  recorder.flush(900)
  assert.equal(
    recorder.texts().join(' '),
    `${earlier} Somewhere around here most had begun to read their mail.`,
  )
})

test('a row that changes to another speaker starts a new turn', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'r', 'Ann', 'Good morning to you all.')
  recorder.addRow(500, 'r', 'Bob', 'Thanks')
  recorder.flush(900)
  assert.deepEqual(
    recorder.all.map(({ speaker, text }) => `${speaker}: ${text}`),
    ['Ann: Good morning to you all.', 'Bob: Thanks'],
  )
})

test('captions of the bot and texts of the page produce no segments', () => {
  const recorder = createRecorder()
  recorder.addRow(0, 'a', 'You', 'I am recording')
  recorder.addRow(10, 'b', 'hansard (Guest)', 'I am recording')
  recorder.addRow(20, 'c', '', 'Maria has joined')
  recorder.addRow(30, 'd', '', 'Your microphone is off')
  recorder.addRow(40, 'e', 'Ann', 'mic_off Hello more_vert')
  recorder.addRow(50, 'f', '', 'whose')
  recorder.addRow(60, 'f', 'You', 'whose words')
  recorder.flush(100)
  assert.deepEqual(recorder.texts(), ['Hello'])
})

test('a resumed segmenter does not repeat segments, even if the rows have new ids', () => {
  const first = createRecorder()
  const long = 'We looked at the numbers again and they hold for the year. '.repeat(40).trim()
  first.addRow(0, 'a', 'Ann', long)
  first.addRow(100, 'b', 'Bob', 'That is very good news.')
  first.tick(10_000)
  for (const [a, b] of [
    ['a', 'b'],
    ['x', 'y'],
  ] as const) {
    const second = createRecorder()
    second.segmenter.resume(first.all, 20_000)
    second.addRow(20_100, a, 'Ann', `${long} And more.`)
    second.addRow(20_200, b, 'Bob', 'That is very good news.')
    second.flush(20_300)
    assert.deepEqual(second.texts(), ['And more.'])
  }
})
