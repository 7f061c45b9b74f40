import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { isBeginningShown } from '../captions/text-overlap.ts'
import { createCaptionSpeakerResolver } from './speaker-resolver.ts'
import { createWireRoster, createSourceSpeakers, parseSource } from './wire-roster.ts'
import type { WireCaption, WireParticipant } from './wire-types.ts'

const ANA: WireParticipant = { id: 'd1', presence: 'here', name: 'Ana', isHost: true }
const BEN: WireParticipant = { id: 'd2', presence: 'here', name: 'Ben' }
const BOT: WireParticipant = { id: 'd9', presence: 'here', name: 'Hansard', isSelf: true }

function caption(more: Partial<WireCaption> = {}): WireCaption {
  const what = { captionId: 'c1', speakerId: 'd1', text: 'Hi', version: 1 }
  return { ...what, isFinal: false, language: null, ...more }
}

test('roster changes add and remove participants, without the bot and shared screens', () => {
  const people = createWireRoster()
  const screen: WireParticipant = { id: 'd3', presence: 'here', name: 'Ana', parentId: 'd1' }
  people.applyChanges([ANA, BOT, screen])
  assert.deepEqual(people.presentParticipants(), [{ id: 'd1', name: 'Ana', isHost: true }])
  people.applyChanges([BEN])
  people.applyChanges([BEN])
  people.applyChanges([{ id: 'd1', presence: 'gone' }])
  assert.deepEqual(people.presentParticipants(), [{ id: 'd2', name: 'Ben' }])
})

test('a participant missing from a full roster has left', () => {
  const people = createWireRoster()
  people.applyChanges([ANA, BEN, BOT])
  people.replaceAll([BEN, BOT])
  assert.deepEqual(people.presentParticipants(), [{ id: 'd2', name: 'Ben' }])
  assert.equal(people.nameOf('d1'), 'Ana')
})

test('participants with the same name stay separate', () => {
  const people = createWireRoster()
  people.applyChanges([ANA, { ...ANA, id: 'd4' }])
  assert.equal(people.presentParticipants().length, 2)
  people.applyChanges([{ id: 'd4', presence: 'gone' }])
  assert.deepEqual(
    people.presentParticipants().map(({ id }) => id),
    ['d1'],
  )
})

test('fields that a roster message omits stay unchanged', () => {
  const people = createWireRoster()
  people.applyChanges([ANA])
  people.applyChanges([{ id: 'd1', presence: 'unsaid' }])
  assert.deepEqual(people.presentParticipants(), [{ id: 'd1', name: 'Ana', isHost: true }])
  people.applyChanges([{ id: 'd1', presence: 'unsaid', isHost: false }])
  assert.deepEqual(people.presentParticipants(), [{ id: 'd1', name: 'Ana' }])
})

test('a participant without a presence or a name is not listed', () => {
  const people = createWireRoster()
  people.applyChanges([
    { id: 'd5', presence: 'unsaid', name: 'Ringing' },
    { id: 'd6', presence: 'here' },
  ])
  assert.deepEqual(people.presentParticipants(), [])
  assert.equal(people.nameOf('d5'), 'Ringing')
})

test("the roster shows that the bot was removed, by its mark or by the bot's own id", () => {
  const people = createWireRoster()
  assert.equal(people.ownPresence(), 'unsaid')
  people.applyChanges([{ id: 'd7', presence: 'here', name: 'Hansard' }])
  assert.equal(people.setSelf('d7'), true)
  assert.equal(people.setSelf('d7'), false)
  assert.equal(people.ownPresence(), 'here')
  assert.deepEqual(people.presentParticipants(), [])
  people.applyChanges([{ id: 'd7', presence: 'removed' }])
  assert.equal(people.ownPresence(), 'removed')
})

test('joins and leaves of one moment are listed in their order', () => {
  const people = createWireRoster()
  people.applyChanges([ANA, BOT])
  assert.deepEqual(namesIn(people.takeSnapshots()), [['Ana']])
  people.applyChanges([{ id: 'd1', presence: 'gone' }])
  people.applyChanges([BEN])
  people.applyChanges([{ id: 'd2', presence: 'gone' }])
  assert.deepEqual(namesIn(people.takeSnapshots()), [[], ['Ben'], []])
  people.applyChanges([BEN, ANA])
  assert.deepEqual(namesIn(people.takeSnapshots()), [['Ana', 'Ben']])
})

