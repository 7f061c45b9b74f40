import { z } from 'zod'
import { Count, InstantText, Ordinal, RequestWarnings, NullableText } from './common.ts'
import { MeetingIdInput } from './meetings/meeting-fields.ts'
import { textSourceFields } from './projects.ts'
import { ANSWER_LIMITS, ANSWER_METHODS } from './values.ts'

/** The retrieval reads only this much of a question. */
const MAX_QUESTION_LENGTH = 2_000

export const AskBody = z
  .object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUESTION_LENGTH)
      .meta({ pattern: '\\S' })
      .describe('In any language'),
    project: z.string().min(1).max(300).optional().describe('Only texts of this project'),
    meetingId: MeetingIdInput.optional().describe('Only what was said in this meeting'),
    from: InstantText.optional().describe('Only texts since then'),
    to: InstantText.optional().describe('Only texts before then'),
  })
  .meta({ examples: [{ question: 'When is the budget due?' }] })

const lineFields = {
  number: Ordinal.describe('What sentences cite it by'),
  ...textSourceFields,
  line: Ordinal.nullable().describe('Line of the file with which the text begins'),
  text: z.string().describe('The words as they were said or written'),
  link: z.string().describe('Path of the transcript or document, at that line'),
}

/** A line of a meeting or document that an answer cites. */
export const AnswerCitation = z.object(lineFields).meta({ id: 'AnswerCitation' })

export const AnswerPassage = z
  .object({
    ...lineFields,
    before: z.array(AnswerCitation).describe('The lines before it'),
    after: z.array(AnswerCitation).describe('The lines after it'),
  })
  .meta({ id: 'AnswerPassage' })

const sentenceFields = {
  text: z.string().describe('Without the numbers of its citations'),
  citationNumbers: z.array(Ordinal).describe('At least one'),
}
export const AnswerSentence = z.object(sentenceFields).meta({ id: 'AnswerSentence' })

export const AskResponse = z
  .object({
    question: z.string(),
    found: z
      .boolean()
      .describe('False when the meetings do not hold the answer, or no passage matches'),
    method: z
      .enum(ANSWER_METHODS)
      .describe(
        '`model`: a language model wrote it; `recap`: statements of recaps; `passages`: only passages that may hold it',
      ),
    reason: z
      .enum(ANSWER_LIMITS)
      .nullable()
      .describe(
        'Why there is no answer, or only a part of one, or not one of a model; null for a whole answer',
      ),
    error: NullableText.describe('What went wrong with the model; null if nothing did').meta({
      examples: ['The model did not answer in time'],
    }),
    model: NullableText.describe('The language model that was asked; null if none was'),
    answer: NullableText.describe(
      'The sentences with their citations such as [3], or that nothing was found; null when there are only passages',
    ).meta({ examples: ['The budget is due on Friday. [1]'] }),
    sentences: z.array(AnswerSentence).describe('The same, sentence by sentence'),
    citations: z.array(AnswerCitation).describe('The lines that the sentences cite'),
    droppedSentences: Count.describe(
      'Sentences of the model that are left out, because they cite nothing that it was given',
    ),
    passages: z.array(AnswerPassage).describe('The texts that match the question, best first'),
    inputTokens: Count.describe('As counted by the provider, including cached tokens'),
    cachedInputTokens: Count.describe('Part of inputTokens'),
    outputTokens: Count,
    costUsd: z.number().min(0).nullable().describe('Null when no cost is known'),
    warnings: RequestWarnings,
  })
  .meta({ id: 'Answer' })

/** The stream's events by name. The last one is `done`, or `error` in the form of an error response. */
export const AskStreamEvents = {
  passages: z.object({ question: z.string(), passages: z.array(AnswerPassage) }),
  sentence: z.object({ ...sentenceFields, citations: z.array(AnswerCitation) }),
  done: AskResponse,
}

/** The JSON form of requests, responses and stream events, with times as text, for the console. */
export type ApiAskBody = z.input<typeof AskBody>
export type ApiAnswerCitation = z.input<typeof AnswerCitation>
export type ApiAnswerPassage = z.input<typeof AnswerPassage>
export type ApiAnswerSentence = z.input<typeof AnswerSentence>
export type ApiAnswer = z.input<typeof AskResponse>
export type ApiAskPassagesEvent = z.input<typeof AskStreamEvents.passages>
export type ApiAskSentenceEvent = z.input<typeof AskStreamEvents.sentence>
