import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  matchesEndedMeeting,
  matchesSavedDocument,
  type EndedMeetingFacts,
  type TaskTrigger,
} from './task-trigger.ts'

const MEETING: EndedMeetingFacts = {
  project: 'sales',
  platform: 'practice',
  status: 'ended',
  title: 'Weekly planning',
  words: 120,
  minutes: 10,
}

const MEETING_CASES: Array<[conditions: object, isMatch: boolean]> = [
  [{}, true],
  [{ projects: ['api', 'sales'] }, true],
  [{ projects: ['api'] }, false],
  [{ projects: [] }, false],
  [{ platforms: ['practice'] }, true],
  [{ platforms: ['google_meet'] }, false],
  [{ titlePattern: 'planning' }, true],
  [{ titlePattern: 'planning*' }, false],
  [{ minWords: 120, minMinutes: 10 }, true],
  [{ minWords: 121 }, false],
  [{ minMinutes: 11 }, false],
  [{ statuses: ['error'] }, false],
  [{ statuses: ['ended', 'error'] }, true],
]

test('a meeting starts a task when all conditions of its trigger hold', () => {
  for (const [conditions, isMatch] of MEETING_CASES) {
    const trigger = { on: 'meeting_ended', ...conditions } as TaskTrigger
    assert.equal(matchesEndedMeeting(trigger, MEETING), isMatch, JSON.stringify(conditions))
  }
  assert.equal(matchesEndedMeeting({ on: 'document_saved' }, MEETING), false)
})

test('a failed meeting starts only tasks that name the status', () => {
  const failed = { ...MEETING, status: 'error' as const }
  assert.equal(matchesEndedMeeting({ on: 'meeting_ended' }, failed), false)
  assert.equal(matchesEndedMeeting({ on: 'meeting_ended', statuses: ['error'] }, failed), true)
})

test('a saved document starts a task when its project and path match', () => {
  const document = { project: 'api', path: 'contracts/Acme.md' }
  const cases: Array<[conditions: object, isMatch: boolean]> = [
    [{}, true],
    [{ pathPattern: 'contracts/*.md' }, true],
    [{ pathPattern: 'acme' }, true],
    [{ pathPattern: 'notes/*' }, false],
    [{ projects: ['sales'] }, false],
  ]
  for (const [conditions, isMatch] of cases) {
    const trigger = { on: 'document_saved', ...conditions } as TaskTrigger
    assert.equal(matchesSavedDocument(trigger, document), isMatch, JSON.stringify(conditions))
  }
  assert.equal(matchesSavedDocument({ on: 'meeting_ended' }, document), false)
})
