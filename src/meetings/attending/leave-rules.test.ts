import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findDueLeave, nextLeaveAt, type AttendanceState } from './leave-rules.ts'

const RULES = {
  lobbyTimeout: 900,
  hostTimeout: 600,
  nobodyJoined: 1_200,
  everyoneLeft: 60,
  silence: null,
  maxDuration: 14_400,
}
const START = 1_000_000

function presenceWith(change: Partial<AttendanceState>): AttendanceState {
  return {
    meetingStartedAt: START,
    botStartedAt: START,
    joinPageSeenAt: null,
    waitingForHostSince: null,
    lobbySince: null,
    liveSince: null,
    emptySince: null,
    hasHadHumanParticipants: false,
    hasHadHumanSpeech: false,
    lastCaptionAt: null,
    ...change,
  }
}

/** Just before its time nothing happens, and then this. */
function assertLeaves(
  presence: AttendanceState,
  atSeconds: number,
  reason: string,
  says: RegExp,
): void {
  const at = START + atSeconds * 1000
  assert.equal(nextLeaveAt(presence, RULES), at)
  assert.equal(findDueLeave(presence, RULES, at - 1), null)
  const leave = findDueLeave(presence, RULES, at)
  assert.equal(leave?.reason, reason)
  assert.match(leave.detail, says)
}

test('a page that does not become a meeting within two minutes is page_not_loaded', () => {
  assertLeaves(presenceWith({}), 120, 'page_not_loaded', /120 s/)
})

test('the two minutes of a page are those of this visit, not of the first', () => {
  const later = presenceWith({ botStartedAt: START + 60_000 })
  assertLeaves(later, 180, 'page_not_loaded', /120 s/)
})

test('a page that turned out to be a door is loaded', () => {
  const atTheDoor = presenceWith({ joinPageSeenAt: START + 5_000 })
  assert.equal(findDueLeave(atTheDoor, RULES, START + 121_000), null)
  assert.equal(nextLeaveAt(atTheDoor, RULES), START + RULES.maxDuration * 1000)
})

test('a meeting that nobody begins is meeting_not_started', () => {
  const since = START + 10_000
  const waiting = presenceWith({ joinPageSeenAt: since, waitingForHostSince: since })
  assertLeaves(waiting, 610, 'meeting_not_started', /600 s/)
})

test('once the bot is in the lobby or inside, the meeting has started', () => {
  const since = START + 10_000
  const inLobby = presenceWith({
    joinPageSeenAt: since,
    waitingForHostSince: since,
    lobbySince: since,
  })
  assertLeaves(inLobby, 910, 'lobby_timeout', /900 s/)
  const inside = presenceWith({ ...inLobby, liveSince: since, emptySince: since })
  assertLeaves(inside, 1_210, 'nobody_joined', /1200 s/)
})

test('a room is empty when nobody is in the roster and nobody was heard', () => {
  const empty = presenceWith({
    joinPageSeenAt: START,
    liveSince: START,
    hasHadHumanParticipants: true,
    emptySince: START + 100_000,
    lastCaptionAt: START + 130_000,
  })
  assertLeaves(empty, 190, 'everyone_left', /60 s/)
  assert.equal(findDueLeave({ ...empty, emptySince: null }, RULES, START + 190_000), null)
})

test('who is heard has joined, whatever the roster says, and a pause of theirs is no empty room', () => {
  const heard = presenceWith({
    joinPageSeenAt: START,
    liveSince: START,
    emptySince: START,
    hasHadHumanSpeech: true,
    lastCaptionAt: START + 1_199_000,
  })
  assertLeaves(heard, 2_399, 'everyone_left', /1200 s/)
  const impatient = { ...RULES, nobodyJoined: 3 }
  assert.equal(nextLeaveAt(heard, impatient), START + 1_259_000)
  const seen = { ...heard, hasHadHumanParticipants: true }
  assertLeaves(seen, 1_259, 'everyone_left', / 60 s/)
})
