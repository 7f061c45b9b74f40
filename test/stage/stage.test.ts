import { strict as assert } from 'node:assert'
import { X509Certificate } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readScript } from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { buildTimeline } from '../../src/bots/platforms/practice/timeline.ts'
import { paceCaptions, roughenEnd } from '../../stage/meeting/captions/caption-pacing.ts'
import { createTurnRows, type CaptionState } from '../../stage/meeting/captions/caption-rows.ts'
import { createParticipant } from '../../stage/meeting/connected-page.ts'
import { KNOB_NAMES, readKnobs } from '../../stage/meeting/knobs.ts'
import { PROMPTS, SCREENS } from '../../stage/meeting/page-protocol.ts'
import { createStagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { listRehearsals, parseRehearsal, readRehearsal } from '../../stage/rehearsals/rehearsal.ts'
import { createCertificate } from '../../stage/server/certificate.ts'
import { ALL_HOSTS, browserArguments, hostRoleOf } from '../../stage/server/hosts.ts'
import { openStage } from '../../stage/stage.ts'
import { fixPropertySeed } from '../support/property-seed.ts'

fixPropertySeed()

const STAGE = join(import.meta.dirname, '../../stage')
const ana = createParticipant({ id: 'ana', name: 'Ana Ribeiro' }, 1)
const ben = createParticipant({ id: 'ben', name: 'Ben Carter' }, 2)

function speech(
  captionId: string,
  speaker: CaptionState['speaker'],
  text: string,
  isTwin = false,
): CaptionState {
  return { captionId, speaker, text, isFinal: false, isGone: false, isTwin }
}

test('the stage certificate is self-signed and valid for every host', () => {
  const { cert } = createCertificate(ALL_HOSTS)
  const read = new X509Certificate(cert)
  assert.ok(read.verify(read.publicKey))
  for (const host of ALL_HOSTS) assert.equal(read.checkHost(host), host)
  assert.ok(Date.parse(read.validFrom) < Date.now() && Date.now() < Date.parse(read.validTo))
})

test('two stages never share a key', () => {
  const [first, second] = [createCertificate(['a.test']), createCertificate(['a.test'])]
  assert.notEqual(first.fingerprint, second.fingerprint)
})

test('the browser arguments resolve only the hosts of the stage', () => {
  const [rules = ''] = browserArguments(4_433, 'hash')
  for (const host of ALL_HOSTS) assert.ok(rules.includes(`MAP ${host} 127.0.0.1:4433`), host)
  assert.match(rules, /MAP \* ~NOTFOUND/)
  assert.equal(hostRoleOf('meet.google.com:443'), 'google-meet')
  assert.equal(hostRoleOf('example.com'), undefined)
})

test('a turn continues with the same speaker, and another speaker opens a new row', () => {
  const rows = createTurnRows({ restartAfterMs: null, restartAfterCharacters: null })
  const shown = [
    speech('c1', ana, 'One.'),
    speech('c2', ana, 'Two.'),
    speech('c3', ben, 'Yes.'),
    speech('c2', ana, 'Two and a half.'),
    speech('c4', ana, 'Three.'),
  ].map((said) => rows.apply(said, 0))
  assert.deepEqual(
    shown.map(({ rowId, text }) => [rowId, text]),
    [
      ['c1', 'One.'],
      ['c1', 'One. Two.'],
      ['c3', 'Yes.'],
      ['c1', 'One. Two and a half.'],
      ['c4', 'Three.'],
    ],
  )
})

test('a turn that lasts too long or becomes too long drops its text', () => {
  for (const limits of [
    { restartAfterMs: 5_000, restartAfterCharacters: null },
    { restartAfterMs: null, restartAfterCharacters: 10 },
  ]) {
    const rows = createTurnRows(limits)
    rows.apply(speech('c1', ana, 'That was long ago.'), 0)
    assert.equal(rows.apply(speech('c2', ana, 'Now.'), 6_000).text, 'Now.')
  }
})

test('a twin has a separate row and does not end a turn', () => {
  const rows = createTurnRows({ restartAfterMs: null, restartAfterCharacters: null })
  rows.apply(speech('c1', ana, 'One.'), 0)
  assert.equal(rows.apply(speech('twin', ana, 'One.', true), 0).rowId, 'twin')
  assert.equal(rows.apply(speech('c2', ana, 'Two.'), 0).rowId, 'c1')
})

test('changing the pace of a script keeps its entries', () => {
  const moments = buildTimeline(readScript('host-ends'))
  const slow = paceCaptions(moments, 700)
  assert.equal(slow.length, moments.length)
  const captions = slow.filter(({ event }) => event.kind === 'caption')
  assert.equal((captions[1]?.atMs ?? 0) - (captions[0]?.atMs ?? 0), 700)
  assert.deepEqual(paceCaptions(moments, 330), moments)
})

test('a rough end changes no more characters than its depth', () => {
  assert.equal(roughenEnd('Hello, Everybody.', 0), 'Hello, Everybody.')
  assert.equal(roughenEnd('Hello, Everybody.', 11), 'Hello, everybody.')
  fc.assert(
    fc.property(fc.string(), fc.nat({ max: 200 }), (text, depth) => {
      const kept = text.slice(0, Math.max(0, text.length - depth))
      assert.ok(roughenEnd(text, depth).startsWith(kept))
    }),
  )
})

test('every rehearsal can be opened at its address', async () => {
  const names = listRehearsals()
  assert.equal(names.length, globSync('scripts/**/*.json', { cwd: STAGE }).length)
  assert.ok(names.length >= 10)
  await using stage = await openStage()
  for (const name of names) stage.perform(await readRehearsal(name))
})

test('a rehearsal with a mistake is rejected with the mistake', async () => {
  const good = { about: 'x', address: 'https://meet.google.com/abc-defg-hij', script: 'standup' }
  assert.throws(() => parseRehearsal({ ...good, knobs: { sped: 3 } }), /sped/)
  assert.throws(() => parseRehearsal({ ...good, script: 'nothing' }), /script/)
  const cues = [{ at: 1, do: 'chat', speaker: 'nobody', text: 'x' }]
  assert.throws(() => parseRehearsal({ ...good, cues }), /not in the script/)
  await assert.rejects(readRehearsal('../package'), /no rehearsal named/)
})

test('the stage imports only addresses and practice scripts from the service', () => {
  const foreign = globSync('**/*.ts', { cwd: STAGE })
    .flatMap((file) => [
      ...readFileSync(join(STAGE, file), 'utf8').matchAll(/from '(?:\.\.\/)+src\/([^']+)'/g),
    ])
    .map(([, path]) => path ?? '')
    .filter(
      (path) =>
        !/^(?:lib\/|bots\/platforms\/(?:practice\/|platform\.ts|[a-z-]+\/meeting-link\.ts))/.test(
          path,
        ),
    )
  assert.deepEqual(foreign, [])
})

