import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { readScript } from '../../src/bots/platforms/practice/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  waitUntilPageCaughtUp,
  FAST,
  askToJoinMeet,
  admitGuests,
  newMeetUrl,
  openStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'
import { wordsBySpeaker, type CaptionLine } from './words-by-speaker.ts'

let house: StageBrowser
before(async () => {
  house = await openStageBrowser()
})
after(() => house[Symbol.asyncDispose]())

/** A guest in a call with captions on. */
async function listen(knobs: KnobSettings = {}, readers: string[] = []) {
  const address = newMeetUrl()
  const show = house.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } })
  const visitor = await house.openPage(address, readers)
  await askToJoinMeet(visitor.page)
  await admitGuests(show)
  if (!readers.includes('meet-newest-row.js')) await visitor.page.keyboard.press('c')
  await show.until('captions on')
  return { ...visitor, show }
}

test('a whole script is read from Google Meet by position and by class, word for word', async () => {
  const address = newMeetUrl()
  const script = readScript('host-ends')
  const { show, finished } = house.stage.perform({
    address,
    script,
    cues: [{ at: 6, do: 'chat', speaker: script.people[0]?.id ?? '', text: 'a message' }],
    knobs: {
      speed: 40,
      waitsForCaptions: true,
    },
  })
  await using visitor = await house.openPage(address, ['meet-newest-row.js', 'meet-rows.js'])
  const { page } = visitor
  await askToJoinMeet(page)
  await show.until('captions on')
  await finished
  await page.getByText('Your host ended the meeting for everyone').waitFor()
  const expected = wordsBySpeaker(expectedTranscript(script))
  const { blocks, messages } = await page.evaluate<{
    blocks: CaptionLine[]
    messages: CaptionLine[]
  }>('newestRow')
  assert.deepEqual(wordsBySpeaker(blocks), expected)
  assert.equal(messages.length > 0, true)
  assert.deepEqual(wordsBySpeaker(await page.evaluate<CaptionLine[]>('labelledRows()')), expected)
  assert.deepEqual(visitor.pageErrors, [])
})

test('people who speak at the same time have rows of their own in Google Meet, each with its name', async () => {
  await using visitor = await listen({}, ['meet-rows.js'])
  const { page, show } = visitor
  await Promise.all([
    show.say('ana', 'I think we should begin.'),
    show.say('ben', 'Sorry, can you hear me?'),
  ])
  await waitUntilPageCaughtUp(show, page)
  assert.deepEqual(wordsBySpeaker(await page.evaluate<CaptionLine[]>('labelledRows()')), {
    'Ana Ribeiro': 'I think we should begin.',
    'Ben Carter': 'Sorry, can you hear me?',
  })
  // A late correction of an earlier row changes that row and opens none.
  show.caption({
    captionId: 'said-1',
    speaker: 'ana',
    text: 'I think we should start.',
    isFinal: true,
  })
  await page.getByText('we should start.').waitFor()
  assert.equal(await page.locator('.nMcdL').count(), 2)
})

test('a turn of Google Meet is one row with one text node, whatever is said and corrected in it', async () => {
  await using visitor = await listen({ correctionDepth: 12 }, ['meet-rows.js'])
  const { page, show } = visitor
  const row = page.locator('.nMcdL')
  await show.say('ana', 'so two plus', 'So 2 + 2 is 4.')
  await page.evaluate(`first = document.querySelector('.ygicle').firstChild`)
  await show.say('ana', 'And that is all.')
  await page.getByText('So 2 + 2 is 4. And that is all.').waitFor()
  assert.equal(await row.count(), 1)
  assert.ok(await page.evaluate(`first === document.querySelector('.ygicle').firstChild`))
  await show.say('ben', 'Good.')
  await page.getByText('Good.').waitFor()
  assert.equal(await row.count(), 2)
  assert.equal(
    await page.evaluate(`document.querySelector('.nMcdL').parentElement.children.length`),
    4,
  )
})

test('Google Meet can put a new text node in place of the old one with every change', async () => {
  await using visitor = await listen({ textBy: 'node' }, ['meet-newest-row.js', 'meet-rows.js'])
  const { page, show } = visitor
  await show.say('ana', 'One two three.')
  await page.getByText('One two three.').waitFor()
  assert.deepEqual(wordsBySpeaker(await page.evaluate('labelledRows()')), {
    'Ana Ribeiro': 'One two three.',
  })
})

