import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../microsoft-teams/page-model.ts'
import { fillLanguagePlaceholder } from './find-strategies.ts'
import { decidePageState, PAGE_STATE_NAMES } from './page-states.ts'
import { prependOperatorSelectors, findPageModelProblems } from './selectors-file.ts'
import {
  JOIN_PHASES,
  normalizePageText,
  MATCHER_RULE_SCHEMA,
  type PageSnapshot,
} from './state-rules.ts'

const TABLES = [GOOGLE_MEET_PAGE_MODEL, MICROSOFT_TEAMS_PAGE_MODEL]

test('rules and parts of the page models refer only to existing parts', () => {
  for (const pageModel of TABLES) assert.deepEqual(findPageModelProblems(pageModel), [])
})

test('every built-in rule is valid in a selectors file', () => {
  for (const { states, conditions } of TABLES) {
    const rules = [...Object.values(states), ...Object.values(conditions)].flat()
    for (const rule of rules) assert.deepEqual(MATCHER_RULE_SCHEMA.parse(rule), rule)
  }
})

test('selectors are plain CSS with balanced brackets and quotes', () => {
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

test('strategies of a selectors file come before the built-in ones or replace them', () => {
  const strategy = { by: 'css', css: 'button.new', seen: '2026-11-15' }
  const found = prependOperatorSelectors(GOOGLE_MEET_PAGE_MODEL, {
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

test('an empty selectors file changes nothing', () => {
  for (const pageModel of TABLES) {
    const found = prependOperatorSelectors(pageModel, {})
    assert.ok(found.isValid)
    assert.deepEqual(found.pageModel.parts, pageModel.parts)
    for (const state of PAGE_STATE_NAMES) {
      assert.deepEqual(found.pageModel.states[state] ?? [], pageModel.states[state] ?? [])
    }
  }
})

test('every problem of a selectors file is reported', () => {
  const css = { by: 'css', css: 'x', seen: '2026-11' }
  const cases: Array<[unknown, RegExp]> = [
    [null, /the file/],
    [{ part: {} }, /the file.*part/],
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
    const found = prependOperatorSelectors(GOOGLE_MEET_PAGE_MODEL, given)
    assert.ok(!found.isValid, JSON.stringify(given))
    assert.match(found.problems.join('\n'), expected)
  }
})

test('any content of a selectors file is either applied or rejected', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('parts', 'states', 'x'), (value, key) => {
      for (const given of [value, { [key]: value }]) {
        assert.ok('isValid' in prependOperatorSelectors(MICROSOFT_TEAMS_PAGE_MODEL, given))
      }
    }),
  )
})

test('any page content gives a state', () => {
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

test('filling in a language changes only the placeholder of a selector', () => {
  const { languageItem } = GOOGLE_MEET_PAGE_MODEL.parts
  assert.ok(languageItem)
  const [found] = fillLanguagePlaceholder(languageItem, 'de-de')?.strategies ?? []
  assert.equal(found?.by === 'css' && found.css, 'li[data-value="de-DE"]')
  assert.equal(fillLanguagePlaceholder(languageItem, 'de"] , *'), null)
})

test('text matching ignores the kind of apostrophe, white space and case', () => {
  assert.equal(normalizePageText('  You’ve\u00a0been\n REMOVED '), "you've been removed")
})

function snapshot(more: Partial<PageSnapshot>): PageSnapshot {
  const nothing = { words: '', parts: {}, count: null, wireEndReason: null }
  return { address: 'https://meet.google.com/abc-defg-hij', phase: 'knocking', ...nothing, ...more }
}
