import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PAGE_STATES } from '../src/bots/platforms/page-model/page-states.ts'
import { CALL_END_REASONS } from '../src/bots/platforms/platform.ts'
import { END_REASON_FAILURE_FLAGS, MEETING_STATUSES } from '../src/meetings/status.ts'
import { DOOR_SCREENS, OPENING_SCREENS } from '../stage/meeting/knobs.ts'
import { PROMPTS, SCREENS } from '../stage/meeting/page-protocol.ts'
import { endReasonCases } from './platforms/cases/end-reasons.ts'
import { MEET, TEAMS } from './platforms/profiles.ts'

const root = join(import.meta.dirname, '..')
const readSource = (file: string) => readFileSync(join(root, file), 'utf8')

/** The platforms of the column "Where", with the files that only test one platform. */
const PLATFORMS = [
  {
    profile: MEET,
    files: '{test,src/bots}/platforms/{google-meet-*,google-meet/page-model}.test.ts',
  },
  {
    profile: TEAMS,
    files: '{test,src/bots}/platforms/{microsoft-teams-*,microsoft-teams/page-model}.test.ts',
  },
]
/** Cases that every platform has, or one of them if all platforms run the same code. */
const CASES = 'test/platforms/cases/*.ts'
/** Test files that are not about a single platform. */
const COMMON_FILES = [
  'src/bots/platforms/page-model/stage-screens.test.ts',
  'src/bots/platforms/page-session/attend-page.test.ts',
  'src/bots/platforms/page-session/in-call/use-chat.test.ts',
  'src/meetings/attending/bot/leave-rules.test.ts',
  'test/meetings/empty-meeting.test.ts',
]

const ROWS = readSource('docs/platform-states.md')
  .split('\n')
  .filter((line) => /^\| (?!Scene)/.test(line))
  .map((line) => {
    const [scene = '', where = '', state = '', , status = '', reason = '', title = ''] = line
      .slice(2, -2)
      .split(' | ')
    return { line, scene, where, title, ...withoutQuotes({ state, status, reason }) }
  })

function withoutQuotes<Cells extends Record<string, string>>(cells: Cells): Cells {
  const plain = Object.entries(cells).map(([name, text]) => [name, text.replaceAll('`', '')])
  return Object.fromEntries(plain) as Cells
}

/** True if a row is about this scene of the stage on this platform. */
function hasRow(scene: string, platform: string): boolean {
  return ROWS.some(
    (row) => [platform, 'both'].includes(row.where) && row.scene.includes(`\`${scene}\``),
  )
}

test('docs/platform-states.md has every screen, opening, door and prompt of the stage for both platforms', () => {
  const scenes = [
    ...SCREENS,
    ...PROMPTS,
    ...OPENING_SCREENS.map((screen) => `opening: ${screen}`),
    ...DOOR_SCREENS.map((screen) => `door: ${screen}`),
  ]
  const missing = PLATFORMS.flatMap(({ profile: { title } }) =>
    scenes.filter((scene) => !hasRow(scene, title)).map((scene) => `${title}: ${scene}`),
  )
  assert.deepEqual(missing, [])
})

test('statuses, reasons and page states in docs/platform-states.md agree with the code', () => {
  const flags: Record<string, { isFailure: boolean }> = END_REASON_FAILURE_FLAGS
  const states: Record<string, { because: string | null }> = PAGE_STATES
  for (const { line, state, status, reason } of ROWS) {
    const isFailure = flags[reason]?.isFailure
    if (reason === '–')
      assert.ok(
        MEETING_STATUSES.some((name) => name === status),
        line,
      )
    else
      assert.equal(status, isFailure === undefined ? reason : isFailure ? 'error' : 'ended', line)
    assert.ok(['–', 'unknown'].includes(state) || states[state] !== undefined, line)
    const because = states[state]?.because ?? null
    if (because !== null && reason !== 'nobody_joined') assert.equal(reason, because, line)
  }
  const missing = (names: string[], listed: string[]) =>
    names.filter((name) => !listed.includes(name))
  const listedReasons = ROWS.map(({ reason }) => reason)
  const listedStates = ROWS.map(({ state }) => state)
  assert.deepEqual(missing(Object.keys(CALL_END_REASONS), listedReasons), [])
  assert.deepEqual(missing(Object.keys(PAGE_STATES), listedStates), [])
})

/** The titles in test files, as patterns. A placeholder of a template matches any text. */
function readTitles(files: readonly string[]): RegExp[] {
  return files.flatMap((file) =>
    [...readSource(file).matchAll(/(['`])((?:(?!\1)[^\n]){20,})\1/g)].map(
      ([, , text = '']) =>
        new RegExp(
          `^${text
            .split(/\$\{[^}]*\}/)
            .map(RegExp.escape)
            .join('.+')}$`,
        ),
    ),
  )
}

test('every row of docs/platform-states.md names an existing test case, and every end reason case has a row', () => {
  for (const { profile, files } of PLATFORMS) {
    const endTitles = endReasonCases(profile).map(([title]) => title)
    const patterns = readTitles([...COMMON_FILES, ...globSync([CASES, files], { cwd: root })])
    const rows = ROWS.filter(({ where }) => [profile.title, 'both'].includes(where))
    for (const { line, title, reason } of rows) {
      assert.ok(
        patterns.some((pattern) => pattern.test(title)),
        line,
      )
      const [, named = reason] = /\bends? (?:the visit )?with (\w+)/.exec(title) ?? []
      assert.equal(reason, named, line)
    }
    const shown = new Set(rows.map(({ title }) => title))
    assert.deepEqual(
      endTitles.filter((title) => !shown.has(title)),
      [],
      profile.title,
    )
  }
})
