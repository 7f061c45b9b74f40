import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSegmenter } from '../../../meetings/captions/segmenter.ts'
import type { CaptionSegment } from '../../../meetings/captions/turns/segments.ts'
import type { Caption } from '../platform.ts'
import { createCaptionMerger } from './caption-merger.ts'
import type { CaptionRowContent } from './tracked-row.ts'

/**
 * A page's caption list without captions on the wire. It keeps `keptRows` rows. The page becomes active after two
 * seconds, or at once with `isActive`.
 */
function createPage(rowContent: CaptionRowContent, keptRows = 40, isActive = true) {
  const merger = createCaptionMerger(rowContent)
  const segmenter = createSegmenter({ selfNames: [] })
  const segments: CaptionSegment[] = []
  let shown: Array<{ rowId: string; speaker: string; text: string; previousRowId: string }> = []
  let now = 0

  function publish(captions: readonly Caption[]): void {
    for (const caption of captions) segments.push(...segmenter.addCaption(caption, now).segments)
    segments.push(...segmenter.tick(now).segments)
  }
  function waitUntil(at: number): void {
    for (; now < at; now = Math.min(at, now + 50)) publish(merger.tick(now))
  }
  function remove(rowId: string): void {
    const row = shown.find((one) => one.rowId === rowId)
    shown = shown.filter((one) => one !== row)
    if (row !== undefined) publish(merger.addPageRow({ ...row, isGone: true }, now))
  }
  function show(at: number, rowId: string, speaker: string, text: string): void {
    waitUntil(at)
    const known = shown.find((one) => one.rowId === rowId)
    if (known === undefined && shown.length >= keptRows) remove(shown[0]?.rowId ?? '')
    const row = known ?? { rowId, speaker, text, previousRowId: shown.at(-1)?.rowId ?? '' }
    row.text = text
    if (known === undefined) shown.push(row)
    publish(merger.addPageRow({ ...row, isGone: false }, now))
  }

  if (isActive) {
    show(0, 'first', 'Chloé', 'Good morning.')
    waitUntil(10_000)
    segments.length = 0
  }
  return {
    show,
    remove(at: number, rowId: string) {
      waitUntil(at)
      remove(rowId)
    },
    /** Grows a row by one word every `stepMs`. */
    speak(at: number, rowId: string, speaker: string, text: string, stepMs = 300) {
      const words = text.split(' ')
      for (const [i] of words.entries()) {
        show(at + i * stepMs, rowId, speaker, words.slice(0, i + 1).join(' '))
      }
    },
    transcript(): string[] {
      waitUntil(now + 20_000)
      publish(merger.flush(now))
      segments.push(...segmenter.flush(now).segments)
      return segments
        .toSorted((a, b) => a.startedAt - b.startedAt)
        .map(({ speaker, text }) => `${speaker}: ${text}`)
    },
  }
}

const YES_THREE_TIMES = ['Ana: Yes.', 'Ana: Yes.', 'Ana: Yes.']

test('a short answer that is given three times is written three times', () => {
  for (const apartMs of [400, 900, 1_500, 3_000]) {
    const page = createPage('utterance')
    for (const i of [0, 1, 2]) page.show(12_000 + i * apartMs, `r${i}`, 'Ana', 'Yes.')
    assert.deepEqual(page.transcript(), YES_THREE_TIMES, `${apartMs} ms apart`)
  }
})

test('a short answer that is given twice before the page became active is written twice', () => {
  for (const apartMs of [200, 400, 700, 1_000, 1_400]) {
    for (const letters of [['Yes.'], ['Ye', 'Yes.'], ['Y', 'Ye', 'Yes', 'Yes.']]) {
      const page = createPage('utterance', 40, false)
      page.show(0, 'first', 'Ben', 'Shall we start?')
      for (const [row, at] of [800, 1_000 + apartMs].entries())
        for (const [i, text] of letters.entries()) page.show(at + i * 50, `r${row}`, 'Ana', text)
      assert.deepEqual(
        page.transcript(),
        ['Ben: Shall we start?', 'Ana: Yes.', 'Ana: Yes.'],
        `${apartMs} ms apart, ${letters.join(' ')}`,
      )
    }
  }
})

test('a short answer counts each time when the list shows only one row', () => {
  const page = createPage('utterance', 1)
  for (const i of [0, 1, 2]) {
    page.show(12_000 + i * 1_500, `r${i}`, 'Ana', 'yes')
    page.show(12_300 + i * 1_500, `r${i}`, 'Ana', 'Yes.')
  }
  assert.deepEqual(page.transcript(), YES_THREE_TIMES)
})

