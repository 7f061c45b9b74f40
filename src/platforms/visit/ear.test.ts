import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Heard } from '../bridge/messages.ts'
import type { Sighting, Visit } from '../platform.ts'
import { createWirePeople } from '../wire/people.ts'
import type { WireNews } from './page-platform.ts'
import { createEar } from './ear.ts'

const VISIT: Visit = {
  address: { url: 'https://meet.example/a', room: 'a', label: 'A' },
  displayName: 'Hansard',
  language: null,
  account: null,
  elapsedMs: 0,
}

const HEARD: Heard = { via: 'channel', name: 'captions', data: '' }

test('a caption that waits for a name is told without one when the visit is over, and once', () => {
  const people = createWirePeople()
  const told: Sighting[] = []
  const caption = { captionId: '1', speakerId: 'd9', text: 'My last words.', version: 1 }
  const news: WireNews = { captions: [{ ...caption, isFinal: true, language: null }] }
  const ear = createEar({
    platform: { person: () => null },
    visit: VISIT,
    mark: 'm',
    emit: (sighting) => void told.push(sighting),
    reader: { people, hear: () => news },
  })
  ear.open()
  ear.hear(HEARD, 1_000)
  ear.rows([{ rowId: 'r', speaker: 'Ana', text: 'My last words.', isGone: false }], 1_200)
  ear.tick(2_000)
  assert.deepEqual(told, [])
  ear.flush(2_100)
  ear.flush(2_200)
  const { text, version } = caption
  assert.deepEqual(told, [
    { seen: 'caption', captionId: 'm/1', speaker: '', text, version, isFinal: true },
  ])
})