const readme = readFileSync(join(STAGE, 'README.md'), 'utf8')

/** The names between backquotes in the first table cells of a README section, without arguments. */
function listTableNames(heading: string): string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w-]+)[^`]*`/g)].map(([, name = '']) => name),
  )
}

test('every call in the stage README is a method of a staged meeting', () => {
  const meeting = createStagedMeeting({
    platform: 'google-meet',
    room: 'abc-defg-hij',
    title: '',
    callId: 'call',
    cast: [],
    knobs: readKnobs(),
    isScripted: false,
  })
  meeting.close()
  const sample = [...readme.matchAll(/\bmeeting\.(\w+)\(/g)].map(([, name = '']) => name)
  const named = [...listTableNames('Controlling a meeting'), ...sample]
  assert.ok(named.length > 15)
  const methods: Record<string, unknown> = meeting
  assert.deepEqual(
    named.filter((name) => typeof methods[name] !== 'function'),
    [],
  )
})

test('the stage README and the pages have every screen and every prompt', () => {
  const named = listTableNames('Screens')
  assert.deepEqual(named.toSorted(), [...SCREENS, ...PROMPTS].toSorted())
  const source = readFileSync(join(STAGE, 'pages/common/prompts.js'), 'utf8')
  const [, table = ''] = /^const PROMPTS = \{\n([^]*?)^\}/m.exec(source) ?? []
  const shown = [...table.matchAll(/^ {2}'?([\w-]+)'?: \{/gm)].map(([, name = '']) => name)
  assert.deepEqual(shown, PROMPTS)
})

test('the buttons by which people join and leave have other texts in every other language', async () => {
  for (const [platform, names] of [
    ['google-meet', ['askToJoin', 'joinNow', 'leave', 'captionsOn', 'chat', 'controls']],
    ['microsoft-teams', ['joinNow', 'leave', 'joinOnWeb']],
  ] as const) {
    const module = (await import(`../../stage/pages/${platform}/texts.js`)) as StageTexts
    const english = module.textsOf('en')
    for (const locale of ['de', 'fr', 'it', 'hu', 'ja'])
      for (const name of names) {
        assert.ok(english[name], name)
        assert.notEqual(
          module.textsOf(locale)[name],
          english[name],
          `${platform} ${locale} ${name}`,
        )
      }
  }
})

type StageTexts = { textsOf: (locale: string) => Record<string, string> }

test('the stage README lists every knob', () => {
  const missing = KNOB_NAMES.filter((name) => !readme.includes(`\`${name}\``))
  assert.deepEqual(missing, [])
  assert.equal(readKnobs().speed, 1)
})