test('a short answer counts each time when the row is emptied in between', () => {
  const page = createPage('utterance')
  for (const i of [0, 1, 2]) {
    page.show(12_000 + i * 2_500, 'r', 'Ana', 'Yes.')
    page.show(13_000 + i * 2_500, 'r', 'Ana', '')
  }
  assert.deepEqual(page.transcript(), YES_THREE_TIMES)
})

test('an equal sentence shortly after the first is a second sentence', () => {
  for (const rowContent of ['turn', 'utterance'] as const) {
    const page = createPage(rowContent)
    page.show(12_000, 'r1', 'Ana', 'Can everybody see my screen?')
    if (rowContent === 'turn') page.show(12_600, 'r2', 'Ben', 'Hm.')
    page.show(13_500, 'r3', 'Ana', 'Can everybody see my screen?')
    const said = page.transcript().filter((line) => line.startsWith('Ana'))
    assert.equal(said.length, 2, rowContent)
  }
})

test('a sentence is written again when it is said again after its row left the list', () => {
  const page = createPage('utterance', 2)
  const question = 'Can everybody see my screen?'
  page.speak(12_000, 'r1', 'Ana', question)
  page.speak(15_000, 'r2', 'Ben', 'Not yet.')
  page.speak(16_000, 'r3', 'Ben', 'Try again.')
  page.speak(17_000, 'r4', 'Ana', question)
  page.show(40_000, 'r5', 'Ben', 'We see it now.')
  page.show(60_000, 'r6', 'Ana', question)
  assert.deepEqual(page.transcript(), [
    `Ana: ${question}`,
    'Ben: Not yet.',
    'Ben: Try again.',
    `Ana: ${question}`,
    'Ben: We see it now.',
    `Ana: ${question}`,
  ])
})

test('a row that the page draws again in its place is written once', () => {
  const page = createPage('utterance')
  page.show(12_000, 'r1', 'Ana', 'We should ship on Friday.')
  page.remove(12_500, 'r1')
  page.show(12_900, 'r2', 'Ana', 'We should ship on Friday.')
  page.show(13_200, 'r2', 'Ana', 'We should ship on Friday. Or Monday.')
  page.show(20_000, 'r3', 'Ben', 'Yes.')
  page.remove(20_300, 'r3')
  page.show(20_500, 'r4', 'Ben', 'Yes.')
  assert.deepEqual(page.transcript(), ['Ana: We should ship on Friday. Or Monday.', 'Ben: Yes.'])
})

test('a line that disappears between other lines and is drawn again below them is written once', () => {
  const page = createPage('utterance')
  page.speak(12_000, 'r1', 'Ben', 'It is slow when the list is long.')
  page.speak(15_000, 'r2', 'Dev', 'Sorry that I am late.')
  page.speak(18_000, 'r3', 'Ana', 'No problem at all.')
  page.remove(20_000, 'r2')
  page.show(25_000, 'r4', 'Dev', 'Sorry that I am late.')
  page.speak(28_000, 'r5', 'Ana', 'Then let us go on.')
  assert.deepEqual(page.transcript(), [
    'Ben: It is slow when the list is long.',
    'Dev: Sorry that I am late.',
    'Ana: No problem at all.',
    'Ana: Then let us go on.',
  ])
})

test('a second row of a line that one of them leaves is written once', () => {
  for (const leaves of ['r1', 'r2']) {
    for (const text of ['So', 'So two plus two is four.']) {
      const page = createPage('utterance')
      page.show(12_000, 'r1', 'Ana', text)
      page.show(12_200, 'r2', 'Ana', text)
      page.remove(12_700, leaves)
      const stays = leaves === 'r1' ? 'r2' : 'r1'
      page.show(13_000, stays, 'Ana', `${text} All agree.`)
      assert.deepEqual(page.transcript(), [`Ana: ${text} All agree.`], `${leaves} leaves`)
    }
  }
})

test('second rows and repeated lines from before the page became active are told apart', () => {
  for (const rowContent of ['turn', 'utterance'] as const) {
    const page = createPage(rowContent, 40, false)
    page.show(0, 'seed', 'Ana', 'So')
    page.show(100, 'r1', 'Ana', 'So')
    page.show(400, 'r1', 'Ana', 'So two plus two')
    page.show(500, 'twin', 'Ana', 'So two plus two')
    page.remove(600, 'seed')
    page.show(1_700, 'r1', 'Ana', 'So 2 + 2 is 4.')
    page.remove(1_800, 'twin')
    page.show(1_900, 'r2', 'Ben', 'Yes.')
    page.show(2_500, 'r3', 'Chloé', 'Right.')
    page.show(2_600, 'r4', 'Ben', 'Yes.')
    assert.deepEqual(
      page.transcript(),
      ['Ana: So 2 + 2 is 4.', 'Ben: Yes.', 'Chloé: Right.', 'Ben: Yes.'],
      rowContent,
    )
  }
})

