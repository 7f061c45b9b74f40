import { setTimeout as sleep } from 'node:timers/promises'
import { ModelFailure } from '../../ai/model.ts'
import { createModelRecap, type ModelRecap } from '../model/model-recap.ts'
import { UnusableRecapAnswer } from '../model/recap-answer.ts'
import type { RecapModel } from '../model/recap-model.ts'
import type { Recap } from '../recap.ts'
import { createRulesRecap } from '../rules-recap.ts'
import type { RecapTemplate } from '../template.ts'
import type { LabelledMeeting } from './labelled-meetings.ts'
import {
  addScores,
  NEAR_LINES,
  scoreActions,
  scorePart,
  type ActionScore,
  type PartScore,
} from './scores.ts'
import type { TrialUsage } from './trial-model.ts'

/** The parts of a recap that have labels. */
export const TRIED_PARTS = ['actions', 'decisions', 'openQuestions', 'summary'] as const
type PartScores = Record<(typeof TRIED_PARTS)[number], PartScore>

/** How well the recaps of one or more meetings agree with the labels. */
export type TrialScores = {
  exact: PartScores
  /** With entries that are at most two lines away from their label. */
  near: PartScores
  /** For owners and due dates. Null if no label has one. */
  actions: ActionScore | null
}

export type TriedMeeting = {
  name: string
  /** Null if the model made no recap. */
  scores: TrialScores | null
  /** Why the model made no recap. Null if it made one. */
  error: string | null
  languageProblem: string | null
  droppedStatements: number
  usage: TrialUsage
}

type Trial = {
  meetings: readonly LabelledMeeting[]
  model: RecapModel
  readUsage(): TrialUsage
  template: RecapTemplate
  systemPrompt: string | undefined
  signal: AbortSignal
  /** Waits this many milliseconds. Rejects if the signal aborts. */
  pause?(ms: number): Promise<void>
}

/** Delays before a meeting is tried again after a transient failure, such as a rate limit. */
const RETRY_DELAYS_MS = [5_000, 30_000]

/**
 * Lets a model make the recaps of labelled meetings, one after the other, and scores them. A failure is reported with
 * its meeting. Rejects with `TokenLimitReached`, or with the signal's abort reason.
 */
export async function* tryModel(trial: Trial): AsyncGenerator<TriedMeeting> {
  for (const meeting of trial.meetings) {
    const before = trial.readUsage()
    const made = await makeRecap(trial, meeting)
    const isFailed = typeof made === 'string'
    yield {
      name: meeting.name,
      scores: isFailed ? null : scoreMeeting(meeting, made.recap),
      error: isFailed ? made : null,
      languageProblem: isFailed ? null : made.languageProblem,
      droppedStatements: isFailed ? 0 : made.droppedStatements,
      usage: subtractUsage(trial.readUsage(), before),
    }
  }
}

/** The scores of the rules for the same meetings, to compare with. */
export function scoreRules(meetings: readonly LabelledMeeting[]): TrialScores | null {
  return sumScores(
    meetings.map((meeting) => scoreMeeting(meeting, createRulesRecap(meeting.source))),
  )
}

/** Null if there are none. */
export function sumScores(scores: readonly TrialScores[]): TrialScores | null {
  if (scores.length === 0) return null
  const sum = (measure: 'exact' | 'near') =>
    createPartScores((part) => addScores(scores.map((score) => score[measure][part])))
  const actions = scores.flatMap((score) => score.actions ?? [])
  return {
    exact: sum('exact'),
    near: sum('near'),
    actions: actions.length === 0 ? null : addScores(actions),
  }
}

/** The recap, or why there is none. */
async function makeRecap(trial: Trial, meeting: LabelledMeeting): Promise<ModelRecap | string> {
  const { model, template, systemPrompt, signal } = trial
  const pause = trial.pause ?? ((ms: number) => sleep(ms, undefined, { signal }))
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await createModelRecap({
        model,
        meetingId: meeting.name,
        source: meeting.source,
        language: meeting.language,
        template,
        ...(systemPrompt !== undefined && { systemPrompt }),
        signal,
        pause,
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof UnusableRecapAnswer) return error.message
      if (!(error instanceof ModelFailure)) throw error
      const delayMs = error.isTransient ? RETRY_DELAYS_MS[attempt] : undefined
      if (delayMs === undefined) return error.message
      await pause(delayMs)
    }
  }
}

function scoreMeeting(meeting: LabelledMeeting, recap: Recap): TrialScores {
  const score = (distance: number) =>
    createPartScores((part) => {
      const labels = meeting[part]
      return scorePart(labels ?? [], labels === undefined ? [] : recap[part], distance)
    })
  const hasPeopleOrDates = meeting.actions.some(({ owner, due }) => owner !== null || due !== null)
  return {
    exact: score(0),
    near: score(NEAR_LINES),
    actions: hasPeopleOrDates ? scoreActions(meeting, recap) : null,
  }
}

function createPartScores(scoreOf: (part: keyof PartScores) => PartScore): PartScores {
  return {
    actions: scoreOf('actions'),
    decisions: scoreOf('decisions'),
    openQuestions: scoreOf('openQuestions'),
    summary: scoreOf('summary'),
  }
}

function subtractUsage(after: TrialUsage, before: TrialUsage): TrialUsage {
  return {
    requests: after.requests - before.requests,
    inputTokens: after.inputTokens - before.inputTokens,
    outputTokens: after.outputTokens - before.outputTokens,
    costUsd:
      after.costUsd === null || before.costUsd === null ? null : after.costUsd - before.costUsd,
  }
}
