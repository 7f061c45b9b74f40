import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readLabelledQuestions, RECAP_MEETINGS_FOLDER } from '../../bench/support/recap-meetings.ts'
import { createRulesRecap } from './rules-recap.ts'
import { readLabelledMeetings } from './trial/labelled-meetings.ts'
import {
  addScores,
  checkCitations,
  precisionOf,
  recallOf,
  scoreActions,
  scoreStatements,
} from './trial/scores.ts'

const RESULTS = readLabelledMeetings(RECAP_MEETINGS_FOLDER).map((meeting) => ({
  meeting,
  recap: createRulesRecap(meeting.source),
}))

test('the actions of the labelled meetings are found with few wrong ones', () => {
  const scores = RESULTS.map(({ meeting, recap }) => ({
    meeting,
    score: scoreActions(meeting, recap),
  }))
  const all = addScores(scores.map(({ score }) => score))
  const heldOut = addScores(
    scores.filter(({ meeting }) => meeting.isHeldOut).map(({ score }) => score),
  )
  for (const score of [all, heldOut]) {
    assert.ok(precisionOf(score) >= 0.85, JSON.stringify(score))
    assert.ok(recallOf(score) >= 0.75, JSON.stringify(score))
    assert.ok(score.rightOwner >= 0.9 * score.right, JSON.stringify(score))
    assert.ok(score.rightDue >= 0.9 * score.right, JSON.stringify(score))
  }
})

test('the decisions and open questions of the labelled meetings are found with few wrong ones', () => {
  const scores = [
    addScores(
      RESULTS.map(({ meeting, recap }) => scoreStatements(meeting.decisions, recap.decisions)),
    ),
    addScores(
      RESULTS.map(({ meeting, recap }) =>
        scoreStatements(meeting.openQuestions, recap.openQuestions),
      ),
    ),
  ]
  for (const score of scores) {
    assert.ok(precisionOf(score) >= 0.85, JSON.stringify(score))
    assert.ok(recallOf(score) >= 0.75, JSON.stringify(score))
  }
})

test('every entry of a recap quotes a segment that it cites', () => {
  for (const { meeting, recap } of RESULTS) {
    const { all, found } = checkCitations(meeting.source, recap)
    assert.equal(found, all, meeting.name)
    assert.ok(recap.summary.length >= 3 && recap.summary.length <= 6, meeting.name)
    assert.equal(recap.language, meeting.language)
  }
})

test('the topics of a recap cover the whole meeting in order', () => {
  for (const { meeting, recap } of RESULTS) {
    const { segments } = meeting.source
    let next = 1
    for (const { title, startMs, endMs, firstSegmentNumber, lastSegmentNumber } of recap.topics) {
      assert.equal(firstSegmentNumber, next, meeting.name)
      assert.equal(startMs, segments[firstSegmentNumber - 1]?.startMs)
      assert.equal(endMs, segments[lastSegmentNumber - 1]?.endMs)
      assert.notEqual(title, '')
      next = lastSegmentNumber + 1
    }
    assert.equal(next, segments.length + 1, meeting.name)
    assert.ok(recap.topics.length >= 3 && recap.topics.length <= 12, meeting.name)
  }
})

test('the labels and questions of the labelled meetings name existing segments', () => {
  const numbersOf = new Map(
    RESULTS.map(({ meeting }) => [
      meeting.name,
      new Set(meeting.source.segments.map(({ number }) => number)),
    ]),
  )
  const questions = readLabelledQuestions()
  for (const { meeting, evidence, question } of questions) {
    assert.ok(evidence.length > 0, question)
    for (const number of evidence) assert.ok(numbersOf.get(meeting)?.has(number), question)
  }
  let labels = 0
  for (const { meeting } of RESULTS) {
    const marked = [...meeting.actions, ...meeting.decisions, ...meeting.openQuestions]
    labels += meeting.actions.length + meeting.decisions.length
    for (const { segments } of marked) {
      for (const number of segments) assert.ok(numbersOf.get(meeting.name)?.has(number))
    }
    for (const { number, speaker } of meeting.source.segments) {
      assert.ok(meeting.participants.includes(speaker), `${meeting.name} ${number}`)
    }
  }
  assert.ok(labels >= 60 && questions.length >= 120)
})
