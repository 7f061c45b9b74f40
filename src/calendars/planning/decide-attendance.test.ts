import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { NO_RULES, type AttendanceRules } from '../calendar.ts'
import { decideAttendance, type OccurrenceFacts } from './decide-attendance.ts'
import { UPCOMING_REASONS, type UpcomingReason } from './reasons.ts'

const NOW = new Date('2026-11-17T09:00:00Z')
const ME = 'ada@example.com'

const FACTS: OccurrenceFacts = {
  title: 'Weekly review',
  endsAt: new Date('2026-11-17T10:00:00Z'),
  isAllDay: false,
  isCancelled: false,
  hasLink: true,
  isPrivate: false,
  ownResponse: null,
  organizer: 'ben@example.com',
  attendees: [{ address: ME, response: 'accepted' }],
}

type Case = {
  facts?: Partial<OccurrenceFacts>
  rules?: Partial<AttendanceRules>
  obstacle?: UpcomingReason
  override?: 'join' | 'skip'
}

function decide({ facts, rules, obstacle, override }: Case) {
  const context = { now: NOW, address: ME, obstacle: obstacle ?? null }
  return decideAttendance(
    { ...FACTS, ...facts },
    { ...context, rules: { ...NO_RULES, ...rules } },
    override ?? null,
  )
}

const needsAction = { attendees: [{ address: ME, response: 'needs_action' as const }] }

const CASES: ReadonlyArray<[UpcomingReason, Case]> = [
  // The accent is a separate character, and the space is a non-breaking one.
  [
    'title_excluded',
    { facts: { title: 'Tr\u00e8s\u00a0prive\u0301' }, rules: { neverTitles: ['très privé'] } },
  ],
  ['will_join', {}],
  ['past', { facts: { endsAt: NOW } }],
  ['cancelled', { facts: { isCancelled: true } }],
  ['cancelled', { facts: { isCancelled: true }, override: 'join' }],
  ['no_link', { facts: { hasLink: false }, override: 'join' }],
  ['skipped_by_person', { override: 'skip' }],
  ['paused', { obstacle: 'paused' }],
  ['paused', { obstacle: 'paused', override: 'join' }],
  ['no_access', { obstacle: 'no_access' }],
  ['token_revoked', { obstacle: 'token_revoked' }],
  ['account_missing', { obstacle: 'account_missing' }],
  ['callback_blocked', { obstacle: 'callback_blocked' }],
  ['all_day', { facts: { isAllDay: true } }],
  ['will_join', { facts: { isAllDay: true }, override: 'join' }],
  ['private', { facts: { isPrivate: true }, rules: { neverPrivate: true } }],
  ['will_join', { facts: { isPrivate: true } }],
  ['declined', { facts: { attendees: [], ownResponse: 'declined' } }],
  ['will_join', { facts: { ownResponse: 'organizer' }, rules: { onlyOrganised: true } }],
  [
    'not_organised',
    { facts: { organizer: ME, ownResponse: 'accepted' }, rules: { onlyOrganised: true } },
  ],
  ['declined', { facts: { attendees: [{ address: ME, response: 'declined' }] } }],
  ['will_join', { facts: needsAction }],
  ['not_accepted', { facts: needsAction, rules: { onlyAccepted: true } }],
  ['not_accepted', { facts: { attendees: [] }, rules: { onlyAccepted: true } }],
  ['will_join', { facts: { organizer: ME, attendees: [] }, rules: { onlyAccepted: true } }],
  ['not_organised', { rules: { onlyOrganised: true } }],
  ['will_join', { facts: { organizer: ME }, rules: { onlyOrganised: true } }],
  ['will_join', { facts: { organizer: null }, rules: { onlyOrganised: true } }],
  ['not_invited', { rules: { onlyInvited: 'notes@example.com' } }],
  ['will_join', { rules: { onlyInvited: 'ben@example.com' } }],
  ['will_join', { rules: { onlyInvited: ME } }],
  ['title_excluded', { rules: { neverTitles: ['lunch', 'REVIEW'] } }],
  ['title_excluded', { rules: { neverTitles: ['weekly'], onlyTitles: ['weekly'] } }],
  ['title_not_matching', { rules: { onlyTitles: ['planning'] } }],
  ['will_join', { rules: { onlyTitles: ['planning', 'weekly'] } }],
  ['will_join', { rules: { onlyTitles: ['planning'] }, override: 'join' }],
  // A text is not a pattern.
  ['title_not_matching', { rules: { onlyTitles: ['.*'] } }],
]

for (const [reason, given] of CASES) {
  test(`${JSON.stringify(given)} is decided as ${reason}`, () => {
    const decision = reason === 'will_join' ? 'join' : 'skip'
    assert.deepEqual(decide(given), { decision, reason })
  })
}

test('every reason has a case, except for those that depend on bots and other occurrences', () => {
  const tested = new Set(CASES.map(([reason]) => reason))
  assert.deepEqual(
    UPCOMING_REASONS.filter((reason) => !tested.has(reason)),
    ['no_bot_free', 'missed', 'bot_left', 'same_room'],
  )
})
