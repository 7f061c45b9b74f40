import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSegmenter } from '../../../meetings/captions/segmenter.ts'
import type {
  PageCaptionRow,
  ParticipantListItem,
  ReceivedTrafficMessage,
} from '../bridge/messages.ts'
import { parseGoogleMeetParticipant } from '../google-meet/google-meet.ts'
import { parseMicrosoftTeamsParticipant } from '../microsoft-teams/microsoft-teams.ts'
import type { PlatformEvent, JoinRequest } from '../platform.ts'
import { createWireRoster, type WireRoster } from '../wire/wire-roster.ts'
import type { WireUpdate, WireCaption } from '../wire/wire-types.ts'
import { createCaptionAndRosterReader } from './caption-reader.ts'
import type { PagePlatform } from './page-platform.ts'

const JOIN_REQUEST: JoinRequest = {
  link: { url: 'https://meet.example/a', room: 'a', label: 'A' },
  displayName: 'Hansard',
  language: null,
  account: null,
  elapsedMs: 0,
  wasAdmittedBefore: false,
}

const TRAFFIC: ReceivedTrafficMessage = { via: 'channel', name: 'captions', data: '' }

/** A reader whose wire delivers the given updates. */
function createReader(
  roster: WireRoster = createWireRoster(),
  parseParticipant: PagePlatform['parseParticipant'] = () => null,
) {
  const emitted: PlatformEvent[] = []
  let update: WireUpdate = {}
  const reader = createCaptionAndRosterReader({
    platform: { parseParticipant, captions: { rowContent: 'utterance' } },
    joinRequest: JOIN_REQUEST,
    idPrefix: 'm',
    emit: (event) => void emitted.push(event),
    reader: { roster, read: () => update },
  })
  reader.startEmitting()
  return {
    emitted,
    reader,
    receive(next: WireUpdate, at: number) {
      update = next
      reader.readTraffic(TRAFFIC, at)
    },
    showRow(rowId: string, speaker: string, text: string, at: number) {
      const row: PageCaptionRow = { rowId, speaker, text, isGone: false, previousRowId: '' }
      reader.readRows([row], at)
    },
    /** The transcript of everything that was emitted, in the order of the events. */
    transcript(): string[] {
      const segmenter = createSegmenter({ selfNames: [JOIN_REQUEST.displayName] })
      const captions = emitted.filter((event) => event.kind === 'caption')
      const outputs = captions.map((event, i) => segmenter.addCaption(event, i * 10))
      const { segments } = segmenter.flush(1_000_000)
      return [...outputs.flatMap((output) => output.segments), ...segments].map(
        ({ speaker, text }) => `${speaker}: ${text}`,
      )
    },
  }
}

function wireCaption(more: Partial<WireCaption>): WireCaption {
  const what = { captionId: '1', speakerId: 'd9', text: 'My last words.', version: 1 }
  return { ...what, isFinal: false, language: null, ...more }
}

function listItem(label: string, notes: string[] = []): ParticipantListItem {
  return { id: '', label, name: '', isHost: false, notes }
}

test('a caption that waits for a name is emitted once without it at the end of the session', () => {
  const { reader, receive, showRow, emitted } = createReader()
  receive({ captions: [wireCaption({ isFinal: true })] }, 1_000)
  showRow('r', '', 'My last words.', 1_200)
  reader.tick(2_000)
  assert.deepEqual(emitted, [])
  reader.flush(2_100)
  reader.flush(2_200)
  assert.deepEqual(emitted, [
    {
      kind: 'caption',
      captionId: 'm/1',
      speaker: '',
      text: 'My last words.',
      version: 1,
      isFinal: true,
      late: { startedMs: 1_100, changedMs: 1_100 },
    },
  ])
})

/**
 * The words of a speaker who is on no roster: on the wire, and 400 ms later on the page. Meanwhile Ana, who is on the
 * roster, keeps the wire busy.
 */
function speakWithoutRoster(pageName: string) {
  const roster = createWireRoster()
  roster.applyChanges([{ id: 'd1', presence: 'here', name: 'Ana' }])
  const run = createReader(roster)
  const words = 'The servers cost more than we planned last year.'.split(' ')
  const steps = words.map((_, i) => words.slice(0, i + 1).join(' '))
  const events = steps.flatMap((text, i) => {
    const isFinal = i === steps.length - 1
    const caption = wireCaption({ text, version: i + 1, isFinal })
    const other = { captionId: `a${i}`, speakerId: 'd1', text: `Note ${i}.`, isFinal: true }
    return [
      { at: i * 500, act: (at: number) => run.receive({ captions: [wireCaption(other)] }, at) },
      { at: i * 500, act: (at: number) => run.receive({ captions: [caption] }, at) },
      { at: i * 500 + 400, act: (at: number) => run.showRow('r', pageName, text, at) },
    ]
  })
  for (const { at, act } of events.toSorted((a, b) => a.at - b.at)) {
    run.reader.tick(at)
    act(at)
  }
  for (let at = 5_000; at < 12_000; at += 100) run.reader.tick(at)
  run.reader.flush(12_000)
  return run.transcript().filter((line) => !line.startsWith('Ana'))
}

