import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { TrafficMessage } from '../bridge/messages.ts'
import type { PlatformEvent, JoinRequest } from '../platform.ts'
import { createWireRoster } from '../wire/wire-roster.ts'
import type { WireUpdate } from '../wire/wire-reader.ts'
import { createCaptionAndRosterReader } from './caption-reader.ts'

const JOIN_REQUEST: JoinRequest = {
  link: { url: 'https://meet.example/a', room: 'a', label: 'A' },
  displayName: 'Hansard',
  language: null,
  account: null,
  elapsedMs: 0,
}

const TRAFFIC: TrafficMessage = { via: 'channel', name: 'captions', data: '' }

test('a caption that waits for a name is emitted once without it at the end of the session', () => {
  const roster = createWireRoster()
  const emitted: PlatformEvent[] = []
  const caption = { captionId: '1', speakerId: 'd9', text: 'My last words.', version: 1 }
  const update: WireUpdate = { captions: [{ ...caption, isFinal: true, language: null }] }
  const captionReader = createCaptionAndRosterReader({
    platform: { parseParticipant: () => null },
    joinRequest: JOIN_REQUEST,
    idPrefix: 'm',
    emit: (event) => void emitted.push(event),
    reader: { roster, read: () => update },
  })
  captionReader.startEmitting()
  captionReader.readTraffic(TRAFFIC, 1_000)
  captionReader.readRows(
    [{ rowId: 'r', speaker: 'Ana', text: 'My last words.', isGone: false }],
    1_200,
  )
  captionReader.tick(2_000)
  assert.deepEqual(emitted, [])
  captionReader.flush(2_100)
  captionReader.flush(2_200)
  const { text, version } = caption
  assert.deepEqual(emitted, [
    { kind: 'caption', captionId: 'm/1', speaker: '', text, version, isFinal: true },
  ])
})
