import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLeaveCheck, type AttendanceState } from './leave-rules.ts'

const RULES = {
  lobbyTimeout: 900,
  hostTimeout: 600,
  nobodyJoined: 1_200,
  everyoneLeft: 60,
  silence: null,
  maxDuration: 14_400,
}
const START = 1_000_000
const CHECK = createLeaveCheck(RULES, { speed: 1, joinTimeout: 120 })

function attendanceWith(change: Partial<AttendanceState>): AttendanceState {
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

/** The bot stays until `atSeconds` after the start and then leaves with this reason. */
function assertLeaves(
  attendance: AttendanceState,
  atSeconds: number,
  reason: string,
  detail: RegExp,
): void {
  const at = START + atSeconds * 1000
  assert.equal(CHECK.nextTime(attendance), at)
  assert.equal(CHECK.findDue(attendance, at - 1, false), null)
  const leave = CHECK.findDue(attendance, at, false)
  assert.equal(leave?.reason, reason)
  assert.match(leave.detail, detail)
}

test('the bot leaves with page_not_loaded when no join page appears within two minutes', () => {
  assertLeaves(attendanceWith({}), 120, 'page_not_loaded', /120 s/)
})

test('the join page timeout is a setting of the instance', () => {
  const check = createLeaveCheck(RULES, { speed: 1, joinTimeout: 300 })
  const arriving = attendanceWith({})
  assert.equal(check.nextTime(arriving), START + 300_000)
  assert.equal(check.findDue(arriving, START + 299_999, false), null)
  assert.match(check.findDue(arriving, START + 300_000, false)?.detail ?? '', /300 s/)
})

test('the join page timeout starts with this bot, not with the first bot of the meeting', () => {
  const later = attendanceWith({ botStartedAt: START + 60_000 })
  assertLeaves(later, 180, 'page_not_loaded', /120 s/)
})

test('the join page timeout no longer applies once the join page was seen', () => {
  const atJoinPage = attendanceWith({ joinPageSeenAt: START + 5_000 })
  assert.equal(CHECK.findDue(atJoinPage, START + 121_000, false), null)
  assert.equal(CHECK.nextTime(atJoinPage), START + RULES.maxDuration * 1000)
})

test('the bot leaves with meeting_not_started when the host does not start the meeting in time', () => {
  const since = START + 10_000
  const waiting = attendanceWith({ joinPageSeenAt: since, waitingForHostSince: since })
  assertLeaves(waiting, 610, 'meeting_not_started', /600 s/)
})

test('the host timeout no longer applies once the bot is in the lobby or admitted', () => {
  const since = START + 10_000
  const inLobby = attendanceWith({
    joinPageSeenAt: since,
    waitingForHostSince: since,
    lobbySince: since,
  })
  assertLeaves(inLobby, 910, 'lobby_timeout', /900 s/)
  const inside = attendanceWith({ ...inLobby, liveSince: since, emptySince: since })
  assertLeaves(inside, 1_210, 'nobody_joined', /1200 s/)
})

test('the bot leaves with everyone_left when the roster is empty and no captions arrive', () => {
  const empty = attendanceWith({
    joinPageSeenAt: START,
    liveSince: START,
    hasHadHumanParticipants: true,
    emptySince: START + 100_000,
    lastCaptionAt: START + 130_000,
  })
  assertLeaves(empty, 190, 'everyone_left', /60 s/)
  assert.equal(CHECK.findDue({ ...empty, emptySince: null }, START + 190_000, false), null)
})

test('captions of humans who are not in the roster rule out nobody_joined and extend the time until everyone_left', () => {
  const heard = attendanceWith({
    joinPageSeenAt: START,
    liveSince: START,
    emptySince: START,
    hasHadHumanSpeech: true,
    lastCaptionAt: START + 1_199_000,
  })
  assertLeaves(heard, 2_399, 'everyone_left', /1200 s/)
  const impatient = createLeaveCheck({ ...RULES, nobodyJoined: 3 }, { speed: 1, joinTimeout: 120 })
  assert.equal(impatient.nextTime(heard), START + 1_259_000)
  const seen = { ...heard, hasHadHumanParticipants: true }
  assertLeaves(seen, 1_259, 'everyone_left', / 60 s/)
})

test('a faster meeting divides every time limit except the maximum duration, down to one second', () => {
  const fast = createLeaveCheck(RULES, { speed: 20, joinTimeout: 120 })
  const limits: Array<[change: Partial<AttendanceState>, seconds: number]> = [
    [{ lobbySince: START }, 45],
    [{ waitingForHostSince: START }, 30],
    [{ liveSince: START, emptySince: START }, 60],
    [{ liveSince: START, emptySince: START, hasHadHumanParticipants: true }, 3],
    [{}, RULES.maxDuration],
  ]
  for (const [change, seconds] of limits) {
    const attendance = attendanceWith({ joinPageSeenAt: START, ...change })
    assert.equal(fast.nextTime(attendance), START + seconds * 1000)
  }
  const alone = attendanceWith({
    joinPageSeenAt: START,
    liveSince: START,
    emptySince: START,
    hasHadHumanParticipants: true,
  })
  const fastest = createLeaveCheck(RULES, { speed: 1000, joinTimeout: 120 })
  assert.equal(fastest.nextTime(alone), START + 1000)
  assert.match(fast.findDue(alone, START + 3000, false)?.detail ?? '', /for 60 s/)
})

test('the bot handles waiting events before it leaves, unless the maximum duration is over', () => {
  const inLobby = attendanceWith({ joinPageSeenAt: START, lobbySince: START })
  assert.equal(CHECK.findDue(inLobby, START + 901_000, true), null)
  const overdue = START + RULES.maxDuration * 1000
  assert.equal(CHECK.findDue(inLobby, overdue, true)?.reason, 'max_duration')
})
