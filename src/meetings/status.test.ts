import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  ACTIVE_STATUSES,
  isFinalStatus,
  OPEN_STATUSES,
  isRecording,
  MEETING_STATUS_RULES,
  MEETING_STATUSES,
  END_REASONS,
  listStatusesThatCanChangeTo,
  type MeetingStatus,
} from './status.ts'

test('every next status in the status table exists', () => {
  for (const { next } of Object.values(MEETING_STATUS_RULES)) {
    for (const status of next) assert.ok(MEETING_STATUSES.includes(status))
  }
})

test('every open status can reach a final status, and only ended and error are final', () => {
  for (const start of OPEN_STATUSES) {
    const reached = new Set<MeetingStatus>([start])
    for (const status of reached)
      for (const next of MEETING_STATUS_RULES[status].next) reached.add(next)
    assert.ok([...reached].some(isFinalStatus), start)
  }
  assert.deepEqual(MEETING_STATUSES.filter(isFinalStatus), ['ended', 'error'])
})

test('a scheduled meeting and one without a bot are open but not active', () => {
  assert.deepEqual(
    OPEN_STATUSES.filter((status) => !ACTIVE_STATUSES.some((active) => active === status)),
    ['scheduled', 'awaiting_transcript'],
  )
  assert.deepEqual(listStatusesThatCanChangeTo('joining'), ['scheduled'])
  assert.equal(MEETING_STATUS_RULES.scheduled.announced, false)
})

test('a meeting can be stopped while it is joining, in the lobby or live', () => {
  assert.deepEqual(listStatusesThatCanChangeTo('stopping'), ['joining', 'lobby', 'live'])
  assert.deepEqual(listStatusesThatCanChangeTo('ended'), [
    'scheduled',
    'awaiting_transcript',
    'leaving',
  ])
})

test('the end reasons of the API are unchanged', () => {
  assert.deepEqual(END_REASONS.toSorted(), [
    'app_not_installed',
    'asked_to_leave',
    'at_capacity',
    'blocked_by_platform',
    'browser_crashed',
    'captcha',
    'captions_unavailable',
    'credentials_rejected',
    'denied',
    'everyone_left',
    'host_did_not_start',
    'host_ended',
    'internal',
    'lobby_timeout',
    'max_duration',
    'meeting_not_found',
    'meeting_not_started',
    'missed',
    'no_answer',
    'no_connection',
    'nobody_joined',
    'not_allowed',
    'page_not_loaded',
    'removed',
    'service_restarted',
    'sign_in_required',
    'silence',
    'stopped',
    'stream_ended_by_host',
    'stream_failed',
    'stream_not_allowed',
    'stream_revoked',
    'transcript_expired',
    'transcript_no_licence',
    'transcript_not_allowed',
    'transcript_not_ready',
    'transcription_off',
  ])
})

test('a meeting is recorded while it is live and until its bot has left after a stop', () => {
  const liveAt = new Date(0)
  const rows = [
    [true, { status: 'live', reason: null, liveAt }],
    [true, { status: 'stopping', reason: 'stopped', liveAt }],
    [false, { status: 'stopping', reason: 'stopped', liveAt: null }],
    [false, { status: 'stopping', reason: 'captions_unavailable', liveAt }],
    [false, { status: 'live', reason: 'captions_unavailable', liveAt }],
    [false, { status: 'leaving', reason: 'host_ended', liveAt }],
    [false, { status: 'lobby', reason: null, liveAt: null }],
  ] as const
  for (const [expected, meeting] of rows)
    assert.equal(isRecording(meeting), expected, JSON.stringify(meeting))
})