test('of the participants that the bot may be, one is left out and none is silenced', () => {
  const people = createWireRoster(({ name }) => name === 'Hansard')
  people.applyChanges([ANA, { id: 'd8', presence: 'here', name: 'Hansard' }])
  assert.deepEqual(namesIn([people.presentParticipants()]), [['Ana']])
  assert.equal(people.isSelf('d8'), true)
  people.applyChanges([{ id: 'd9', presence: 'here', name: 'Hansard' }])
  assert.deepEqual(namesIn([people.presentParticipants()]), [['Ana', 'Hansard']])
  assert.deepEqual([people.isSelf('d8'), people.isSelf('d9')], [false, false])
  people.setSelf('d9')
  assert.deepEqual(
    people.presentParticipants().map(({ id }) => id),
    ['d1', 'd8'],
  )
  assert.deepEqual([people.isSelf('d8'), people.isSelf('d9')], [false, true])
})

function namesIn(lists: ReadonlyArray<ReadonlyArray<{ name: string }>>): string[][] {
  return lists.map((people) => people.map(({ name }) => name).toSorted())
}

test('an endless roster drops its oldest entries', () => {
  const people = createWireRoster()
  const many = (from: number, presence: 'here' | 'gone') =>
    Array.from({ length: 9_000 }, (_, i) => ({ id: `x${from + i}`, presence, name: 'N' }))
  people.applyChanges([ANA])
  people.applyChanges(many(0, 'gone'))
  people.applyChanges(many(9_000, 'here'))
  assert.equal(people.nameOf('d1'), 'Ana')
  assert.equal(people.nameOf('x0'), null)
  assert.equal(people.presentParticipants().length, 9_001)
})

test('a caption with a known speaker is emitted immediately', () => {
  const people = createWireRoster()
  people.applyChanges([ANA])
  const speakers = createCaptionSpeakerResolver(people)
  assert.deepEqual(speakers.resolve(caption({ isFinal: true }), 0), [
    { captionId: 'c1', speaker: 'Ana', text: 'Hi', version: 1, isFinal: true },
  ])
})

test('captions wait for a speaker name and are emitted in their newest version when it arrives', () => {
  const people = createWireRoster()
  const speakers = createCaptionSpeakerResolver(people)
  const resolve = (more: Partial<WireCaption>, at: number) => speakers.resolve(caption(more), at)
  assert.deepEqual(resolve({ version: 1 }, 0), [])
  assert.deepEqual(resolve({ version: 3, text: 'Hi all.', isFinal: true }, 10), [])
  assert.deepEqual(resolve({ version: 2, text: 'Hi al' }, 20), [])
  assert.deepEqual(resolve({ captionId: 'c2', speakerId: 'd2' }, 30), [])
  people.applyChanges([ANA])
  assert.deepEqual(speakers.releaseWaiting(40), [
    {
      captionId: 'c1',
      speaker: 'Ana',
      text: 'Hi all.',
      version: 3,
      isFinal: true,
      late: { startedMs: 40, changedMs: 30 },
    },
  ])
})

test('a caption waits for a name only once and for a limited time', () => {
  const people = createWireRoster()
  const speakers = createCaptionSpeakerResolver(people)
  speakers.resolve(caption(), 0)
  assert.deepEqual(speakers.releaseWaiting(2_999), [])
  const nameless = { captionId: 'c1', speaker: '', text: 'Hi', version: 1 }
  const late = { startedMs: 3_000, changedMs: 3_000 }
  assert.deepEqual(speakers.releaseWaiting(3_000), [{ ...nameless, late }])
  assert.deepEqual(speakers.resolve(caption({ version: 2 }), 3_100), [{ ...nameless, version: 2 }])
  people.applyChanges([ANA])
  assert.equal(speakers.resolve(caption({ version: 3 }), 3_200)[0]?.speaker, 'Ana')
})

test('a name in the caption is used until the roster has one', () => {
  const people = createWireRoster()
  const speakers = createCaptionSpeakerResolver(people)
  const named = caption({ speakerName: 'A. Ribeiro' })
  assert.equal(speakers.resolve(named, 0)[0]?.speaker, 'A. Ribeiro')
  people.applyChanges([ANA])
  assert.equal(speakers.resolve({ ...named, version: 2 }, 1)[0]?.speaker, 'Ana')
})

