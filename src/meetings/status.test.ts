import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  ACTIVE_STATUSES,
  isFinal,
  MEETING_STATUS,
  MEETING_STATUSES,
  END_REASONS,
  statusesBefore,
  type MeetingStatus,
} from './status.ts'

test('every row of the status table names real rows', () => {
  for (const { next } of Object.values(MEETING_STATUS)) {
    for (const status of next) assert.ok(MEETING_STATUSES.includes(status))
  }
})

test('every active status can reach a final one, and none comes back from it', () => {
  for (const start of ACTIVE_STATUSES) {
    const reached = new Set<MeetingStatus>([start])
    for (const status of reached) for (const next of MEETING_STATUS[status].next) reached.add(next)
    assert.ok([...reached].some(isFinal), start)
  }
  assert.deepEqual(MEETING_STATUSES.filter(isFinal), ['ended', 'error'])
})

test('a stop is possible from every status in which the bot is on its way or in the meeting', () => {
  assert.deepEqual(statusesBefore('stopping'), ['joining', 'lobby', 'live'])
  assert.deepEqual(statusesBefore('ended'), ['leaving'])
})

test('the reasons of the interface are these', () => {
  assert.deepEqual(END_REASONS.toSorted(), [
    'at_capacity',
    'blocked_by_platform',
    'browser_crashed',
    'captcha',
    'captions_unavailable',
    'denied',
    'everyone_left',
    'host_ended',
    'internal',
    'lobby_timeout',
    'max_duration',
    'meeting_not_found',
    'meeting_not_started',
    'no_answer',
    'nobody_joined',
    'page_not_loaded',
    'removed',
    'service_restarted',
    'sign_in_required',
    'silence',
    'stopped',
  ])
})