test('captions of Google Meet that are turned off and on again come in a new region, without what was said meanwhile', async () => {
  await using visitor = await listen()
  const { page, show } = visitor
  assert.ok((await page.locator('ul[aria-label="Meeting language"] *').count()) >= 400)
  await show.say('ana', 'Before.')
  await page.getByText('Before.').waitFor()
  await page.evaluate(`region = document.querySelector('div[role="region"][tabindex="0"]')`)
  await page.getByLabel('Turn off captions').click()
  await show.until('captions off')
  assert.equal(await page.evaluate('region.isConnected'), false)
  await show.say('ana', 'Nobody reads this.')
  await waitUntilPageCaughtUp(show, page)
  await page.getByLabel('Turn on captions').click()
  await show.say('ana', 'After.')
  await page.getByText('After.').waitFor()
  assert.equal(await page.locator('.ygicle').allTextContents().then(String), 'After.')
  assert.notEqual(await page.evaluate(`region === document.querySelector('[tabindex="0"]')`), true)
})

test('the earlier Google Meet appends phrases as spans and drops the oldest', async () => {
  await using visitor = await listen({ generation: 'earlier' })
  const { page, show } = visitor
  await show.say('ana', 'One. Two. Three. Four.')
  const spans = page.locator(
    '.a4cQT > div > div > .TBMuR.bj4p3b [jsname="YSxPC"].Mz6pEf > [jsname="tgaKEf"].iTTPOb > span',
  )
  await page.locator('span:text-is("Four.")').waitFor()
  assert.deepEqual(
    (await spans.allTextContents()).map((text) => text.trim()),
    ['Two.', 'Three.', 'Four.'],
  )
  assert.equal(await page.locator('.zs7s8d.jxFHg').textContent(), 'Ana Ribeiro')
})

test('rows of Google Meet can be seeded, doubled and taken away for a moment, and end up right', async () => {
  const knobs = { hasSeedRows: true, hasTwinRows: true, removalGapMs: 1_000 }
  await using visitor = await listen(knobs, ['meet-rows.js'])
  const { page, show } = visitor
  await show.say('ana', 'One two three four five six seven eight nine ten eleven twelve thirteen.')
  const rows = page.locator('.nMcdL')
  await eventually(async () => ((await rows.count()) === 1 ? true : null))
  await rows.getByText('twelve thirteen.').waitFor()
  const seen = await page.evaluate<CaptionLine[]>('labelledRows()')
  assert.ok(seen.length >= 4, 'the row, its seed, a twin, and the row again after a gap')
})

test('a turn of Google Meet that lasts too long lets go of its text', async () => {
  await using visitor = await listen({ restartAfterMs: 5_000 })
  const { page, show } = visitor
  await show.say('ana', `${'long ago '.repeat(40).trim()}.`)
  await show.say('ana', 'now')
  await eventually(async () => {
    const text = (await page.locator('.ygicle').textContent()) ?? ''
    return text.endsWith('now') && text.length < 200 ? text : null
  })
})

test('captions that the platform loses and finds again vanish and come back by themselves', async () => {
  await using visitor = await listen()
  const { page, show } = visitor
  const region = page.locator('div[role="region"][aria-label="Captions"]')
  show.captions(false)
  await region.waitFor({ state: 'detached' })
  show.captions(true)
  await region.waitFor()
})

test('the chat of Google Meet is read from first child to first child, and the leave button is the one of the lobby', async () => {
  await using visitor = await listen({}, ['meet-newest-row.js'])
  const { page, show } = visitor
  await eventually(async () => ((await page.locator('.Ge9Kpc').count()) === 1 ? true : null))
  show.chat('ben', 'the link is in the invitation')
  const message = await eventually(() => page.evaluate('newestRow.messages.at(-1) ?? null'))
  assert.deepEqual(message, { name: 'Ben Carter', words: 'the link is in the invitation' })
  await page.getByLabel('Leave call').click()
  assert.equal(await page.evaluate('newestRow.hasLeft'), true)
})