test('rows with the same beginning that go on differently are separate', () => {
  const page = createPage('utterance')
  page.speak(12_000, 'r1', 'Ana', 'So we start.')
  page.speak(13_000, 'r2', 'Ana', 'So I think we are done.')
  assert.deepEqual(page.transcript(), ['Ana: So we start.', 'Ana: So I think we are done.'])
})

test('a row that begins with the first letter of the row before it is another line', () => {
  for (const rowContent of ['turn', 'utterance'] as const) {
    for (const isActive of [true, false]) {
      const at = isActive ? 12_000 : 500
      const grows = createPage(rowContent, 40, isActive)
      grows.show(at, 'r1', 'Ana', 'It works.')
      grows.show(at + 400, 'r2', 'Ana', 'I')
      grows.show(at + 600, 'r2', 'Ana', 'I agree.')
      assert.deepEqual(grows.transcript(), ['Ana: It works.', 'Ana: I agree.'])

      const firstLeaves = createPage(rowContent, 40, isActive)
      firstLeaves.show(at, 'r1', 'Ana', 'It works.')
      firstLeaves.show(at + 400, 'r2', 'Ana', 'I')
      firstLeaves.remove(at + 500, 'r1')
      firstLeaves.show(at + 700, 'r2', 'Ana', 'I agree.')
      assert.deepEqual(firstLeaves.transcript(), ['Ana: It works.', 'Ana: I agree.'])

      const secondLeaves = createPage(rowContent, 40, isActive)
      secondLeaves.show(at, 'r1', 'Ana', 'Now let us go.')
      secondLeaves.show(at + 400, 'r2', 'Ana', 'No.')
      secondLeaves.remove(at + 900, 'r2')
      assert.deepEqual(secondLeaves.transcript(), ['Ana: Now let us go.', 'Ana: No.'])
    }
  }
})

test('two rows of one line stay one line after the wire was active', () => {
  const merger = createCaptionMerger()
  const show = (rowId: string, text: string, at: number) =>
    merger.addPageRow({ rowId, speaker: 'Ana', text, isGone: false }, at)
  show('r1', 'We agreed on the plan', 0)
  merger.tick(2_000)
  assert.equal(merger.activeSource(), 'page')
  show('r1', 'We agreed on the plan today', 2_100)
  show('r2', 'We agreed on the plan today', 2_200)
  const caption = { captionId: 'w1', speaker: 'Ana', text: 'We agreed on the plan today' }
  merger.addWireCaption({ ...caption, version: 1, isFinal: true }, 2_300)
  merger.tick(9_000)
  assert.equal(merger.activeSource(), 'wire')
  show('r1', 'We agreed on the plan today for Friday', 10_000)
  show('r2', 'We agreed on the plan today for Friday', 10_100)
  const texts = [10_500, 12_100, 12_500, 15_000].flatMap((at) => merger.tick(at))
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['for Friday'],
  )
})

test('a line that the wire published is not written again when the page draws it again below later lines', () => {
  const merger = createCaptionMerger('turn')
  const published: string[] = []
  let now = 0
  const say = (at: number, id: string, speaker: string, text: string, previousRowId: string) => {
    for (; now < at; now += 50) published.push(...merger.tick(now).map((one) => one.text))
    const words = text.split(' ')
    for (let count = 1; count <= words.length; count += 1, now += 100) {
      const spoken = words.slice(0, count).join(' ')
      const isFinal = count === words.length
      const wire = { captionId: `wire-${id}`, speaker, text: spoken, version: count, isFinal }
      published.push(...merger.addWireCaption(wire, now).map((one) => one.text))
      merger.addPageRow({ rowId: id, speaker, text: spoken, isGone: false, previousRowId }, now)
    }
  }
  const late = "Sorry I'm late, my train stood still."
  say(0, 'a', 'Dev', late, '')
  say(1_000, 'b', 'Ana', 'No problem at all, we have just begun.', 'a')
  const row = { speaker: 'Dev', text: late, previousRowId: '' }
  merger.addPageRow({ ...row, rowId: 'a', isGone: true }, now)
  say(4_000, 'c', 'Ana', 'Then let us go on with the release.', 'b')
  for (; now < 9_000; now += 50) published.push(...merger.tick(now).map((one) => one.text))
  merger.addPageRow({ ...row, rowId: 'd', isGone: false, previousRowId: 'c' }, now)
  for (; now < 14_000; now += 50) published.push(...merger.tick(now).map((one) => one.text))
  assert.equal(published.filter((text) => text === late).length, 1)
})
