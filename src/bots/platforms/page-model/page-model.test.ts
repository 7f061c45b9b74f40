import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../microsoft-teams/page-model.ts'
import { decidePageState, PAGE_STATE_NAMES } from './page-states.ts'
import {
  JOIN_PHASES,
  normalizePageText,
  STATE_RULE_SCHEMA,
  type PageSnapshot,
} from './state-rules.ts'
import { applyOverrides, findPageModelProblems } from './selector-overrides.ts'
import { fillPartLanguage } from './find-strategies.ts'

const TABLES = [GOOGLE_MEET_PAGE_MODEL, MICROSOFT_TEAMS_PAGE_MODEL]

test('no rule and no part of the tables names a part that is not there', () => {
  for (const pageModel of TABLES) assert.deepEqual(findPageModelProblems(pageModel), [])
})

test('every rule of the tables is one that a file could have given', () => {
  for (const { states, conditions } of TABLES) {
    const rules = [...Object.values(states), ...Object.values(conditions)].flat()
    for (const rule of rules) assert.deepEqual(STATE_RULE_SCHEMA.parse(rule), rule)
  }
})

test('selectors are plain CSS with every bracket and quote closed', () => {
  for (const { parts } of TABLES) {
    for (const { strategies } of Object.values(parts)) {
      for (const strategy of strategies) {
        if (strategy.by !== 'css') continue
        const bare = strategy.css.replace(/"[^"]*"/g, '')
        assert.doesNotMatch(bare, /["']|text=|text\*=|has-text|>>/, strategy.css)
        for (const [open, close] of ['[]', '()']) {
          const count = (mark = '') => bare.split(mark).length
          assert.equal(count(open), count(close), strategy.css)
        }
      }
    }
  }
})

test('no part lists the same strategy twice', () => {
  for (const { parts } of TABLES) {
    for (const [name, { strategies }] of Object.entries(parts)) {
      const ways = strategies.map((way) => JSON.stringify({ ...way, seen: '' }))
      assert.equal(new Set(ways).size, ways.length, name)
    }
  }
})

test('what a file gives comes before what is built in, or instead of it', () => {
  const strategy = { by: 'css', css: 'button.new', seen: '2026-11-15' }
  const found = applyOverrides(GOOGLE_MEET_PAGE_MODEL, {
    parts: {
      joinButton: { strategies: [strategy] },
      captchaFrame: { strategies: [strategy], replaces: true },
    },
    states: { denied: [{ all: [{ by: 'words', words: 'Not today' }] }] },
  })
  assert.ok(found.isValid)
  const { joinButton, captchaFrame } = found.pageModel.parts
  assert.deepEqual(joinButton?.strategies[0], strategy)
  assert.ok((joinButton?.strategies.length ?? 0) > 1)
  assert.deepEqual(captchaFrame, { minSize: { width: 120, height: 40 }, strategies: [strategy] })
  const seen = snapshot({ words: 'Not today. Asking to be let in' })
  assert.equal(decidePageState(found.pageModel, seen).state, 'denied')
  assert.equal(decidePageState(GOOGLE_MEET_PAGE_MODEL, seen).state, 'lobby')
})

test('a file that gives nothing changes nothing', () => {
  for (const pageModel of TABLES) {
    const found = applyOverrides(pageModel, {})
    assert.ok(found.isValid)
    assert.deepEqual(found.pageModel.parts, pageModel.parts)
    for (const state of PAGE_STATE_NAMES) {
      assert.deepEqual(found.pageModel.states[state] ?? [], pageModel.states[state] ?? [])
    }
  }
})

test('everything that is wrong with a file is named', () => {
  const css = { by: 'css', css: 'x', seen: '2026-11' }
  const cases: Array<[unknown, RegExp]> = [
    [null, /the whole/],
    [{ part: {} }, /the whole.*part/],
    [{ parts: { knob: { strategies: [css] } } }, /parts\.knob: no such part/],
    [{ parts: { toString: { strategies: [css] } } }, /parts\.toString: no such part/],
    [{ parts: { joinButton: { strategies: [] } } }, /parts\.joinButton\.strategies/],
    [{ parts: { joinButton: { strategies: [{ ...css, seen: 'May' }] } } }, /seen: must be a month/],
    [{ parts: { joinButton: { strategies: [{ ...css, by: 'magic' }] } } }, /strategies\.0\.by/],
    [{ parts: { joinButton: { strategies: [{ ...css, css: 'x'.repeat(501) }] } } }, /\.css/],
    [{ states: { dancing: [{ all: [{ by: 'blank' }] }] } }, /states/],
    [{ states: { denied: [{ all: [] }] } }, /states\.denied\.0\.all/],
    [{ states: { denied: [{ all: [{ by: 'part', part: 'knob' }] }] } }, /no part named knob/],
    [{ states: { denied: [{ all: [{ by: 'wire', end: 'rain' }] }] } }, /states\.denied/],
  ]
  for (const [given, expected] of cases) {
    const found = applyOverrides(GOOGLE_MEET_PAGE_MODEL, given)
    assert.ok(!found.isValid, JSON.stringify(given))
    assert.match(found.problems.join('\n'), expected)
  }
})

test('whatever a file holds, it is taken or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('parts', 'states', 'x'), (value, key) => {
      for (const given of [value, { [key]: value }]) {
        assert.ok('isValid' in applyOverrides(MICROSOFT_TEAMS_PAGE_MODEL, given))
      }
    }),
  )
})

test('every page has a state, whatever is on it', () => {
  const anything = fc.record({
    address: fc.oneof(fc.webUrl(), fc.string()),
    phase: fc.constantFrom(...JOIN_PHASES),
    words: fc.string(),
    parts: fc.dictionary(
      fc.constantFrom(...Object.keys(GOOGLE_MEET_PAGE_MODEL.parts)),
      fc.string(),
    ),
    count: fc.option(fc.nat()),
    wireEndReason: fc.constant(null),
  })
  fc.assert(
    fc.property(anything, (seen) => {
      for (const pageModel of TABLES) {
        const { state } = decidePageState(pageModel, seen)
        assert.ok(state === 'unknown' || PAGE_STATE_NAMES.includes(state))
      }
    }),
  )
})

test('a part for a language names that language and nothing else', () => {
  const { languageItem } = GOOGLE_MEET_PAGE_MODEL.parts
  assert.ok(languageItem)
  const [found] = fillPartLanguage(languageItem, 'de-de')?.strategies ?? []
  assert.equal(found?.by === 'css' && found.css, 'li[data-value="de-DE"]')
  assert.equal(fillPartLanguage(languageItem, 'de"] , *'), null)
})

test('words are the same with other apostrophes, spaces and capitals', () => {
  assert.equal(normalizePageText('  You’ve\u00a0been\n REMOVED '), "you've been removed")
})

function snapshot(more: Partial<PageSnapshot>): PageSnapshot {
  const nothing = { words: '', parts: {}, count: null, wireEndReason: null }
  return { address: 'https://meet.google.com/abc-defg-hij', phase: 'knocking', ...nothing, ...more }
}