test('a speaker who is missing on the roster gets the name that the page shows', () => {
  assert.deepEqual(speakWithoutRoster('Grace Hopper'), [
    'Grace Hopper: The servers cost more than we planned last year.',
  ])
})

test('the page does not repeat words that wait for the name of their speaker', () => {
  assert.deepEqual(speakWithoutRoster(''), [
    'Unknown speaker: The servers cost more than we planned last year.',
  ])
})

test('a speaker has the name whose rows show at least three of the words', () => {
  const { receive, showRow, reader, transcript } = createReader()
  receive({ captions: [wireCaption({ text: 'I agree with that.', isFinal: true })] }, 0)
  showRow('r1', 'Ana', 'I agree', 100)
  showRow('r2', 'Ben', 'I agree with that.', 150)
  receive({ captions: [wireCaption({ captionId: '2', text: 'Yes.', isFinal: true })] }, 4_000)
  showRow('r3', 'Ana', 'Yes.', 4_100)
  showRow('r4', 'Ben', 'Yes.', 4_200)
  reader.flush(4_300)
  // Only the page has Ana's words.
  assert.deepEqual(transcript().toSorted(), [
    'Ana: I agree',
    'Ana: Yes.',
    'Ben: I agree with that.',
    'Ben: Yes.',
  ])
})

test('a participant with the name of the bot is transcribed when the wire knows both', () => {
  const roster = createWireRoster()
  roster.applyChanges([
    { id: 'd1', presence: 'here', name: 'Hansard', isSelf: true },
    { id: 'd9', presence: 'here', name: 'Hansard' },
  ])
  const { receive, reader, transcript } = createReader(roster)
  receive({ hasRoster: true }, 0)
  receive({ captions: [wireCaption({ isFinal: true })] }, 100)
  const own = wireCaption({ captionId: '2', speakerId: 'd1', text: 'I am a bot.', isFinal: true })
  receive({ captions: [own] }, 200)
  reader.flush(300)
  assert.deepEqual(transcript(), ['Hansard: My last words.'])
})

test('caption rows with the name of the bot count when a participant has that name', () => {
  const texts = ['Nobody says this.', 'A namesake says this.']
  const { reader, showRow, transcript } = createReader(undefined, parseGoogleMeetParticipant)
  const say = (rowId: string, text: string | undefined, at: number) => {
    showRow(rowId, 'Hansard', text ?? '', at)
    for (let time = at; time < at + 6_000; time += 100) reader.tick(time)
  }
  reader.readParticipantList([listItem('Hansard', ['(You)'])])
  say('r1', texts[0], 0)
  reader.readParticipantList([listItem('Hansard', ['(You)']), listItem('Hansard')])
  say('r2', texts[1], 6_000)
  reader.flush(12_000)
  assert.deepEqual(transcript(), ['Hansard: A namesake says this.'])
})

test('of several list entries with the name of the bot only one is the bot', () => {
  const items = [listItem('Hansard, muted'), listItem('Ana, muted'), listItem('Hansard, muted')]
  const { reader, emitted } = createReader(undefined, parseMicrosoftTeamsParticipant)
  reader.readParticipantList(items)
  const [event] = emitted
  assert.ok(event?.kind === 'people')
  assert.deepEqual(
    event.people.map(({ name }) => name),
    ['Ana', 'Hansard'],
  )
})

test('a participant who leaves before another joins is reported first', () => {
  const roster = createWireRoster()
  roster.applyChanges([{ id: 'd1', presence: 'here', name: 'Ana' }])
  const { receive, reader, emitted } = createReader(roster)
  receive({ hasRoster: true }, 0)
  reader.tick(200)
  roster.applyChanges([{ id: 'd1', presence: 'gone' }])
  receive({ hasRoster: true }, 1_000)
  roster.applyChanges([{ id: 'd2', presence: 'here', name: 'Ben' }])
  receive({ hasRoster: true }, 1_050)
  reader.tick(1_200)
  const lists = emitted.flatMap((event) => (event.kind === 'people' ? [event.people] : []))
  assert.deepEqual(
    lists.map((people) => people.map(({ name }) => name)),
    [['Ana'], [], ['Ben']],
  )
})
