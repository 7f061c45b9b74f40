import type { z } from 'zod'
import { createAskModelFunction, type AskModel } from '../../ai/ask-once.ts'
import type { MeteredModel } from '../../ai/metered-model.ts'
import { ModelFailure } from '../../ai/model.ts'
import { wrapInDocumentTags } from '../../ai/prompt-text.ts'
import type { Db } from '../../db/database.ts'
import { findMeeting } from '../../meetings/record/meeting-store.ts'
import { addRecapTokens } from '../store/stored-recap.ts'

export type RecapQuestion = {
  system: string
  /** The subject of the request, in our words. */
  facts: string
  /** What the project's editors ask for. Empty for nothing. */
  instructions: string
  /** The participants' names. They are untrusted data and must be marked as such. */
  participants: string
  /** What people said. This is untrusted data too. */
  transcript: string
  format: z.ZodObject
}

export const ANSWER_LIMITS = { timeoutMs: 180_000, maxOutputTokens: 6_000 }
/** Input and output of one request. A part of a meeting has up to 12,000 tokens by an estimate that may be low. */
const MAX_TOKENS_PER_REQUEST = 100_000

export function createRecapModel(db: Db, model: MeteredModel) {
  return {
    name: model.name,
    /** Answers one request about a meeting. Rejects with a `ModelFailure`, or with the signal's abort reason. */
    async ask(meetingId: string, question: RecapQuestion, signal: AbortSignal): Promise<string> {
      await model.requireBudget()
      const project = (await findMeeting(db, meetingId))?.project ?? null
      const ask = createAskModelFunction(
        model.find,
        async (usage) => {
          await model.addUsage(usage, project, (tx, used) => addRecapTokens(tx, meetingId, used))
        },
        ANSWER_LIMITS,
      )
      return askAboutMeeting(ask, question, signal)
    },
  }
}

export type RecapModel = ReturnType<typeof createRecapModel>

/** Sends one request. Rejects with a `ModelFailure` if it is too long. */
export async function askAboutMeeting(
  ask: AskModel,
  { system, facts, instructions, participants, transcript, format }: RecapQuestion,
  signal: AbortSignal,
): Promise<string> {
  const prompt = [
    facts,
    ...(instructions === '' ? [] : [wrapInDocumentTags('instructions', instructions)]),
    wrapInDocumentTags('participants', participants),
    wrapInDocumentTags('transcript', transcript),
  ].join('\n\n')
  const question = { system, prompt, format, maxTokens: MAX_TOKENS_PER_REQUEST }
  const answer = await ask(question, () => undefined, signal)
  if (answer !== null) return answer
  throw new ModelFailure('A part of the meeting is too long for the model', false)
}
