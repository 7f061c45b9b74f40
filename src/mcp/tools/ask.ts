import type { AnswerCitation } from 'hansard/client'
import { z } from 'zod'
import { defineTool, omitUndefined, READ_ONLY_TOOL_ANNOTATIONS } from '../define-tool.ts'
import { FoundText, toInstant } from './search-and-documents.ts'

const Line = FoundText.extend({
  number: z.int().describe('What the answer cites it by, as in [3]'),
})

export const askTool = defineTool({
  name: 'ask',
  title: 'Ask a question',
  description:
    'Answers a question from transcripts and documents. Each sentence of the answer cites lines, such as [3]. Without a language model, or when it fails, the result has the passages that most likely hold the answer.',
  annotations: READ_ONLY_TOOL_ANNOTATIONS,
  operations: ['ask.question'],
  input: z.object({
    question: z.string().min(1).max(2_000),
    project: z.string().min(1).optional().describe('Only texts of this project'),
    meetingId: z.string().optional().describe('Only what was said in this meeting'),
    from: z.iso.datetime().optional().describe('ISO 8601, UTC'),
    to: z.iso.datetime().optional().describe('Only texts before then'),
  }),
  output: z.object({
    found: z.boolean(),
    answer: z.string().nullable().describe('null when no model answered'),
    method: z.enum(['model', 'passages']),
    reason: z
      .string()
      .nullable()
      .describe('Why there is no answer of a model, or only a part of one'),
    droppedSentences: z
      .int()
      .describe('Sentences of the model that are left out, because they cite nothing'),
    citations: z.array(Line).describe('The lines that the answer cites'),
    passages: z.array(Line).describe('Only when no model answered, best first'),
  }),
  async run(client, { question, project, meetingId, from, to }) {
    const times = { from: toInstant(from), to: toInstant(to) }
    const answered = await client.ask.question(
      omitUndefined({ question, project, meetingId, ...times }),
    )
    const { found, answer, method, reason, droppedSentences, citations, passages } = answered
    return {
      found,
      answer,
      method,
      reason,
      droppedSentences,
      citations: citations.map(toLine),
      passages: method === 'model' ? [] : passages.map(toLine),
    }
  },
})

function toLine(cited: AnswerCitation): z.input<typeof Line> {
  const { number, kind, project, title, meetingId, segmentNumber } = cited
  const { speaker, timestamp, path, line, text } = cited
  return {
    number,
    kind,
    project,
    title,
    meetingId,
    segmentNumber,
    speaker,
    timestamp,
    path,
    line,
    text,
  }
}
