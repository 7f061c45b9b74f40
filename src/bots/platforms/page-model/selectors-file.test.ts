import { strict as assert } from 'node:assert'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { createPlatformPageModelLoader } from '../registry.ts'

const SOUND = {
  google_meet: {
    parts: { leaveButton: { strategies: [{ by: 'css', css: '#leave', seen: '2026-11' }] } },
  },
}

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-selectors-'))
  const path = join(folder, 'selectors.json')
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  let writes = 0
  return {
    tables: createPlatformPageModelLoader(path, log),
    lines,
    path,
    /** Each text gets another size, because the file times may be too coarse to show a change. */
    write(text: string) {
      writes += 1
      writeFileSync(path, text + ' '.repeat(writes))
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

async function firstWay(tables: ReturnType<typeof open>['tables']) {
  const [way] = (await tables.modelFor('google_meet')).parts['leaveButton']?.strategies ?? []
  return way?.by === 'css' ? way.css : (way?.by ?? 'none')
}

test('a selectors file overrides the built-in page model and is read again when it changes', async () => {
  using place = open()
  const { tables, lines } = place
  place.write(JSON.stringify(SOUND))
  assert.equal(await firstWay(tables), '#leave')
  assert.equal(await firstWay(tables), '#leave')
  assert.equal(lines.length, 1)
  place.write(JSON.stringify(SOUND).replace('#leave', '#out'))
  assert.equal(await firstWay(tables), '#out')
  place.write('{}')
  assert.equal(
    await tables.modelFor('google_meet').then(({ parts }) => parts),
    GOOGLE_MEET_PAGE_MODEL.parts,
  )
  assert.deepEqual(await tables.problems(), [])
})

test('a broken selectors file is logged once, and the built-in page models are used', async () => {
  using place = open()
  const { tables, lines } = place
  const strange = { ...SOUND, zoom: {} }
  const noPart = { google_meet: { parts: { nose: SOUND.google_meet.parts.leaveButton } } }
  for (const [text, says] of [
    ['{', /it is not JSON/],
    ['[]', /it is not an object/],
    ['"x"', /it is not an object/],
    [JSON.stringify(strange), /zoom: no such platform/],
    [JSON.stringify(noPart), /google_meet: parts\.nose: no such part/],
    [JSON.stringify({ microsoft_teams: { part: {} } }), /microsoft_teams: .*part/],
    [`"${'x'.repeat(1_100_000)}"`, /larger than 1 MB/],
  ] as const) {
    lines.length = 0
    place.write(text)
    assert.equal(await tables.modelFor('google_meet'), GOOGLE_MEET_PAGE_MODEL)
    assert.match((await tables.problems()).join('; '), says)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /ignored selectors file/)
  }
  rmSync(place.path)
  assert.match((await tables.problems()).join(), /cannot be read \(ENOENT\)/)
  assert.equal(await tables.modelFor('google_meet'), GOOGLE_MEET_PAGE_MODEL)
})

test('without a selectors file there are no problems and the built-in page models are used', async () => {
  const tables = createPlatformPageModelLoader(undefined, pino({ level: 'silent' }))
  assert.equal(await tables.modelFor('google_meet'), GOOGLE_MEET_PAGE_MODEL)
  assert.deepEqual(await tables.problems(), [])
})

test('the example selectors file in the documentation is valid', async () => {
  using place = open()
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/bots.md'), 'utf8')
  const [, example = ''] = /```json\n(\{\n {2}"google_meet"[\s\S]*?)```/.exec(page) ?? []
  place.write(example)
  assert.equal(await firstWay(place.tables), "button[aria-label='Leave']")
  assert.deepEqual(await place.tables.problems(), [])
})