test('one or two words on the page name a finished caption, but not the speaker', () => {
  const row = 'I think so too'
  const speakers = createCaptionSpeakerResolver(createWireRoster(), (text, minWords) =>
    isBeginningShown(text, row, minWords) ? 'Ben' : null,
  )
  const named = (more: Partial<WireCaption>) =>
    speakers.resolve(caption(more), 0).map(({ speaker, text }) => `${speaker}: ${text}`)
  assert.deepEqual(named({ captionId: 'c1', text: 'I' }), [])
  assert.deepEqual(named({ captionId: 'c2', text: 'I.', isFinal: true }), ['Ben: I.'])
  assert.deepEqual(named({ captionId: 'c3', text: 'We should ask her', version: 1 }), [])
  assert.deepEqual(named({ captionId: 'c1', text: 'I think so', version: 2 }), [
    'Ben: I think so',
    'Ben: We should ask her',
  ])
  assert.deepEqual(named({ captionId: 'c4', text: 'Yes' }), ['Ben: Yes'])
})

test("the bot's own captions are dropped, and captions of a shared screen get the name of its owner", () => {
  const people = createWireRoster()
  people.applyChanges([ANA, BOT, { id: 'd3', presence: 'here', name: 'Screen', parentId: 'd1' }])
  people.applyChanges([{ id: 'd8', presence: 'here', name: 'Ours', parentId: 'd9' }])
  const speakers = createCaptionSpeakerResolver(people)
  assert.deepEqual(speakers.resolve(caption({ speakerId: 'd9' }), 0), [])
  assert.deepEqual(speakers.resolve(caption({ speakerId: 'd8' }), 0), [])
  assert.equal(speakers.resolve(caption({ speakerId: 'd3' }), 0)[0]?.speaker, 'Ana')
})

test("a waiting caption that turns out to be the bot's own is dropped", () => {
  const people = createWireRoster()
  const speakers = createCaptionSpeakerResolver(people)
  speakers.resolve(caption({ speakerId: 'd9' }), 0)
  people.applyChanges([BOT])
  assert.deepEqual(speakers.releaseWaiting(5_000), [])
})

test('a flood of captions without a name is emitted without names', () => {
  const speakers = createCaptionSpeakerResolver(createWireRoster())
  const emitted = Array.from({ length: 1_000 }, (_, i) =>
    speakers.resolve(caption({ captionId: `c${i}` }), 0),
  )
  assert.equal(emitted.flat().length, 800)
})

test('a source belongs to the participant that it was assigned to last', () => {
  const speakers = createSourceSpeakers()
  assert.equal(speakers.speakerIdOf(1), null)
  speakers.assign(1, 'ana')
  speakers.assign(1, 'ben')
  assert.equal(speakers.speakerIdOf(1), 'ben')
})

test('a participant keeps only the sources of its newest list', () => {
  const speakers = createSourceSpeakers()
  speakers.replaceSourcesOf('ana', [1, 2])
  speakers.replaceSourcesOf('ben', [2, 3])
  speakers.replaceSourcesOf('ana', [4])
  const owners = [1, 2, 3, 4].map((source) => speakers.speakerIdOf(source))
  assert.deepEqual(owners, [null, 'ben', 'ben', 'ana'])
  speakers.replaceSourcesOf('ben', [])
  assert.equal(speakers.speakerIdOf(3), null)
})

test('the number of known sources is limited', () => {
  const speakers = createSourceSpeakers()
  for (let i = 0; i < 10_100; i += 1) speakers.replaceSourcesOf(`p${i}`, [i])
  assert.deepEqual([speakers.speakerIdOf(50), speakers.speakerIdOf(10_099)], [null, 'p10099'])
})

test('only unsigned numbers of 32 bits are sources', () => {
  const values = [0, 7, '42', '4294967295', 4_294_967_296, -1, 1.5, '', 'x', null, Number.NaN]
  assert.deepEqual(values.map(parseSource), [
    0,
    7,
    42,
    4_294_967_295,
    ...Array.from({ length: 7 }, () => null),
  ])
})
